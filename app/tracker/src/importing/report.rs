//! What an import came to.

use schemars::JsonSchema;
use serde::Serialize;

/// What an import came to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct ImportReport {
    /// The format that was read.
    pub format: String,
    /// How many entries were read.
    pub read: usize,
    /// Items that were made; with `dryRun`, that would be.
    pub created: Vec<ImportedItem>,
    /// Entries that were left out.
    pub skipped: Vec<ImportSkipped>,
    /// Entries that seem to repeat an item, and what was decided.
    pub duplicates: Vec<ImportDuplicate>,
    /// What could not be read or made.
    pub errors: Vec<ImportError>,
}

/// An item that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct ImportedItem {
    /// Full id; absent with `dryRun`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The title.
    pub title: String,
    /// Its id or place in the text.
    pub from: String,
}

/// An entry that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct ImportSkipped {
    /// The title.
    pub title: String,
    /// Its id or place in the text.
    pub from: String,
    /// Why.
    pub reason: String,
}

/// An entry that seems to repeat an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct ImportDuplicate {
    /// The title.
    pub title: String,
    /// Its id or place in the text.
    pub from: String,
    /// The items, likeliest first.
    pub of: Vec<String>,
    /// `create`, `skip`, or with `dryRun` `ask`.
    pub decision: &'static str,
}

/// What could not be read or made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct ImportError {
    /// Its id or place in the text.
    pub from: String,
    /// What is wrong.
    pub detail: String,
}
