//! What is different between two snapshots.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_tracker_domain::ItemChange;
use pm_tracker_ports::WorkspaceSnapshot;

/// What is different between two snapshots of one workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Difference {
    /// Items whose file was made, changed or removed, by id.
    pub(super) items: BTreeMap<String, ItemChange>,
    /// Items whose history alone is longer or shorter, by id.
    pub(super) histories: Vec<String>,
    /// Whether settings or schema differ.
    pub(super) schema: bool,
}

impl Difference {
    pub(super) fn between(before: &WorkspaceSnapshot, after: &WorkspaceSnapshot) -> Self {
        let schema = &after.schema;
        let mut items = BTreeMap::new();
        for (id, file) in &after.items {
            match before.item(id) {
                // An item whose bytes are the same keeps its allocation.
                Some(known) if Arc::ptr_eq(known, &file.item) => {}
                known => {
                    let change = ItemChange::between(known.map(AsRef::as_ref), Some(&file.item), schema);
                    items.insert(id.clone(), change);
                }
            }
        }
        for (id, file) in &before.items {
            if !after.items.contains_key(id) {
                items.insert(id.clone(), ItemChange::between(Some(&file.item), None, schema));
            }
        }
        // The time of a stream's file says nothing of its content: a checkout sets it anew. Streams only grow, so
        // their size tells.
        let size = |snapshot: &WorkspaceSnapshot, id: &str| snapshot.streams.get(id).map(|facts| facts.bytes);
        let ids =
            after.streams.keys().chain(before.streams.keys().filter(|id| !after.streams.contains_key(*id)));
        let histories = ids
            .filter(|id| !items.contains_key(*id) && size(before, id) != size(after, id))
            .cloned()
            .collect();
        let same_words = before.settings == after.settings
            && before.schema == after.schema
            && before.settings_problem == after.settings_problem
            && before.schema_problems == after.schema_problems;
        Self { items, histories, schema: !same_words }
    }

    /// How many files differ.
    pub(super) fn files(&self) -> usize {
        self.items.len().saturating_add(self.histories.len())
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.files() == 0 && !self.schema
    }
}
