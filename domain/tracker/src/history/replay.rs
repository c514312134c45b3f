//! What an item was at a version or at a time.

use serde_json::{Map, Value, json};
use thiserror::Error;

use super::{
    entry::HistoryEntry,
    patch::{self, PatchError, Touched},
};
use crate::{
    item::{Item, ItemError},
    time::Timestamp,
};

/// The point of an item's history that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a history has no third kind of point")]
pub enum At {
    /// After so many entries, from 1.
    Version(usize),
    /// After the last entry that is not later.
    Time(Timestamp),
}

/// Why an item has no state at a point.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The stream has no such version.
    #[error("version {asked} does not exist; the history has versions 1 to {known}")]
    UnknownVersion {
        /// The version asked for.
        asked: usize,
        /// The number of entries.
        known: usize,
    },
    /// The item did not exist yet.
    #[error("the item did not exist at {asked}")]
    NotYet {
        /// The time asked for.
        asked: Timestamp,
    },
    /// An entry cannot be applied.
    #[error("entry {version} of the history cannot be applied: {source}")]
    Patch {
        /// The entry, from 1.
        version: usize,
        /// What went wrong.
        source: PatchError,
    },
}

/// A document under replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    document: Value,
    copies_left: usize,
}

impl Default for Replay {
    fn default() -> Self {
        Self::new()
    }
}

impl Replay {
    /// Starts from the empty document.
    #[must_use]
    pub fn new() -> Self {
        Self { document: json!({"metadata": {}, "body": ""}), copies_left: patch::MAX_COPIED }
    }

    /// Applies one entry.
    ///
    /// # Errors
    /// [`PatchError`] for the first operation that cannot be applied; those before it stay applied.
    pub fn apply(&mut self, entry: &HistoryEntry) -> Result<(), PatchError> {
        self.apply_reporting(entry, &mut |_| {})
    }

    pub(super) fn apply_reporting(
        &mut self,
        entry: &HistoryEntry,
        report: &mut dyn FnMut(Touched),
    ) -> Result<(), PatchError> {
        for (index, operation) in entry.patch().iter().enumerate() {
            patch::apply(&mut self.document, operation, index, &mut self.copies_left, report)?;
        }
        Ok(())
    }

    /// The metadata; `None` if patches left something else than an object.
    #[must_use]
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        self.document.get("metadata").and_then(Value::as_object)
    }

    /// The body; empty if patches left something else than text.
    #[must_use]
    pub fn body(&self) -> &str {
        self.document.get("body").and_then(Value::as_str).unwrap_or_default()
    }

    /// The state as that of a version, whose last entry was made then.
    #[must_use]
    pub fn into_replayed(self, version: usize, ts: String) -> Replayed {
        let (metadata, body) = self.into_parts();
        Replayed { version, ts, metadata, body }
    }

    fn into_parts(mut self) -> (Map<String, Value>, String) {
        let mut take = |key: &str| self.document.get_mut(key).map(Value::take);
        let metadata = match take("metadata") {
            Some(Value::Object(metadata)) => metadata,
            Some(_) | None => Map::new(),
        };
        let body = match take("body") {
            Some(Value::String(body)) => body,
            Some(_) | None => String::new(),
        };
        (metadata, body)
    }
}

/// An item as it was.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Replayed {
    /// The number of entries replayed.
    pub version: usize,
    /// When the last of them was made, RFC 3339.
    pub ts: String,
    /// The metadata then; empty if the item was deleted.
    pub metadata: Map<String, Value>,
    /// The body then.
    pub body: String,
}

impl Replayed {
    /// Whether the item was deleted at that point.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.metadata.is_empty() && self.body.is_empty()
    }

    /// The state as an item.
    ///
    /// # Errors
    /// [`ItemError`] if the state lacks what every item has, as deleted and very old ones do.
    pub fn into_item(self) -> Result<Item, ItemError> {
        Item::new(self.metadata, self.body)
    }
}

/// Replays a history up to a point.
///
/// # Errors
/// [`ReplayError::UnknownVersion`] and [`ReplayError::NotYet`] for points outside the history,
/// [`ReplayError::Patch`] for an entry that cannot be applied.
pub fn replay(entries: &[HistoryEntry], at: At) -> Result<Replayed, ReplayError> {
    let known = entries.len();
    let version = match at {
        At::Version(asked) if asked == 0 || asked > known => {
            return Err(ReplayError::UnknownVersion { asked, known });
        }
        At::Version(asked) => asked,
        At::Time(asked) => {
            let not_later = |entry: &HistoryEntry| entry.time().is_some_and(|time| time <= asked);
            entries.iter().rposition(not_later).map(|at| at + 1).ok_or(ReplayError::NotYet { asked })?
        }
    };
    let mut state = Replay::new();
    let mut ts = "";
    for (at, entry) in entries.iter().take(version).enumerate() {
        state.apply(entry).map_err(|source| ReplayError::Patch { version: at + 1, source })?;
        ts = entry.ts();
    }
    Ok(state.into_replayed(version, ts.to_owned()))
}
