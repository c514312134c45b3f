//! Several changes, all or none.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_tracker_domain::Timestamp;
use pm_tracker_domain::change::{ChangeRequest, Refusal, World};
use thiserror::Error;

use crate::write::{WriteError, Written};

/// One row of a batch.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct BatchRow {
    /// The item's full id; of a new item, the id that it shall have.
    pub id: String,
    /// What to do.
    pub request: ChangeRequest,
}

/// Several changes, to be made in order, all or none.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct Batch {
    /// The caller's name for the batch: letters, digits, `.`, `_` and `-`.
    pub transaction_id: String,
    /// A digest of what the caller asked for, so that the same name is not taken for something else.
    pub request_digest: String,
    /// The changes.
    pub rows: Vec<BatchRow>,
    /// The versions of existing items that the batch was planned against, by id.
    pub seen: BTreeMap<String, usize>,
    /// The other items, before the batch.
    pub world: Arc<World>,
    /// The time.
    pub now: Timestamp,
    /// The author, for locks and for entries that undo.
    pub author: String,
    /// Whether stale locks are removed.
    pub force: bool,
}

/// What became of one row. It is kept with the batch, so it holds only what a later caller may be told again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct RowOutcome {
    /// The item's full id.
    pub id: String,
    /// The operation's name in history.
    pub op: String,
    /// Whether anything was written.
    pub wrote: bool,
    /// The number of history entries after the row.
    pub version: usize,
    /// What the caller should know, as `code: words`.
    pub warnings: Vec<String>,
}

/// A batch that was made as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct BatchOutcome {
    /// The caller's name for the batch.
    pub transaction_id: String,
    /// The digest of what was asked for.
    pub request_digest: String,
    /// The rows in order.
    pub rows: Vec<RowOutcome>,
    /// When it was made, RFC 3339.
    pub applied_at: String,
}

/// What a batch comes to.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a batch is made now, or was made before")]
pub enum BatchDone {
    /// It was made now; one entry a row.
    Applied(BatchOutcome, Vec<Written>),
    /// It was made before under the same name; nothing was written now.
    Recorded(BatchOutcome),
}

/// Why a batch was not made. Unless [`BatchError::HalfDone`] says otherwise, what was written was undone.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(clippy::exhaustive_enums, reason = "callers answer each case in their own way")]
pub enum BatchError {
    /// The name cannot be used.
    #[error("`{transaction_id}` cannot name a batch; use 1 to 128 of the characters A-Z a-z 0-9 . _ -")]
    UnusableName {
        /// The name.
        transaction_id: String,
    },
    /// The name was used for another batch.
    #[error("the name `{transaction_id}` was used for another batch; take a new one")]
    NameTaken {
        /// The name.
        transaction_id: String,
    },
    /// An item changed since the batch was planned.
    #[error("item `{id}` is at version {current}, not {seen}, since the batch was planned")]
    Moved {
        /// The id.
        id: String,
        /// The version that the plan saw.
        seen: usize,
        /// The version now.
        current: usize,
    },
    /// A row could not be made.
    #[error("row {index}: {source}")]
    Row {
        /// The row, from 0.
        index: usize,
        /// Why.
        source: WriteError,
    },
    /// A row could not be made, and what was written before could not be undone as a whole. The next batch tries again.
    #[error("row {index}: {source}; the rows before could not all be undone: {undo}")]
    HalfDone {
        /// The row, from 0.
        index: usize,
        /// Why.
        source: Box<WriteError>,
        /// Why undoing failed.
        undo: Box<WriteError>,
    },
    /// The batch as a whole could not begin.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<Refusal> for BatchError {
    fn from(refusal: Refusal) -> Self {
        Self::Write(refusal.into())
    }
}
