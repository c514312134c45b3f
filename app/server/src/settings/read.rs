//! Reading all settings.

use std::ffi::OsStr;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use pm_mcp::{BaggageKeys, nearest_name};
use pm_tracker::tools::{Profile, ProfileError, ToolName};
use pm_tracker::writing::Confirmation;
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::access::AccessChoice;
use super::environment::Environment;
use super::fault::{SettingFault, shown};
use super::limit_table;
use super::limits::LimitChoice;
use super::program::Program;
use super::secret::{CursorKey, StateKeys};
use super::table::{self, SETTINGS, Setting};
use super::tasks::TaskChoice;
use super::telemetry::TelemetryChoice;
use super::text::quoted;
use super::value;

/// All settings, checked as far as they can be without looking at files.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Which workspaces to serve.
    pub workspaces: WorkspaceChoice,
    /// The author that calls without one get.
    pub author: Option<String>,
    /// When batches are shown before they are made.
    pub confirmation: Confirmation,
    /// Whether linked test commands may be run.
    pub allow_test_run: bool,
    /// How long a write waits for a lock.
    pub lock_wait: Option<Duration>,
    /// Which tools are offered.
    pub profile: Profile,
    /// The key of list cursors.
    pub cursor_key: Option<CursorKey>,
    /// The keys of sealed state.
    pub state_keys: Option<StateKeys>,
    /// How tasks are kept.
    pub tasks: TaskChoice,
    /// How much the server takes on.
    pub limits: LimitChoice,
    /// Which members of a request's baggage are kept.
    pub baggage_keys: BaggageKeys,
    /// What is logged.
    pub log: Targets,
    /// What is shown to operators.
    pub telemetry: TelemetryChoice,
    /// What only the HTTP server reads.
    pub http: HttpSettings,
}

/// Which workspaces to serve.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "the search for workspaces handles each")]
pub enum WorkspaceChoice {
    /// The nearest one upward from the current folder, else a sample.
    Nearest,
    /// The one at this path.
    At(PathBuf),
    /// These, by name; the first is the default.
    Named(Vec<(String, PathBuf)>),
}

/// What only the HTTP server reads. The defaults are those of the stdio server, which passes over them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HttpSettings {
    /// The address to listen on: one of the loopback interface unless callers are asked for tokens.
    pub host: IpAddr,
    /// The port, 0 for a free one.
    pub port: u16,
    /// Browser origins that may call.
    pub allowed_origins: Vec<String>,
    /// The file that gets the URL.
    pub address_file: Option<PathBuf>,
    /// Whether the server says that it lives and is ready.
    pub probes: bool,
    /// What callers have to show; `None` for nothing.
    pub access: Option<AccessChoice>,
}

impl Settings {
    /// Reads the settings of one program.
    ///
    /// # Errors
    ///
    /// [`SettingFault`] for the first setting that is unknown, empty, wrong, or at odds with
    /// another one.
    pub fn read(environment: &Environment, program: Program) -> Result<Self, SettingFault> {
        refuse_strangers(environment)?;
        let source = Source { environment, program };
        let workspaces = workspaces(&source)?;
        let author = source.parsed(&table::AUTHOR, value::author)?;
        let confirmation = source.parsed(&table::CONFIRM, value::confirmation)?.unwrap_or_default();
        let allow_test_run =
            source.parsed(&table::ALLOW_TEST_RUN, value::flag)?.unwrap_or(program == Program::Stdio);
        let lock_wait = source.parsed(&table::LOCK_WAIT_MS, value::wait)?;
        let profile = profile(&source)?;
        let cursor_key = source.parsed(&table::CURSOR_KEY, |key| match key.len() {
            0..32 => Err(format!("has {} bytes and needs at least 32", key.len())),
            _ => Ok(CursorKey::new(key.as_bytes())),
        })?;
        let state_keys = state_keys(&source)?;
        let tasks = TaskChoice::read(&source)?;
        let limits = LimitChoice::read(&source)?;
        let baggage_keys = source.parsed(&table::BAGGAGE_KEYS, value::baggage_keys)?.unwrap_or_default();
        let log = source
            .parsed(&table::LOG, log_directives)?
            .unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
        let telemetry = TelemetryChoice::read(&source)?;
        let access = AccessChoice::read(&source)?;
        let http = HttpSettings {
            host: source
                .parsed(&table::HTTP_HOST, |host| value::host(host, access.is_some()))?
                .unwrap_or(std::net::Ipv4Addr::LOCALHOST.into()),
            port: source.parsed(&table::HTTP_PORT, value::port)?.unwrap_or(3000),
            allowed_origins: source.parsed(&table::HTTP_ALLOWED_ORIGINS, value::origins)?.unwrap_or_default(),
            address_file: source.raw(&table::HTTP_ADDRESS_FILE)?.map(PathBuf::from),
            probes: source.parsed(&limit_table::HTTP_PROBES, value::flag)?.unwrap_or(true),
            access,
        };
        Ok(Self {
            workspaces,
            author,
            confirmation,
            allow_test_run,
            lock_wait,
            profile,
            cursor_key,
            state_keys,
            tasks,
            limits,
            baggage_keys,
            log,
            telemetry,
            http,
        })
    }
}

/// A fault with the setting's own example as advice.
pub(crate) fn fault(setting: &Setting, what: impl Into<String>) -> SettingFault {
    let advice = format!("a right one is {}={}", setting.name, quoted(setting.example));
    SettingFault::new(setting.name, what, advice)
}

fn workspaces(source: &Source<'_>) -> Result<WorkspaceChoice, SettingFault> {
    let path = source.raw(&table::PATH)?;
    let named = source.parsed(&table::WORKSPACES, value::workspaces)?;
    match (path, named) {
        (None, None) => Ok(WorkspaceChoice::Nearest),
        (Some(path), None) => Ok(WorkspaceChoice::At(path.into())),
        (None, Some(named)) => Ok(WorkspaceChoice::Named(named)),
        (Some(_), Some(_)) => {
            Err(fault(&table::WORKSPACES, "is set beside PM_PATH, and only one of them can hold"))
        }
    }
}

/// Older keys alone would leave new states without a key that lasts.
fn state_keys(source: &Source<'_>) -> Result<Option<StateKeys>, SettingFault> {
    let active = source.parsed(&table::STATE_KEY, value::state_key)?;
    let older = source.parsed(&table::STATE_KEYS_OLD, |keys| {
        keys.split(',').map(value::state_key).collect::<Result<_, _>>()
    })?;
    match (active, older) {
        (Some(active), older) => Ok(Some(StateKeys::new(&active, older))),
        (None, None) => Ok(None),
        (None, Some(_)) => {
            Err(fault(&table::STATE_KEY, "is not set, and MCP_REQUEST_STATE_KEYS_OLD needs it"))
        }
    }
}

/// A list of tools counts for the profile `custom` only; beside another one it would be passed over.
fn profile(source: &Source<'_>) -> Result<Profile, SettingFault> {
    let (profile, tools) = (source.text(&table::PROFILE)?, source.text(&table::TOOLS)?);
    let custom = profile.is_some_and(|name| name.trim().eq_ignore_ascii_case("custom"));
    match (profile, tools) {
        (_, Some(_)) if !custom => Err(fault(&table::PROFILE, "must be custom, as PM_MCP_TOOLS is set")),
        (_, None) if custom => Err(fault(&table::TOOLS, "is not set, and the profile custom needs it")),
        (None, _) => Ok(Profile::default()),
        (Some(name), tools) => Profile::parse(name, tools.unwrap_or_default()).map_err(|wrong| match wrong {
            ProfileError::UnknownProfile { name } => fault(
                &table::PROFILE,
                format!("{} is no profile: core, standard, full or custom", shown(&name)),
            ),
            ProfileError::UnknownTool { name } => {
                let known = ToolName::ALL.map(ToolName::name).join(", ");
                fault(&table::TOOLS, format!("{} is no tool; known are {known}", shown(&name)))
            }
            other => fault(&table::TOOLS, other.to_string()),
        }),
    }
}

/// A word alone would pass for a target, so it must be a level.
fn log_directives(directives: &str) -> Result<Targets, String> {
    let is_level = |word: &str| word.trim().parse::<LevelFilter>().is_ok();
    let right = directives.split(',').all(|directive| {
        directive.rsplit_once('=').map_or_else(|| is_level(directive), |(_, level)| is_level(level))
    });
    match directives.parse() {
        Ok(targets) if right => Ok(targets),
        Ok(_) | Err(_) => Err(format!("{} is no log level or list of target=level pairs", shown(directives))),
    }
}

/// Names that nobody reads, so that a slip of the pen does not pass for a setting.
fn refuse_strangers(environment: &Environment) -> Result<(), SettingFault> {
    for name in environment.names() {
        if name.starts_with("PM_MCP_") && SETTINGS.iter().all(|setting| setting.name != name) {
            let advice = match nearest_name(name, SETTINGS.iter().map(|setting| setting.name)) {
                Some(near) => format!("{near} is meant, perhaps; --help lists all"),
                None => "unset it; --help lists all settings".to_owned(),
            };
            return Err(SettingFault::new(name, "is no setting of this server", advice));
        }
    }
    Ok(())
}

pub(super) struct Source<'a> {
    environment: &'a Environment,
    program: Program,
}

impl<'a> Source<'a> {
    fn raw(&self, setting: &Setting) -> Result<Option<&'a OsStr>, SettingFault> {
        if !setting.is_read_by(self.program) {
            return Ok(None);
        }
        match self.environment.value(setting.name) {
            Some(value) if value.is_empty() => Err(fault(setting, "is empty; unset it for the default")),
            other => Ok(other),
        }
    }

    pub(super) fn text(&self, setting: &Setting) -> Result<Option<&'a str>, SettingFault> {
        let Some(value) = self.raw(setting)? else { return Ok(None) };
        match value.to_str() {
            Some(text) if setting.secret || !text.trim().is_empty() => Ok(Some(text)),
            Some(_) => Err(fault(setting, "is blank; unset it for the default")),
            None => Err(fault(setting, "is not UTF-8")),
        }
    }

    pub(super) fn parsed<T>(
        &self,
        setting: &Setting,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, SettingFault> {
        self.text(setting)?.map(|text| parse(text).map_err(|what| fault(setting, what))).transpose()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
