//! One line of a history stream.

use serde_json::{Map, Value};
use thiserror::Error;

use crate::{canonical::canonical_hash, time::Timestamp};

/// Why a line is no history entry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The line is not a JSON object.
    #[error("the line is not a JSON object: {detail}")]
    NotJson {
        /// What the parser met.
        detail: String,
    },
    /// A key that replay or verification needs is absent or has another type.
    #[error("`{key}` is missing or not {expected}")]
    Unusable {
        /// The key.
        key: &'static str,
        /// What it must be, in words.
        expected: &'static str,
    },
}

/// One entry: who changed what, how, and the hashes before and after. Unknown keys are kept, in stored order.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryEntry {
    members: Map<String, Value>,
}

impl HistoryEntry {
    /// Reads one line.
    ///
    /// # Errors
    /// [`EntryError::NotJson`] for torn and foreign lines, [`EntryError::Unusable`] for an object without the keys
    /// that every entry has.
    pub fn parse(line: &str) -> Result<Self, EntryError> {
        match serde_json::from_str(line) {
            Ok(Value::Object(members)) => Self::new(members),
            Ok(_) => Err(EntryError::NotJson { detail: "another value".to_owned() }),
            Err(error) => Err(EntryError::NotJson { detail: error.to_string() }),
        }
    }

    /// Takes the members of an entry.
    ///
    /// # Errors
    /// [`EntryError::Unusable`] if a key that every entry has is absent or has another type.
    pub fn new(members: Map<String, Value>) -> Result<Self, EntryError> {
        for key in ["ts", "author", "op", "before_hash", "after_hash"] {
            if !members.get(key).is_some_and(Value::is_string) {
                return Err(EntryError::Unusable { key, expected: "text" });
            }
        }
        if !members.get("patch").is_some_and(Value::is_array) {
            return Err(EntryError::Unusable { key: "patch", expected: "a list" });
        }
        match members.get("item_hash_version") {
            None | Some(Value::Null) => {}
            Some(version) if version.as_u64().is_some_and(|version| version > 0) => {}
            Some(_) => {
                return Err(EntryError::Unusable { key: "item_hash_version", expected: "a positive number" });
            }
        }
        Ok(Self { members })
    }

    /// When the change was made, RFC 3339.
    #[must_use]
    pub fn ts(&self) -> &str {
        self.required("ts")
    }

    /// When the change was made, if `ts` can be read.
    #[must_use]
    pub fn time(&self) -> Option<Timestamp> {
        Timestamp::parse(self.ts())
    }

    /// Who made the change; a label, not a principal.
    #[must_use]
    pub fn author(&self) -> &str {
        self.required("author")
    }

    /// What was done; any name is legal.
    #[must_use]
    pub fn op(&self) -> &str {
        self.required("op")
    }

    /// The RFC 6902 operations.
    #[must_use]
    pub fn patch(&self) -> &[Value] {
        self.members.get("patch").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Hash of the document before the change.
    #[must_use]
    pub fn before_hash(&self) -> &str {
        self.required("before_hash")
    }

    /// Hash of the document after the change.
    #[must_use]
    pub fn after_hash(&self) -> &str {
        self.required("after_hash")
    }

    /// The hash version, if the entry names one.
    #[must_use]
    pub fn item_hash_version(&self) -> Option<u64> {
        self.members.get("item_hash_version").and_then(Value::as_u64)
    }

    /// Why the change was made.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.members.get("message").and_then(Value::as_str)
    }

    /// What else belongs to the change.
    #[must_use]
    pub fn context(&self) -> Option<&Value> {
        self.members.get("context")
    }

    /// The hash over the entry itself, if its writer made one.
    #[must_use]
    pub fn record_hash(&self) -> Option<&str> {
        self.members.get("record_hash").and_then(Value::as_str)
    }

    /// The hash that `record_hash` must be: over the canonical JSON of the entry without that key.
    #[must_use]
    pub fn computed_record_hash(&self) -> String {
        let mut members = self.members.clone();
        members.shift_remove("record_hash");
        canonical_hash(&Value::Object(members))
    }

    /// All members, in stored order.
    #[must_use]
    pub const fn members(&self) -> &Map<String, Value> {
        &self.members
    }

    fn required(&self, key: &str) -> &str {
        self.members.get(key).and_then(Value::as_str).unwrap_or_default()
    }
}
