//! The port by which the tracker changes a workspace.

use core::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_tracker_domain::change::World;
use pm_tracker_domain::check::Repair;
use pm_tracker_domain::{Signature, Timestamp};

use crate::batch::{Batch, BatchDone, BatchError, BatchOutcome};
use crate::write::{Edit, WriteError, Written};

/// A mechanical repair of one item.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct RepairOrder {
    /// The class of repair.
    pub repair: Repair,
    /// The item; empty for [`Repair::UndoBatch`], which concerns several.
    pub id: String,
    /// The path that the finding names: the dead link for [`Repair::RemoveDeadLink`].
    pub path: Option<String>,
    /// Who repairs.
    pub by: Signature,
    /// The other items.
    pub world: Arc<World>,
    /// The time.
    pub now: Timestamp,
    /// Whether stale locks are removed.
    pub force: bool,
}

/// Changes one workspace.
///
/// Laws that hold for every method:
/// - `WW-01`: a change is decided against what is there under the item's lock, so of two writers each sees the other's
///   whole change or none of it.
/// - `WW-02`: `Ok` means durable.
/// - `WW-03`: after a stop at any moment an item is in its old or its new state, and its history leads to one of the two.
/// - `WW-04`: what the format does not know survives every change.
/// - `WW-05`: dropping the future does not stop what has begun; it ends as a whole or not at all.
/// - `WW-06`: nothing outside the tracker root is written, whatever names and links say.
/// - `WW-07`: the calling thread is not blocked by file work.
///
/// Not promised: that [`World`] is still what it was when the change is made. What depends on other items is decided by
/// it all the same.
#[async_trait]
pub trait WorkspaceWriter: Debug + Send + Sync + 'static {
    /// Makes one change.
    ///
    /// - `WW-10`: a change that comes to nothing writes nothing and leaves the version as it is.
    /// - `WW-11`: a change that is written adds exactly one entry to the item's history.
    ///
    /// # Errors
    /// [`WriteError`]; nothing was written unless it says so.
    async fn edit(&self, edit: Edit) -> Result<Written, WriteError>;

    /// Makes several changes in order, all or none.
    ///
    /// - `WW-20`: the same name again gives the recorded outcome and writes nothing.
    /// - `WW-21`: an item that changed since the batch was planned stops it before anything is written.
    /// - `WW-22`: when a row fails, the rows before it are undone in reverse; history keeps both.
    /// - `WW-23`: a batch that was stopped half-way is undone before the next one begins.
    ///
    /// # Errors
    /// [`BatchError`]; what was written was undone unless it says so.
    async fn batch(&self, batch: Batch) -> Result<BatchDone, BatchError>;

    /// The outcome recorded under the name of a batch, if it was made as a whole.
    ///
    /// # Errors
    /// [`BatchError::UnusableName`], or [`BatchError::Write`] if the record cannot be read.
    async fn recorded(&self, transaction_id: &str) -> Result<Option<BatchOutcome>, BatchError>;

    /// The journals of batches that were begun and never ended, relative to the tracker root. One of a batch that runs at
    /// this moment is among them.
    ///
    /// # Errors
    /// [`WriteError::Unavailable`] if the writer itself failed.
    async fn unfinished(&self) -> Result<Vec<String>, WriteError>;

    /// Makes one mechanical repair. [`Repair::UndoBatch`] undoes every batch that was stopped, and none that runs. Gives in words what was done; `None` if there was nothing to repair any more.
    ///
    /// # Errors
    /// As [`WorkspaceWriter::edit`].
    async fn repair(&self, order: RepairOrder) -> Result<Option<String>, WriteError>;

    /// Sets or clears the focused item. Everything else in the session file stays.
    ///
    /// # Errors
    /// [`WriteError::ReadOnly`] if the session file cannot be understood, [`WriteError::Storage`] if the system refuses.
    async fn focus(&self, id: Option<&str>) -> Result<(), WriteError>;
}
