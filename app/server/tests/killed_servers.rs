//! Servers that are killed while tasks begin, ask, are answered and cancelled, over and over, on each durable store: what
//! was told stays true, what nobody works on any more fails at once with words that say to start again, and no side effect
//! comes twice.
//!
//! `PM_SERVER_KILLS` says how many servers are killed on each store, 4 unless set.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise; its processes talk over their standard output"
)]

#[expect(dead_code, reason = "this test gives the database no orders")]
#[path = "../../../adapters/postgres/tests/cluster/server.rs"]
mod cluster;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use cluster::Cluster;
use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Context, Execution, Form, Output, Server, ServerBuilder, TaskQuota, TaskSettings, ToolError, tool,
};
use pm_mcp_contract::client::{Client, Outcome};
use pm_mcp_postgres::{PgDatabase, PgSettings, PgTaskStore};
use pm_mcp_task_fs::FsTaskStore;
use pm_mcp_task_sled::{SledDatabase, SledOptions};
use pm_mcp_worker_locks::LockFileLiveness;
use serde_json::json;

const STORE: &str = "PM_KILLED_SERVER_STORE";
const FOLDER: &str = "PM_KILLED_SERVER_FOLDER";
const ROUND: &str = "PM_KILLED_SERVER_ROUND";
const CLIENTS: u32 = 6;

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
struct Effect {
    name: String,
}

#[derive(Deserialize, JsonSchema, Form)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
struct Approval {
    approved: bool,
}

/// `fs`, `sled`, or the URL of a database.
async fn keep(builder: ServerBuilder, store: &str, folder: &Path) -> ServerBuilder {
    let workers = LockFileLiveness::open(folder.join("workers")).unwrap();
    let builder = builder.worker_liveness(workers);
    match store {
        "fs" => builder.task_store(FsTaskStore::open(folder.join("fs")).unwrap()),
        "sled" => {
            let database = SledDatabase::open(folder.join("sled"), SledOptions::default()).unwrap();
            builder.task_store(database.task_store())
        }
        url => {
            let database = PgDatabase::connect(PgSettings::parse(url).unwrap()).await.unwrap();
            builder.task_store(PgTaskStore::new(&database))
        }
    }
}

/// A server with one tool: it leaves a line in a file, asks whether to go on, and gives its name.
async fn server(store: &str, folder: &Path) -> Server {
    let effects = folder.join("effects");
    let work = move |ctx: Context, Effect { name }: Effect| {
        let effects = effects.clone();
        async move {
            let mut file = OpenOptions::new().create(true).append(true).open(&effects)?;
            file.write_all(format!("{name}\n").as_bytes())?;
            let Approval { approved } = ctx.ask("go", Form::new("Go on?")).await?;
            Ok::<_, ToolError>(Output::text(format!("{name} {approved}")))
        }
    };
    // One caller stands for all that ever come to the store.
    let settings = TaskSettings {
        poll_interval: Duration::from_millis(5),
        quota: TaskQuota { per_principal: usize::MAX },
        ..TaskSettings::default()
    };
    let builder = Server::builder("killed", "1")
        .tool(tool("effect", "Has an effect.").execution(Execution::TaskOnly).handler(work))
        .task_settings(settings);
    keep(builder, store, folder).await.build().unwrap()
}

fn client(server: &Server) -> Client {
    Client::memory(server.service()).accepting_tasks().on("go", json!({"approved": true}))
}

/// A line in one write, so that a killed process leaves whole lines.
fn tell(line: &str) {
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Begins tasks until the process is killed: a third is answered, a third is cancelled, a third is left waiting.
async fn work(client: Client, round: u32, number: u32) {
    for count in 0.. {
        let name = format!("{round}-{number}-{count}");
        let outcome = client.call_tool("effect", json!({"name": name})).await.unwrap();
        let Outcome::Task(task) = outcome else { panic!("no task") };
        tell(&format!("began {name} {}", task.id()));
        match count % 3 {
            0 => {
                assert_eq!(client.task_to_end(task.id()).await.unwrap().text(), format!("{name} true"));
                tell(&format!("completed {name} {}", task.id()));
            }
            1 => {
                client.cancel_task(task.id()).await.unwrap();
                if client.task(task.id()).await.unwrap().status() == "cancelled" {
                    tell(&format!("cancelled {name} {}", task.id()));
                }
            }
            _ => {}
        }
    }
}

/// What this process was started for, if it was started by the test.
fn is_child() -> bool {
    let (Some(folder), Ok(store)) = (std::env::var_os(FOLDER), std::env::var(STORE)) else { return false };
    let round: u32 = std::env::var(ROUND).unwrap().parse().unwrap();
    runtime().block_on(async {
        let server = server(&store, &PathBuf::from(folder)).await;
        let working: Vec<_> =
            (0..CLIENTS).map(|number| tokio::spawn(work(client(&server), round, number))).collect();
        for one in working {
            one.await.unwrap();
        }
    });
    true
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Starts a server process and kills it after so many lines; gives the last word on each task, by its id.
fn kill_one(test: &str, store: &str, folder: &Path, round: u32) -> BTreeMap<String, String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(STORE, store)
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut told, mut lines) = (BTreeMap::new(), 0);
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let [word @ ("began" | "completed" | "cancelled"), _, id] = line.split(' ').collect::<Vec<_>>()[..]
        else {
            continue;
        };
        told.insert(id.to_owned(), word.to_owned());
        lines += 1;
        if lines == 8 + round * 37 % 60 {
            child.kill().unwrap();
        }
    }
    assert!(!child.wait().unwrap().success(), "the server ended by itself after {lines} lines");
    told
}

fn run(test: &str, store: &str) {
    let rounds: u32 = std::env::var("PM_SERVER_KILLS").map_or(4, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let (mut tasks, mut lost) = (0, 0);
    for round in 0..rounds {
        let told = kill_one(test, store, folder.path(), round);
        runtime().block_on(async {
            let server = server(store, folder.path()).await;
            let client = client(&server);
            for (id, word) in &told {
                let task = client.task(id).await.unwrap();
                let message = task.0["error"]["message"].as_str().unwrap_or_default();
                match (word.as_str(), task.status()) {
                    ("completed", "completed") | ("cancelled", "cancelled") => {}
                    // It was not told how these ended, or that they did.
                    ("began", "completed" | "cancelled") => {}
                    ("began", "failed") if message.contains("start a new task") => lost += 1,
                    (_, status) => panic!("{store}: {id} was told to be {word} and is {status}: {message}"),
                }
                tasks += 1;
            }
        });
    }
    let effects = std::fs::read_to_string(folder.path().join("effects")).unwrap();
    let distinct: BTreeSet<&str> = effects.lines().collect();
    assert_eq!(distinct.len(), effects.lines().count(), "{store}: a side effect came twice");
    assert!(lost > 0 && lost < tasks && !distinct.is_empty(), "{store}: {lost} of {tasks} tasks were lost");
    let store = if store.contains('=') { "postgres" } else { store };
    eprintln!(
        "{store}: {rounds} servers killed, {tasks} tasks, {lost} of them ended as lost, no effect came twice"
    );
}

#[test]
fn a_killed_server_with_a_folder_breaks_no_word() {
    if !is_child() {
        run("a_killed_server_with_a_folder_breaks_no_word", "fs");
    }
}

#[test]
fn a_killed_server_with_sled_breaks_no_word() {
    if !is_child() {
        run("a_killed_server_with_sled_breaks_no_word", "sled");
    }
}

#[test]
fn a_killed_server_with_postgres_breaks_no_word() {
    if is_child() {
        return;
    }
    match cluster::programs() {
        Ok(bin) => {
            let cluster = Cluster::start(&bin);
            run("a_killed_server_with_postgres_breaks_no_word", &cluster.url());
        }
        Err(why) => eprintln!("SKIPPED killed servers with PostgreSQL: {why}"),
    }
}
