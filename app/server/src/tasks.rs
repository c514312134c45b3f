//! Where the tasks of the served tracker are kept.

use std::error::Error as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pm_mcp::{LifetimeLimits, ServerBuilder, TaskSettings, TimeToLive};
use pm_mcp_memory::{Capacity, MemoryTaskStore};
use pm_mcp_postgres::{PgChangeBus, PgDatabase, PgReplayGuard, PgSettings, PgTaskStore};
use pm_mcp_task_fs::FsTaskStore;
use pm_mcp_task_sled::{SledDatabase, SledOptions};
use pm_mcp_worker_locks::LockFileLiveness;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};
use tracing::warn;

use crate::places::Places;
use crate::settings::{LimitChoice, TaskChoice, TaskStoreChoice};
use crate::start::StartError;

/// Where `fs` keeps tasks, below the default workspace's tracker root.
const FS_FOLDER: &str = "runtime/mcp-tasks";

/// Where `sled` keeps tasks, below the default workspace's tracker root.
const SLED_FOLDER: &str = "runtime/mcp-tasks-sled";

/// Where the servers of one folder of tasks show that they live, below that folder.
const WORKERS: &str = "workers";

/// Where the servers of one workspace show that they live when PostgreSQL keeps their tasks, below its tracker root.
const POSTGRES_WORKERS: &str = "runtime/mcp-workers-postgres";

/// The longest lifetime, unless the usual one is longer.
const WEEK: TimeToLive = TimeToLive::from_ms(7 * 24 * 3_600_000);

/// How long a task of a server that died looks alive. Each third of it, a task at work is written once.
const LEASE: Duration = Duration::from_secs(10);

/// What a builder is told of a store that is open.
type Told = Box<dyn FnOnce(ServerBuilder) -> ServerBuilder + Send>;

/// A store of tasks that is being opened, while the server is put together.
pub(crate) struct Opening(JoinHandle<Result<Told, StartError>>);

/// Begins to open the store that the settings name, which waits for the disk or for another machine.
pub(crate) fn open(choice: &TaskChoice, chosen: &LimitChoice, places: &Places) -> Opening {
    let root = places.workspaces().next().map(|(_, workspace)| workspace.root().tracker.clone());
    Opening(tokio::spawn(opened(choice.store.clone(), chosen.volatile, root)))
}

/// Lets the server keep tasks as the settings say, once the store is open.
///
/// # Errors
///
/// [`StartError::Tasks`] and [`StartError::SledTasks`] when the folder cannot be used, [`StartError::Database`] and
/// [`StartError::ChangeBus`] when PostgreSQL cannot, [`StartError::System`] when git cannot be kept out of the folder.
pub(crate) async fn keep(
    builder: ServerBuilder,
    choice: &TaskChoice,
    chosen: &LimitChoice,
    Opening(store): Opening,
) -> Result<ServerBuilder, StartError> {
    let usual = TimeToLive::from_ms(choice.ttl_ms);
    let defaults = TaskSettings::default();
    let settings = TaskSettings {
        lifetime: LifetimeLimits::new(usual, usual.max(WEEK)).unwrap_or(defaults.lifetime),
        poll_interval: choice.poll,
        lease: LEASE,
        limits: chosen.task,
        quota: chosen.quota,
        ..defaults
    };
    let tell = joined(store.await)?;
    Ok(tell(builder.task_settings(settings).limits(chosen.server)))
}

async fn opened(
    store: TaskStoreChoice,
    volatile: Capacity,
    root: Option<PathBuf>,
) -> Result<Told, StartError> {
    match (store, root) {
        (TaskStoreChoice::Fs, Some(root)) => {
            joined(spawn_blocking(move || in_files(&root.join(FS_FOLDER))).await)
        }
        (TaskStoreChoice::Sled, Some(root)) => {
            joined(spawn_blocking(move || in_sled(&root.join(SLED_FOLDER))).await)
        }
        (TaskStoreChoice::Postgres(database), root) => in_postgres(*database, root).await,
        (TaskStoreChoice::Fs | TaskStoreChoice::Sled, None) | (TaskStoreChoice::Memory, _) => {
            Ok(Box::new(move |builder| builder.task_store(MemoryTaskStore::with_capacity(volatile))))
        }
    }
}

fn joined(opened: Result<Result<Told, StartError>, JoinError>) -> Result<Told, StartError> {
    opened.unwrap_or_else(|fault| {
        Err(StartError::System { what: "open the task store", source: io::Error::other(fault) })
    })
}

fn in_files(folder: &Path) -> Result<Told, StartError> {
    let store = FsTaskStore::open(folder)?;
    ignore(folder)?;
    let workers = LockFileLiveness::open(folder.join(WORKERS))?;
    Ok(Box::new(|builder| builder.task_store(store).worker_liveness(workers)))
}

fn in_sled(folder: &Path) -> Result<Told, StartError> {
    let database = SledDatabase::open(folder, SledOptions::default())?;
    ignore(folder)?;
    let workers = LockFileLiveness::open(folder.join(WORKERS))?;
    Ok(Box::new(move |builder| {
        let builder = builder.task_store(database.task_store()).replay_guard(database.replay_guard());
        builder.worker_liveness(workers)
    }))
}

async fn in_postgres(database: PgSettings, root: Option<PathBuf>) -> Result<Told, StartError> {
    let database = PgDatabase::connect(database).await?;
    let bus = PgChangeBus::connect(&database).await.map_err(StartError::ChangeBus)?;
    let workers = root.and_then(|root| beside_postgres(&root.join(POSTGRES_WORKERS)));
    Ok(Box::new(move |builder| {
        let builder = builder.task_store(PgTaskStore::new(&database));
        let builder = builder.replay_guard(PgReplayGuard::new(&database)).change_bus(bus);
        match workers {
            Some(workers) => builder.worker_liveness(workers),
            None => builder,
        }
    }))
}

/// The workspace need not be one that the server may write to; then leases tell which servers are gone.
fn beside_postgres(folder: &Path) -> Option<LockFileLiveness> {
    let opened = LockFileLiveness::open(folder).map_err(StartError::from);
    match opened.and_then(|workers| ignore(folder).map(|()| workers)) {
        Ok(workers) => Some(workers),
        Err(fault) => {
            let why = fault.source().map(ToString::to_string).unwrap_or_default();
            warn!(%fault, why, "tasks of servers of this machine that are gone end with their leases");
            None
        }
    }
}

/// Tasks are no part of the project that git keeps.
fn ignore(folder: &Path) -> Result<(), StartError> {
    let file = OpenOptions::new().write(true).create_new(true).open(folder.join(".gitignore"));
    match file.and_then(|mut file| file.write_all(b"*\n")) {
        Ok(()) => Ok(()),
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(StartError::System { what: "keep git out of the task folder", source }),
    }
}
