//! One item in a line.

use std::collections::BTreeMap;

use pm_tracker_domain::{Item, WorkspaceSchema};
use schemars::JsonSchema;
use serde::Serialize;

/// The fields of an item that every list shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct ItemRow {
    /// Full id.
    pub id: String,
    /// Type name.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Status id.
    pub status: String,
    /// 0 (first) to 4 (last).
    pub priority: u8,
    /// Title.
    pub title: String,
    /// Id of the parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Who holds the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Last change, RFC 3339.
    pub updated_at: String,
    /// Number of history entries.
    pub version: usize,
}

impl ItemRow {
    /// The keys of a row, in its order.
    pub(crate) const KEYS: [&str; 10] =
        ["id", "type", "status", "priority", "title", "parent", "assignee", "tags", "updated_at", "version"];

    /// The row of an item whose history has `version` entries.
    #[must_use]
    pub fn new(item: &Item, version: usize, schema: &WorkspaceSchema) -> Self {
        Self {
            id: item.id().to_owned(),
            type_name: item.type_name().to_owned(),
            status: schema.statuses().canonical(item.status()).unwrap_or(item.status()).to_owned(),
            priority: item.priority(),
            title: item.title().to_owned(),
            parent: item.parent().map(str::to_owned),
            assignee: item.assignee().map(str::to_owned),
            tags: item.tags().map(str::to_owned).collect(),
            updated_at: item.updated_at().to_owned(),
            version,
        }
    }
}

/// Rows by id.
#[derive(Debug, Clone, Default)]
pub struct Rows(BTreeMap<String, ItemRow>);

impl Rows {
    pub(crate) fn new(rows: impl IntoIterator<Item = ItemRow>) -> Self {
        Self(rows.into_iter().map(|row| (row.id.clone(), row)).collect())
    }

    /// The row of an id.
    #[must_use]
    pub fn row(&self, id: &str) -> Option<ItemRow> {
        self.0.get(id).cloned()
    }

    /// The rows of some ids, in their order.
    pub fn list<'i>(&self, ids: impl IntoIterator<Item = &'i String>) -> Vec<ItemRow> {
        ids.into_iter().filter_map(|id| self.row(id)).collect()
    }
}
