//! The programs, from their arguments to their exit status.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use pm_mcp::{Http, HttpPolicy, LocalStdio, Stdio};
use pm_mcp_doctor::{Level, Target, examine};
use tokio::runtime::{Builder, Runtime};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::address_file;
use crate::arguments::{self, Invocation};
use crate::assemble::assemble;
use crate::init;
use crate::places::Places;
use crate::settings::{
    Environment, HTTP_ADDRESS_FILE, HttpSettings, Program, Settings, fault, help, version_line,
};
use crate::signals;
use crate::start::StartError;
use crate::telemetry::Watching;
use crate::user::local_principal;

/// Where the doctor finds an access token for servers that ask for one.
const DOCTOR_TOKEN: &str = "MCP_DOCTOR_TOKEN";

/// Runs a program to its end. Nothing but protocol, help and version goes to standard output.
#[must_use]
pub fn run(program: Program) -> ExitCode {
    match invoke(program) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("{}: {}", program.name(), error.line()));
            ExitCode::from(error.exit_status())
        }
    }
}

fn invoke(program: Program) -> Result<(), StartError> {
    match arguments::read(program, std::env::args_os().skip(1))? {
        Invocation::Serve => serve(program, &Environment::of_process()),
        Invocation::Help => print(&help(program)),
        Invocation::Version => print(&version_line(program)),
        Invocation::Init { folder } => make(folder.as_deref()),
        Invocation::Doctor { target } => probe(target),
    }
}

/// Makes a workspace and says what is there now.
fn make(folder: Option<&Path>) -> Result<(), StartError> {
    let project = match folder {
        Some(folder) => folder.to_owned(),
        None => init::project_around(&std::env::current_dir().map_err(system("find the current folder"))?),
    };
    let made = init::create(&project)?;
    let files: String = made.files.iter().map(|file| format!("  {file}\n")).collect();
    print(&format!(
        "made a workspace in {:?}; ids begin with `{}`\n{files}\ncommit these files, and let your client start \
         `pm-mcp` in this project\n",
        made.tracker, made.prefix
    ))
}

/// Probes a server and prints what was found.
fn probe(target: Vec<String>) -> Result<(), StartError> {
    let target = Target::parse(target)?;
    let settings = pm_mcp_doctor::Settings {
        token: std::env::var(DOCTOR_TOKEN).ok().filter(|token| !token.is_empty()),
        ..pm_mcp_doctor::Settings::default()
    };
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(system("start the runtime"))?;
    let report = runtime.block_on(examine(&target, &settings));
    end(runtime);
    print(&report.to_string())?;
    match report.is_sound() {
        true => Ok(()),
        false => Err(StartError::Unsound { wrong: report.count(Level::Wrong) }),
    }
}

fn serve(program: Program, environment: &Environment) -> Result<(), StartError> {
    let settings = Settings::read(environment, program)?;
    log_to_stderr(settings.log.clone());
    let folder = std::env::current_dir().map_err(system("find the current folder"))?;
    let places = Places::find(&settings.workspaces, &folder)?;
    if let Some(sample) = places.sample() {
        say(&format!(
            "{}: no workspace in {folder:?} or above it; serving a made-up sample in {sample:?}, which is removed at \
             the end; set PM_PATH to serve your own",
            program.name()
        ));
    }
    for (name, workspace) in places.workspaces() {
        tracing::info!(workspace = name, root = ?workspace.root().tracker, "serving");
    }
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(system("start the runtime"))?;
    let served = match program {
        Program::Stdio => runtime.block_on(over_stdio(&settings, &places, environment)),
        Program::Http => runtime.block_on(over_http(&settings, &places)),
    };
    end(runtime);
    served
}

async fn over_stdio(
    settings: &Settings,
    places: &Places,
    environment: &Environment,
) -> Result<(), StartError> {
    let shutdown = signals::end().map_err(system("listen for signals"))?;
    let watching = Watching::begin(&settings.telemetry).await?;
    let server = assemble(settings, places, &watching.telemetry).await?;
    let stdio =
        LocalStdio::new(Stdio::inherit()?.limits(settings.limits.stdio), local_principal(environment));
    Ok(watching.around(&server, server.serve_until(stdio, shutdown)).await?)
}

async fn over_http(settings: &Settings, places: &Places) -> Result<(), StartError> {
    let shutdown = signals::end().map_err(system("listen for signals"))?;
    let HttpSettings { host, port, ref allowed_origins, ref address_file, probes, ref access } =
        settings.http;
    if let Some(path) = address_file {
        address_file::clear(path).map_err(|error| unwritable(path, &error))?;
    }
    let watching = Watching::begin(&settings.telemetry).await?;
    let server = assemble(settings, places, &watching.telemetry).await?;
    let mut policy = HttpPolicy::loopback();
    let address = std::net::SocketAddr::new(host, port);
    // As the Host header names it: without port, IPv6 in brackets.
    let name = if host.is_ipv6() { format!("[{host}]") } else { host.to_string() };
    if !policy.hosts.contains(&name) {
        policy.hosts.push(name);
    }
    policy.origins.clone_from(allowed_origins);
    let bound = Http::bind(address.to_string())
        .policy(policy)
        .limits(settings.limits.http)
        .probes(probes)
        .admission(server.admission())
        .listen()
        .await
        .map_err(StartError::Http)?;
    let url = bound.url();
    if let Some(path) = address_file {
        address_file::write(path, &url).map_err(|error| unwritable(path, &error))?;
    }
    if let Some(measures) = watching.metrics_url() {
        say(&format!("measures are at {measures}"));
    }
    say(&format!("listening on {url}"));
    if let Some(access) = access {
        if access.issuer.is_loopback() {
            say(&format!(
                "the issuer {} is of this machine; clients of others cannot reach it",
                access.issuer
            ));
        }
        let subject =
            if host.is_loopback() { "callers" } else { "other machines reach this server; callers" };
        tracing::info!(resource = %access.resource, issuer = %access.issuer, "{subject} have to show a token");
    }
    let serving = server.serve_until(bound, shutdown);
    watching.around(&server, serving).await.unwrap_or_else(|never| match never {});
    Ok(())
}

fn unwritable(path: &Path, error: &io::Error) -> StartError {
    fault(&HTTP_ADDRESS_FILE, format!("{path:?} cannot be written: {error}")).into()
}

/// Work that nobody waits for any more, such as a check of all histories, must not hold the end up.
fn end(runtime: Runtime) {
    runtime.shutdown_background();
}

fn log_to_stderr(targets: Targets) {
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
    // A host that has its own subscriber keeps it.
    let _already_set = tracing_subscriber::registry().with(targets).with(lines).try_init();
}

fn system(what: &'static str) -> impl Fn(io::Error) -> StartError {
    move |source| StartError::System { what, source }
}

/// A line on standard error. If nobody can read it, there is nobody to tell.
fn say(line: &str) {
    let _nobody_reads = writeln!(io::stderr(), "{line}");
}

/// A text on standard output. A reader that has seen enough, such as `head`, is no failure.
fn print(text: &str) -> Result<(), StartError> {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(system("write to standard output")(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
