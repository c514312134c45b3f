//! What a change of one item means for whoever looks at it or at the workspace.

use crate::board::Standing;
use crate::{Item, WorkspaceSchema};

/// Fields that decide what is done next.
const QUEUE_FIELDS: [&str; 8] =
    ["status", "assignee", "parent", "priority", "dependencies", "blocked_by", "deadline", "order"];

/// How an item differs from what it was. An absent one has just been made, was deleted, or became unreadable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ItemChange {
    /// Whether the body differs.
    pub body: bool,
    /// Whether the order of work may differ: status, assignee, parent, priority, dependencies, deadline or order.
    pub queue: bool,
    /// Whether a claim was taken or given back.
    pub claim: bool,
    /// Whether the item came to or left the list of unfinished ones.
    pub listing: bool,
    /// The ids of the statuses whose lists differ: the old and the new one, sorted.
    pub statuses: Vec<String>,
}

impl ItemChange {
    /// Compares two states of one item.
    #[must_use]
    pub fn between(before: Option<&Item>, after: Option<&Item>, schema: &WorkspaceSchema) -> Self {
        let standing = |item: &Item| Standing::of(item.status(), schema);
        let canonical =
            |item: &Item| schema.statuses().canonical(item.status()).unwrap_or(item.status()).to_owned();
        let sides = [before, after];
        let queue = match sides {
            [Some(before), Some(after)] => {
                QUEUE_FIELDS.iter().any(|field| before.field(field) != after.field(field))
            }
            [None | Some(_), _] => true,
        };
        let unfinished = |item: Option<&Item>| item.is_some_and(|item| standing(item) != Standing::Terminal);
        let in_progress =
            |item: Option<&Item>| item.is_some_and(|item| standing(item) == Standing::InProgress);
        let holder = |item: Option<&Item>| item.and_then(Item::assignee).map(str::to_owned);
        let mut statuses: Vec<String> = match queue {
            true => sides.into_iter().flatten().map(canonical).collect(),
            false => Vec::new(),
        };
        statuses.sort();
        statuses.dedup();
        Self {
            body: before.map(Item::body) != after.map(Item::body),
            queue,
            claim: holder(before) != holder(after) || in_progress(before) != in_progress(after),
            // An item that is made or removed in a finished state is no entry of the list, and is announced all
            // the same: the number of items is a fact that readers of the list keep.
            listing: unfinished(before) != unfinished(after) || before.is_some() != after.is_some(),
            statuses,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::item;

    fn change(before: serde_json::Value, after: serde_json::Value) -> ItemChange {
        ItemChange::between(Some(&item(before)), Some(&item(after)), &WorkspaceSchema::default())
    }

    #[test]
    fn a_new_title_concerns_nobody_but_its_readers() {
        let changed = change(json!({"title": "a"}), json!({"title": "b"}));
        assert_eq!(changed, ItemChange::default());
    }

    #[test]
    fn closing_moves_lists_and_gives_the_claim_back() {
        let changed = change(
            json!({"status": "in-progress", "assignee": "mira"}),
            json!({"status": "closed", "body": "Done."}),
        );
        assert!(changed.body && changed.queue && changed.claim && changed.listing);
        assert_eq!(changed.statuses, ["closed", "in_progress"]);
    }

    #[test]
    fn every_field_of_the_queue_counts() {
        for (field, value) in [
            ("priority", json!(0)),
            ("parent", json!("a-9")),
            ("deadline", json!("2026-04-01")),
            ("order", json!(2)),
            ("blocked_by", json!("a-3")),
            ("dependencies", json!([{"id": "a-2", "kind": "blocks"}])),
        ] {
            let changed = change(json!({}), json!({ field: value }));
            assert!(changed.queue && !changed.claim && !changed.listing, "{field}");
            assert_eq!(changed.statuses.len(), 1, "{field}");
        }
    }

    #[test]
    fn making_and_deleting_change_the_listing() {
        let made = ItemChange::between(None, Some(&item(json!({}))), &WorkspaceSchema::default());
        assert!(made.listing && made.queue && !made.claim);
        let held = item(json!({"assignee": "mira"}));
        let deleted = ItemChange::between(Some(&held), None, &WorkspaceSchema::default());
        assert!(deleted.listing && deleted.queue && deleted.claim && deleted.body);
    }
}
