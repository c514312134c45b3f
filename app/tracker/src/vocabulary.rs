//! The words that schemas of arguments list.

use crate::tracker::Tracker;
use pm_tracker_domain::WorkspaceSchema;

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
        for known in schema.types() {
            add(&mut self.types, std::iter::once(&known.name).chain(&known.aliases));
        }
    }
}

fn add<'n>(list: &mut Vec<String>, names: impl Iterator<Item = &'n String>) {
    for name in names {
        if !list.contains(name) {
            list.push(name.clone());
        }
    }
}
