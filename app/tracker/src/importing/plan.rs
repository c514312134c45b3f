//! Which entries are new.

use std::collections::BTreeMap;

use pm_tracker_domain::change::{Likeness, World, likely_duplicates};
use pm_tracker_domain::import::{Draft, Drafts, ImportFormat};

use super::report::{ImportError, ImportSkipped};

/// Most items that an entry is said to repeat.
const LIKE_MAX: usize = 3;

/// Entries, parted by what is to be done with them.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) read: usize,
    /// Entries to make, and those that seem to repeat items.
    pub(super) entries: Vec<Entry>,
    pub(super) skipped: Vec<ImportSkipped>,
    pub(super) errors: Vec<ImportError>,
    /// Ids of items that are there already, by what the text calls them.
    pub(super) known: BTreeMap<String, String>,
}

/// An entry that is not there yet.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) draft: Draft,
    /// What it seems to repeat.
    pub(super) like: Vec<Likeness>,
}

/// What an entry is called in reports.
pub(super) fn called(draft: &Draft, format: ImportFormat) -> String {
    match (&draft.reference, format) {
        (Some(reference), _) => reference.clone(),
        (None, ImportFormat::Items) => format!("entry {}", draft.place),
        (None, ImportFormat::Todos | ImportFormat::Beads) => format!("line {}", draft.place),
    }
}

/// Looks at a world with every draft in mind. Blocks for as long as that takes.
pub(super) fn plan(format: ImportFormat, drafts: Drafts, world: &World) -> Plan {
    let threshold = world.settings().governance.duplicate_threshold;
    let imported: BTreeMap<&str, &str> =
        world.board().items().filter_map(|item| Some((item.text("external_ref")?, item.id()))).collect();
    let mut plan = Plan { read: drafts.drafts.len(), ..Plan::default() };
    for fault in drafts.faults {
        plan.errors.push(ImportError { from: format!("line {}", fault.place), detail: fault.detail });
    }
    for draft in drafts.drafts {
        let from = called(&draft, format);
        let existing = draft.reference.as_deref().filter(|_| format != ImportFormat::Todos);
        let by_id = existing.and_then(|id| world.item(id)).map(|item| item.id());
        let by_origin = existing.and_then(|id| imported.get(id).copied());
        if let Some(id) = by_id.or(by_origin) {
            let reason = format!("is there already, as {id}");
            if let Some(reference) = &draft.reference {
                plan.known.insert(reference.clone(), id.to_owned());
            }
            plan.skipped.push(ImportSkipped { title: draft.title, from, reason });
            continue;
        }
        let like = likely_duplicates(&draft.title, world, threshold, LIKE_MAX);
        plan.entries.push(Entry { draft, like });
    }
    plan
}
