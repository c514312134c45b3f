//! From a difference to what subscribers hear.

use std::collections::BTreeSet;
use std::sync::Arc;

use pm_mcp::Change;
use pm_tracker_domain::WorkspaceSchema;

use super::difference::Difference;
use crate::resources::{AGENT_GUIDE, CLAIMS, CONTEXT, FOCUS, NEXT, SCHEMA, uri};
use crate::tracker::Tracker;
use crate::workspace::Workspace;

/// From this many files on, a difference is announced as a whole: a checkout or a merge.
pub(super) const MANY_FILES: usize = 201;

/// Changes in the order in which they are to be announced, none of them twice.
#[derive(Debug)]
pub(super) struct Announcement<'w> {
    tracker: &'w Tracker,
    workspace: &'w Workspace,
    said: BTreeSet<String>,
    list_changed: bool,
    changes: Vec<Change>,
}

impl<'w> Announcement<'w> {
    pub(super) const fn new(tracker: &'w Tracker, workspace: &'w Workspace) -> Self {
        Self { tracker, workspace, said: BTreeSet::new(), list_changed: false, changes: Vec::new() }
    }

    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes
    }

    /// A resource that every workspace has.
    pub(super) fn fixed(&mut self, path: &str) {
        self.updated(uri::uri(self.tracker, self.workspace, path));
    }

    /// Everything that a workspace as a whole shows.
    pub(super) fn whole(&mut self) {
        self.resource_list();
        for path in [CONTEXT, NEXT, FOCUS, CLAIMS, SCHEMA, AGENT_GUIDE] {
            self.fixed(path);
        }
    }

    /// What follows from a difference between snapshots; tools are not spoken of here.
    pub(super) fn difference(&mut self, difference: &Difference, schema: &WorkspaceSchema) {
        if difference.files() >= MANY_FILES {
            self.whole();
        }
        for (id, change) in &difference.items {
            self.updated(uri::item_uri(self.tracker, self.workspace, id));
            if change.body {
                self.updated(uri::item_part_uri(self.tracker, self.workspace, id, "body"));
            }
            self.updated(uri::item_part_uri(self.tracker, self.workspace, id, "history"));
            if change.queue {
                self.fixed(CONTEXT);
                self.fixed(NEXT);
            }
            for status in &change.statuses {
                self.list(status, schema);
            }
            if change.claim {
                self.fixed(CLAIMS);
            }
            if change.listing {
                self.resource_list();
            }
        }
        for id in &difference.histories {
            // An item in full says how many changes it has seen.
            self.updated(uri::item_uri(self.tracker, self.workspace, id));
            self.updated(uri::item_part_uri(self.tracker, self.workspace, id, "history"));
        }
        if difference.schema {
            self.fixed(SCHEMA);
        }
    }

    /// Lists are read by any spelling of their status, and URIs are compared as they are written.
    fn list(&mut self, status: &str, schema: &WorkspaceSchema) {
        let known = schema.statuses().iter().find(|known| known.id == status);
        for spelling in std::iter::once(status)
            .chain(known.iter().flat_map(|known| known.aliases.iter().map(String::as_str)))
        {
            self.updated(uri::list_uri(self.tracker, self.workspace, spelling));
        }
    }

    fn resource_list(&mut self) {
        if !std::mem::replace(&mut self.list_changed, true) {
            self.changes.push(Change::ResourcesListChanged);
        }
    }

    fn updated(&mut self, uri: String) {
        if !self.said.contains(&uri) {
            self.changes.push(Change::ResourceUpdated { uri: Arc::from(uri.as_str()) });
            self.said.insert(uri);
        }
    }
}
