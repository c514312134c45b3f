//! What a task store gives back, and how lists of it are paged.

use std::fmt;
use std::fmt::Debug;
use std::num::NonZeroUsize;

use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;

/// What a store's `Ok` survives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// The end of the process, killed or not, and the loss of power.
    Durable,
    /// Nothing beyond the process.
    Volatile,
}

/// Tells one write of a record from every other one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Revision(u64);

impl Revision {
    /// The revision with this number; for stores, which choose the numbers.
    pub const fn from_u64(number: u64) -> Self {
        Self(number)
    }

    /// The revision's number.
    pub const fn as_u64(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

/// A record as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The record.
    pub record: TaskRecord,
    /// The write that it comes from.
    pub revision: Revision,
}

/// Which part of a list is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page<P> {
    /// The place of the last record that was seen; `None` for the beginning.
    pub after: Option<P>,
    /// How many records at the most.
    pub size: NonZeroUsize,
}

impl<P> Page<P> {
    /// The first page.
    pub const fn first(size: NonZeroUsize) -> Self {
        Self { after: None, size }
    }

    /// The page of the same size that follows the record at `place`.
    #[must_use]
    pub fn following(&self, place: P) -> Self {
        Self { after: Some(place), size: self.size }
    }
}

/// The place of a record in the list of what is due.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DuePlace {
    /// When the record is due.
    pub due: Timestamp,
    /// The record's id.
    pub id: TaskId,
}

impl DuePlace {
    /// The place of a record; `None` for one that is never due.
    pub fn of(record: &TaskRecord) -> Option<Self> {
        record.due.map(|due| Self { due, id: record.id.clone() })
    }
}
