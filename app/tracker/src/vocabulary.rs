//! The words that schemas of arguments list.

use std::collections::BTreeMap;

use pm_tracker_domain::WorkspaceSchema;
use serde_json::{Value, json};

use crate::tracker::Tracker;

/// Names of workspaces, statuses and types, over all workspaces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Vocabulary {
    /// Workspaces, the default one first.
    pub workspaces: Vec<String>,
    /// Statuses and their aliases.
    pub statuses: Vec<String>,
    /// Types and their aliases.
    pub types: Vec<String>,
    /// Custom fields with the schemas of their values. A field that several workspaces have in different ways takes any
    /// value here; each workspace checks its own.
    pub fields: BTreeMap<String, Value>,
}

impl Vocabulary {
    /// Gathers the words of all workspaces. One that cannot be read has the built-in ones.
    pub async fn gather(tracker: &Tracker) -> Self {
        let mut vocabulary = Self::default();
        for workspace in tracker.workspaces() {
            vocabulary.workspaces.push(workspace.name().to_owned());
            match workspace.view().await {
                Ok(view) => vocabulary.take(&view.snapshot().schema),
                Err(_) => vocabulary.take(&WorkspaceSchema::default()),
            }
        }
        vocabulary
    }

    fn take(&mut self, schema: &WorkspaceSchema) {
        for status in schema.statuses().iter() {
            add(&mut self.statuses, std::iter::once(&status.id).chain(&status.aliases));
        }
        for field in schema.fields() {
            let own = field.json_schema();
            let usable = if is_usable(&own) { own } else { json!({}) };
            let known = self.fields.entry(field.key.clone()).or_insert_with(|| usable.clone());
            if *known != usable {
                *known = json!({});
            }
        }
        for known in schema.types() {
            add(&mut self.types, std::iter::once(&known.name).chain(&known.aliases));
        }
    }
}

/// Whether a value schema can be part of a tool's. One that cannot must not stop the server; its workspace is told by
/// the checks.
fn is_usable(schema: &Value) -> bool {
    pm_mcp::check_schema(schema, &pm_mcp::SchemaLimits::default()).is_ok()
}

fn add<'n>(list: &mut Vec<String>, names: impl Iterator<Item = &'n String>) {
    for name in names {
        if !list.contains(name) {
            list.push(name.clone());
        }
    }
}
