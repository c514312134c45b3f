//! One change, and what became of it.

use std::sync::Arc;

use pm_tracker_domain::change::{ChangeRequest, Refusal, World};
use pm_tracker_domain::{Item, Timestamp};
use thiserror::Error;

/// The item that a change is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an item exists or is about to")]
pub enum Target {
    /// The item with exactly this id. For a new item, the id that it shall have.
    Item(String),
    /// A new item, whose id the workspace chooses: its prefix and a random token that no item and no history has.
    New,
}

/// One change of one item.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct Edit {
    /// The item.
    pub target: Target,
    /// What to do, who asks, and how hard.
    pub request: ChangeRequest,
    /// The other items, for what the change means for them.
    pub world: Arc<World>,
    /// The time. A change that waited for its lock is made so much later.
    pub now: Timestamp,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct Written {
    /// The item's full id.
    pub id: String,
    /// The operation's name in history.
    pub op: String,
    /// Whether anything was written; the item may have been as wanted.
    pub wrote: bool,
    /// The number of history entries now.
    pub version: usize,
    /// The item before; `None` if there was none.
    pub before: Option<Arc<Item>>,
    /// The item now; `None` if it was deleted.
    pub after: Option<Arc<Item>>,
    /// The fields that differ, `body` among them.
    pub changed_fields: Vec<String>,
    /// What the caller should know, as `code: words`.
    pub warnings: Vec<String>,
}

/// Why a change was not made. Unless [`WriteError::Storage`] says otherwise, nothing was written.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(clippy::exhaustive_enums, reason = "callers answer each case in their own way")]
pub enum WriteError {
    /// The change itself is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Another writer holds the lock.
    #[error("`{name}` is being written by `{owner}`")]
    Locked {
        /// What is locked: an item's id, or the name of a lock of the whole workspace.
        name: String,
        /// Who took it, if the lock says so; else empty.
        owner: String,
        /// Whether the lock is stale and goes only by force.
        stale: bool,
        /// After how many milliseconds to try again.
        retry_after_ms: u64,
    },
    /// The item's file is there and cannot be used.
    #[error("the file of item `{id}` cannot be used: {detail}")]
    ItemUnreadable {
        /// The id.
        id: String,
        /// The file, relative to the tracker root.
        path: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The item's file has a format version that this server only reads.
    #[error("item `{id}` has the format version {version}; this server writes versions up to {known}")]
    FormatVersion {
        /// The id.
        id: String,
        /// The version.
        version: u64,
        /// The highest version that is written.
        known: u64,
    },
    /// The item's history cannot be gone on with.
    #[error("the history of item `{id}` cannot be gone on with: {detail}")]
    HistoryUnreadable {
        /// The id.
        id: String,
        /// What is wrong with it.
        detail: String,
        /// Whether `force` goes on.
        forcible: bool,
    },
    /// The item's history has a hash version that this server only reads.
    #[error("the history of item `{id}` has the hash version {version}, which this server only reads")]
    HistoryEpoch {
        /// The id.
        id: String,
        /// The version.
        version: u64,
    },
    /// The workspace must not be written to as a whole.
    #[error("the workspace cannot be written to: {detail}")]
    ReadOnly {
        /// What is missing or wrong.
        detail: String,
    },
    /// The storage refused.
    #[error("`{path}` could not be written: {detail}")]
    Storage {
        /// The path, relative to the tracker root.
        path: String,
        /// The system's words.
        detail: String,
        /// Whether the item's file may be ahead of its history, which a repair finds.
        half_done: bool,
    },
    /// The writer has been shut down or failed inside.
    #[error("the workspace writer is not available: {detail}")]
    Unavailable {
        /// What happened.
        detail: String,
    },
}
