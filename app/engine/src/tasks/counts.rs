//! What became of tasks, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use pm_mcp_domain::task::{Task, TaskStatus};

/// What became of tasks since this process began, as it stored them; all but `at_work` only ever grow.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct TaskCounts {
    /// Tasks that this process works on.
    pub(crate) at_work: u64,
    /// Tasks that were created.
    pub(crate) created: u64,
    /// How often one began to wait for its client.
    pub(crate) input_required: u64,
    /// Tasks that completed.
    pub(crate) completed: u64,
    /// Tasks that failed.
    pub(crate) failed: u64,
    /// Tasks that were cancelled.
    pub(crate) cancelled: u64,
    /// Tasks that were removed at the end of their lifetime.
    pub(crate) removed: u64,
}

/// The numbers while they are counted.
#[derive(Default, Debug)]
pub(super) struct Tally {
    created: AtomicU64,
    input_required: AtomicU64,
    completed: AtomicU64,
    failed: AtomicU64,
    cancelled: AtomicU64,
    removed: AtomicU64,
}

impl Tally {
    pub(super) fn created(&self) {
        more(&self.created);
    }

    /// A task was stored as `next`, or removed.
    pub(super) fn stored(&self, before: &Task, next: Option<&Task>) {
        let Some(next) = next else { return more(&self.removed) };
        if before.status() == next.status() {
            return;
        }
        match next.status() {
            TaskStatus::Working => {}
            TaskStatus::InputRequired => more(&self.input_required),
            TaskStatus::Completed => more(&self.completed),
            TaskStatus::Failed => more(&self.failed),
            TaskStatus::Cancelled => more(&self.cancelled),
        }
    }

    /// The numbers of this moment, with so many tasks at work.
    pub(super) fn snapshot(&self, at_work: usize) -> TaskCounts {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        TaskCounts {
            at_work: u64::try_from(at_work).unwrap_or(u64::MAX),
            created: read(&self.created),
            input_required: read(&self.input_required),
            completed: read(&self.completed),
            failed: read(&self.failed),
            cancelled: read(&self.cancelled),
            removed: read(&self.removed),
        }
    }
}

/// It orders nothing: the numbers are for people to read.
fn more(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}
