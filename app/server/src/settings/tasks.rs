//! How tasks are kept.

use std::time::Duration;

use pm_mcp_postgres::PgSettings;

use super::fault::{SettingFault, shown};
use super::read::{Source, fault};
use super::table;
use super::value::whole_number;

/// How tasks are kept, and how long work may go on without one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TaskChoice {
    /// Where.
    pub store: TaskStoreChoice,
    /// How long, in milliseconds from the creation.
    pub ttl_ms: u64,
    /// How often clients are asked to look.
    pub poll: Duration,
    /// How long an operation may take whose client does not know tasks.
    pub foreground_limit: Duration,
}

/// Where tasks are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "each store has to be opened")]
pub enum TaskStoreChoice {
    /// In files in a folder of the default workspace, which processes of one machine may share.
    Fs,
    /// In a database in a folder of the default workspace, for one process.
    Sled,
    /// In this PostgreSQL database.
    Postgres(Box<PgSettings>),
    /// In the process.
    Memory,
}

/// The largest whole number that every JSON reader keeps exact.
const LONGEST_TTL_MS: u64 = (1 << 53) - 1;
const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;

impl TaskChoice {
    pub(super) fn read(source: &Source<'_>) -> Result<Self, SettingFault> {
        let number = |setting, highest| source.parsed(setting, |text| whole_number(text, highest));
        let ttl_ms = number(&table::TASK_TTL_MS, LONGEST_TTL_MS)?.unwrap_or(HOUR_MS);
        let poll_ms = number(&table::TASK_POLL_MS, HOUR_MS)?.unwrap_or(1_000);
        let limit_ms = number(&table::FOREGROUND_LIMIT_MS, DAY_MS)?.unwrap_or(60_000);
        Ok(Self {
            store: chosen_store(source)?,
            ttl_ms,
            poll: Duration::from_millis(poll_ms),
            foreground_limit: Duration::from_millis(limit_ms),
        })
    }
}

/// A database without the store that uses it would be passed over.
fn chosen_store(source: &Source<'_>) -> Result<TaskStoreChoice, SettingFault> {
    let database = source.parsed(&table::DATABASE_URL, |url| {
        PgSettings::parse(url).map(Box::new).map_err(|refused| format!("is refused: {refused}"))
    })?;
    let name = source.text(&table::TASK_STORE)?;
    match (name.map(str::trim), database) {
        (Some("postgres"), Some(database)) => Ok(TaskStoreChoice::Postgres(database)),
        (Some("postgres"), None) => {
            Err(fault(&table::DATABASE_URL, "is not set, and PM_MCP_TASK_STORE=postgres needs it"))
        }
        (_, Some(_)) => Err(fault(&table::TASK_STORE, "must be postgres, as PM_MCP_DATABASE_URL is set")),
        (_, None) => Ok(source.parsed(&table::TASK_STORE, store)?.unwrap_or(TaskStoreChoice::Fs)),
    }
}

fn store(name: &str) -> Result<TaskStoreChoice, String> {
    match name {
        "fs" => Ok(TaskStoreChoice::Fs),
        "memory" => Ok(TaskStoreChoice::Memory),
        "sled" => Ok(TaskStoreChoice::Sled),
        other => Err(format!("{} is no task store: fs, sled, postgres or memory", shown(other))),
    }
}
