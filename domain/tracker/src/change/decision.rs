//! What a change comes to.

use super::document::Document;
use crate::{
    Item,
    history::{ReplayError, Replayed},
    time::Timestamp,
};

/// What is there when a change is decided, under the item's lock.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that writers fill in")]
pub struct Present<'a> {
    /// The full id.
    pub id: &'a str,
    /// The item; `None` if there is none, or none any more.
    pub item: Option<&'a Item>,
    /// The number of history entries, which is the item's version.
    pub version: usize,
    /// The state at the version that [`Change::earlier_version`](super::Change::earlier_version) asks for, if any.
    pub earlier: Option<&'a Result<Replayed, ReplayError>>,
    /// The time.
    pub now: Timestamp,
}

/// What becomes of an item.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "writers must serve every outcome")]
pub enum Next {
    /// Nothing is written.
    Unchanged,
    /// This document is written.
    Document(Document),
    /// The history alone is led to what the file holds already.
    Adopted,
    /// The file is removed.
    Deleted,
}

/// What a change comes to.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "writers take it apart")]
pub struct Decision {
    /// What becomes of the item.
    pub next: Next,
    /// The operation's name in history.
    pub op: &'static str,
    /// Why, for history.
    pub message: Option<String>,
    /// What the caller should know, as `code: words`.
    pub warnings: Vec<String>,
}

impl Decision {
    pub(super) const fn new(op: &'static str, next: Next) -> Self {
        Self { next, op, message: None, warnings: Vec::new() }
    }

    pub(super) fn because(mut self, reason: Option<&str>) -> Self {
        self.message = reason.map(str::to_owned);
        self
    }

    pub(super) fn warned(mut self, warnings: impl IntoIterator<Item = String>) -> Self {
        self.warnings.extend(warnings);
        self
    }
}
