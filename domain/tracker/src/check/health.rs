//! State of an installation.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::names::HealthCheck;
use super::report::{CheckRow, CheckStatus, Finding};
use crate::board::{Board, Standing};
use crate::{SchemaProblem, Settings, Timestamp};

/// Number of entries from which a history is named as very long.
const LONG_HISTORY_ENTRIES: usize = 1000;

const MS_PER_HOUR: i64 = 3_600_000;

/// A folder of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever looks")]
pub struct DirectoryFact {
    /// The folder, relative to the tracker root; `.` for the root.
    pub path: String,
    /// Whether it is there.
    pub exists: bool,
    /// Whether the workspace cannot do without it. Folders of types are made when they are needed.
    pub needed: bool,
    /// Number of files directly in it.
    pub files: usize,
    /// Number of those that do not belong there, such as left-over temporary files.
    pub strays: usize,
}

/// What is known of a lock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever looks must sort what it saw")]
pub enum LockState {
    /// Somebody took it.
    Taken {
        /// Who.
        owner: String,
        /// Seconds since then.
        age_seconds: u64,
        /// After how many seconds it counts as left behind.
        ttl_seconds: u64,
    },
    /// The file says nothing that can be understood.
    Malformed,
}

/// One lock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever looks")]
pub struct LockFact {
    /// The lock's name.
    pub name: String,
    /// What is known of it.
    pub state: LockState,
}

/// Long operations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever counts")]
pub struct TaskFacts {
    /// Numbers by status: `working`, `input_required`, `completed`, `failed`, `cancelled`.
    pub by_status: BTreeMap<&'static str, u64>,
    /// Records past their time to live that are still kept.
    pub expired: u64,
}

/// The derived index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever counts")]
pub struct IndexFacts {
    /// Items in it.
    pub items: usize,
    /// Items in the workspace.
    pub expected: usize,
    /// Its size in bytes.
    pub bytes: u64,
    /// Seconds since it was brought up to date; `None` if it was never built.
    pub age_seconds: Option<u64>,
}

/// The size of one history.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever counts")]
pub struct StreamSize {
    /// The item's id.
    pub item: String,
    /// Number of entries.
    pub entries: usize,
    /// Size in bytes.
    pub bytes: u64,
    /// Whether it ends with a deletion.
    pub ends_deleted: bool,
}

/// How changes are noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "whoever watches must say how")]
pub enum WatcherMode {
    /// By events of the operating system.
    Native,
    /// By looking every so often.
    Polling,
    /// Not at all.
    Off,
}

/// The watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever watches")]
pub struct WatcherFacts {
    /// How changes are noticed.
    pub mode: WatcherMode,
    /// Why it stopped or fell back, in words.
    pub trouble: Option<String>,
}

/// Keys of sealed state and cursors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever configures")]
pub struct KeyFacts {
    /// Whether the key of sealed continuation state was made up by this process.
    pub continuation_is_process_local: bool,
    /// Whether the key of list cursors was made up by this process.
    pub cursor_is_process_local: bool,
    /// Whether clients outlive the process, as over HTTP.
    pub clients_outlive_process: bool,
}

/// Settings that lack a part, and schema files that could not be used wholly.
#[must_use]
pub fn settings(settings: &Settings, problems: &[SchemaProblem]) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::Settings.name());
    row.count("missing", settings.missing.len());
    row.count("schema_problems", problems.len());
    for part in &settings.missing {
        let detail = format!("`{part}` is missing; add it before anything can be written");
        row.note(CheckStatus::Error, Finding::new("setting_missing", detail).at("settings.json"));
    }
    for problem in problems {
        let finding = Finding::new("schema_problem", problem.detail.as_str());
        row.note(CheckStatus::Warn, finding.at(problem.file));
    }
    row
}

/// Folders that are gone or hold what does not belong there.
#[must_use]
pub fn directories(facts: &[DirectoryFact]) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::Directories.name());
    row.count("directories", facts.len());
    for fact in facts {
        if !fact.exists {
            let (status, detail) = if fact.needed {
                (CheckStatus::Error, "the folder is missing")
            } else {
                (CheckStatus::Ok, "the folder will be made when it is needed")
            };
            row.note(status, Finding::new("directory_missing", detail).at(&fact.path));
        } else if fact.strays > 0 {
            let detail = format!("{} of {} files do not belong here", fact.strays, fact.files);
            row.note(CheckStatus::Ok, Finding::new("directory_strays", detail).at(&fact.path));
        }
    }
    row
}

/// Locks that were left behind.
#[must_use]
pub fn locks(facts: &[LockFact]) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::Locks.name());
    row.count("locks", facts.len());
    for fact in facts {
        let finding = match &fact.state {
            LockState::Taken { age_seconds, ttl_seconds, .. } if age_seconds <= ttl_seconds => continue,
            LockState::Taken { owner, age_seconds, ttl_seconds } => {
                let detail = format!(
                    "`{owner}` took the lock {age_seconds} s ago; it counts as left behind after {ttl_seconds} s"
                );
                Finding::new("lock_stale", detail)
            }
            LockState::Malformed => Finding::new("lock_malformed", "the lock file cannot be understood"),
        };
        row.note(CheckStatus::Warn, finding.at(&format!("locks/{}.lock", fact.name)));
    }
    row
}

/// Long operations, and records that should be gone.
#[must_use]
pub fn tasks(facts: &TaskFacts) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::Tasks.name());
    for (status, count) in &facts.by_status {
        row.add(status, *count);
    }
    row.add("expired", facts.expired);
    if facts.expired > 0 {
        let detail = format!("{} task records are past their time to live", facts.expired);
        row.note(CheckStatus::Warn, Finding::new("tasks_expired", detail));
    }
    row
}

/// Whether the index is there and holds every item.
#[must_use]
pub fn index(facts: &IndexFacts) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::Index.name());
    row.count("items", facts.items);
    row.add("bytes", facts.bytes);
    match facts.age_seconds {
        None => row.note(CheckStatus::Warn, Finding::new("index_missing", "the index was never built")),
        Some(age) => row.add("age_seconds", age),
    }
    if facts.age_seconds.is_some() && facts.items != facts.expected {
        let detail =
            format!("the index holds {} items and the workspace {}; reindex", facts.items, facts.expected);
        row.note(CheckStatus::Warn, Finding::new("index_behind", detail));
    }
    row
}

/// Very long histories, and histories of items that are neither there nor deleted.
#[must_use]
pub fn history(streams: &[StreamSize], board: &Board) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::History.name());
    row.count("streams", streams.len());
    let known: BTreeSet<&str> = board.items().map(crate::Item::id).collect();
    for stream in streams {
        row.add("entries", u64::try_from(stream.entries).unwrap_or(u64::MAX));
        row.add("bytes", stream.bytes);
        if stream.entries >= LONG_HISTORY_ENTRIES {
            let detail = format!("the history has {} entries", stream.entries);
            row.note(CheckStatus::Ok, Finding::new("history_long", detail).of_item(&stream.item));
        }
        if !known.contains(stream.item.as_str()) {
            if stream.ends_deleted {
                row.add("deleted", 1);
            } else {
                let finding = Finding::new("history_without_item", "the item is gone and was not deleted");
                row.note(CheckStatus::Warn, finding.of_item(&stream.item));
            }
        }
    }
    row
}

/// Work in progress that nobody holds, or that nobody touched for longer than the workspace allows.
#[must_use]
pub fn stale_work(board: &Board, settings: &Settings, now: Timestamp) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::StaleWork.name());
    for item in board.ranked().filter(|item| board.standing(item.id()) == Some(Standing::InProgress)) {
        row.add("in_progress", 1);
        if item.assignee().is_none() {
            let finding = Finding::new("work_unclaimed", "the item is in progress and nobody holds it");
            row.note(CheckStatus::Warn, finding.of_item(item.id()));
        }
        let Some(updated) = Timestamp::parse(item.updated_at()) else { continue };
        let hours = now.as_unix_ms().saturating_sub(updated.as_unix_ms()) / MS_PER_HOUR;
        if u64::try_from(hours).is_ok_and(|hours| hours >= settings.stale_in_progress_hours) {
            let detail = format!(
                "the item is in progress and was not touched for {hours} h; the limit is {} h",
                settings.stale_in_progress_hours
            );
            row.note(CheckStatus::Warn, Finding::new("work_stale", detail).of_item(item.id()));
        }
    }
    row
}

/// Whether changes are noticed.
#[must_use]
pub fn watcher(facts: &WatcherFacts) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::Watcher.name());
    match facts.mode {
        WatcherMode::Native => {}
        WatcherMode::Polling => {
            let finding = Finding::new("watcher_polling", "changes are found by looking every so often");
            row.note(CheckStatus::Ok, finding);
        }
        WatcherMode::Off => {
            row.note(CheckStatus::Warn, Finding::new("watcher_off", "changes by others are not announced"));
        }
    }
    if let Some(trouble) = &facts.trouble {
        row.note(CheckStatus::Warn, Finding::new("watcher_trouble", trouble.as_str()));
    }
    row
}

/// Whether keys end with the process.
#[must_use]
pub fn keys(facts: &KeyFacts) -> CheckRow {
    let mut row = CheckRow::new(HealthCheck::Keys.name());
    let status = if facts.clients_outlive_process { CheckStatus::Warn } else { CheckStatus::Ok };
    for (local, code, setting) in [
        (facts.continuation_is_process_local, "continuation_key_local", "MCP_REQUEST_STATE_KEY"),
        (facts.cursor_is_process_local, "cursor_key_local", "PM_MCP_DISCOVERY_CURSOR_KEY"),
    ] {
        row.add("process_local", u64::from(local));
        if local {
            let detail = format!("the key ends with this process; set `{setting}` to keep it");
            row.note(status, Finding::new(code, detail));
        }
    }
    row
}
