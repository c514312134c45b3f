//! What a change is answered with.

use pm_tracker_domain::{Item, WorkspaceSchema};
use pm_tracker_ports::Written;
use schemars::JsonSchema;
use serde::Serialize;

/// What a change came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Receipt {
    /// Full id.
    pub id: String,
    /// The operation's name in history.
    pub op: String,
    /// Status id now.
    pub status: String,
    /// Number of history entries now; good for `ifVersion`.
    pub version: usize,
    /// Last change, RFC 3339.
    pub updated_at: String,
    /// Fields that differ; none if the item was as wanted already.
    pub changed_fields: Vec<String>,
    /// What the caller should know, as `code: words`.
    pub warnings: Vec<String>,
    /// Other items that were changed along.
    pub side_effects: Vec<SideEffect>,
}

/// Another item that was changed along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct SideEffect {
    /// Full id.
    pub id: String,
    /// The operation's name in history.
    pub op: String,
}

impl Receipt {
    pub(crate) fn new(written: Written, schema: &WorkspaceSchema) -> Self {
        let item: Option<&Item> = written.after.as_deref().or(written.before.as_deref());
        let status = item.map_or("", Item::status);
        Self {
            status: schema.statuses().canonical(status).unwrap_or(status).to_owned(),
            updated_at: item.map_or("", Item::updated_at).to_owned(),
            id: written.id,
            op: written.op,
            version: written.version,
            changed_fields: written.changed_fields,
            warnings: written.warnings,
            side_effects: Vec::new(),
        }
    }
}
