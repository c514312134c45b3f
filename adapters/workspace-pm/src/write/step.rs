//! The steps of writing, as something that watches sees them.

use std::{fmt, io};

/// A step that was just done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "tests stop a writer at each of them")]
pub enum WriteStep {
    /// A lock was taken.
    LockTaken,
    /// The item and its history were read.
    ItemRead,
    /// The new file lies beside the old one, flushed.
    FileStaged,
    /// The new file took the old one's place.
    FileReplaced,
    /// The file in another folder or form was removed.
    OldFileRemoved,
    /// The entry was appended, flushed.
    EntryAppended,
    /// The journal of a batch was written, flushed.
    JournalWritten,
    /// A lock was released.
    LockReleased,
}

impl WriteStep {
    /// Every step.
    pub const ALL: [Self; 8] = [
        Self::LockTaken,
        Self::ItemRead,
        Self::FileStaged,
        Self::FileReplaced,
        Self::OldFileRemoved,
        Self::EntryAppended,
        Self::JournalWritten,
        Self::LockReleased,
    ];
}

/// Hears of every step, on the thread that writes.
pub trait StepObserver: fmt::Debug + Send + Sync {
    /// A step was done.
    ///
    /// # Errors
    /// An error makes the step count as failed, as if the system had refused it; after [`WriteStep::LockReleased`] it
    /// has no effect.
    fn done(&self, step: WriteStep) -> io::Result<()>;
}

/// Nobody watches.
#[derive(Debug)]
pub(super) struct Unobserved;

impl StepObserver for Unobserved {
    fn done(&self, _step: WriteStep) -> io::Result<()> {
        Ok(())
    }
}
