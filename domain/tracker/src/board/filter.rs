//! Filters that lists, search and the queues share.

use std::collections::BTreeSet;

use super::store::{Board, Entry};
use crate::graph::{Node, Relation};
use crate::{Item, Timestamp};

/// Whom an item must be held by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an item is held by somebody or by nobody")]
pub enum Assignment {
    /// By nobody.
    Nobody,
    /// By this one, exactly as written.
    To(String),
}

/// What items must be like. An empty list or `None` lets everything through; a list lets through whatever fits one of
/// its entries; all parts must agree.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ItemFilter {
    /// Status ids or aliases.
    pub statuses: Vec<String>,
    /// Type names or aliases.
    pub types: Vec<String>,
    /// Tags, in any letter case.
    pub tags: Vec<String>,
    /// Priorities.
    pub priorities: Vec<u8>,
    /// The full id of the direct parent.
    pub parent: Option<String>,
    /// The full id of an item somewhere above.
    pub within: Option<String>,
    /// Who holds the item.
    pub assignee: Option<Assignment>,
    /// Only items changed later than this.
    pub updated_after: Option<Timestamp>,
}

impl Board {
    /// The items that pass a filter, in ranking order.
    #[must_use]
    pub fn filtered(&self, filter: &ItemFilter) -> Vec<&Item> {
        let gate = Gate::new(self, filter);
        self.entries_ranked().filter(|entry| gate.lets(entry)).map(|entry| &*entry.item).collect()
    }

    /// Which of some ids pass a filter, in the order given; ids of no item do not.
    #[must_use]
    pub fn filtered_ids<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
        filter: &ItemFilter,
    ) -> Vec<&'i str> {
        let gate = Gate::new(self, filter);
        ids.into_iter().filter(|id| self.entry(id).is_some_and(|entry| gate.lets(entry))).collect()
    }
}

/// A filter made ready: aliases resolved and the subtree walked once.
pub(super) struct Gate<'b, 'f> {
    board: &'b Board,
    filter: &'f ItemFilter,
    statuses: BTreeSet<String>,
    types: BTreeSet<String>,
    tags: BTreeSet<String>,
    within: Option<BTreeSet<Node>>,
}

impl<'b, 'f> Gate<'b, 'f> {
    pub(super) fn new(board: &'b Board, filter: &'f ItemFilter) -> Self {
        let within = filter.within.as_deref().map(|id| board.nodes_below(id).into_iter().collect());
        Self {
            statuses: filter.statuses.iter().map(|status| status_id(board, status)).collect(),
            types: filter.types.iter().map(|name| type_id(board, name)).collect(),
            tags: filter.tags.iter().map(|tag| tag.trim().to_lowercase()).collect(),
            board,
            filter,
            within,
        }
    }

    pub(super) fn lets(&self, entry: &Entry) -> bool {
        let item = &entry.item;
        let filter = self.filter;
        (filter.priorities.is_empty() || filter.priorities.contains(&item.priority()))
            && self.within.as_ref().is_none_or(|below| below.contains(&entry.node))
            && (self.statuses.is_empty() || self.statuses.contains(&status_id(self.board, item.status())))
            && (self.types.is_empty() || self.types.contains(&type_id(self.board, item.type_name())))
            && (self.tags.is_empty() || item.tags().any(|tag| self.tags.contains(&tag.to_lowercase())))
            && filter.parent.as_deref().is_none_or(|parent| self.has_parent(entry, parent))
            && match &filter.assignee {
                None => true,
                Some(Assignment::Nobody) => item.assignee().is_none(),
                Some(Assignment::To(name)) => item.assignee() == Some(name.as_str()),
            }
            && filter.updated_after.is_none_or(|bound| {
                Timestamp::parse(item.updated_at()).is_some_and(|updated| updated > bound)
            })
    }

    fn has_parent(&self, entry: &Entry, parent: &str) -> bool {
        let graph = self.board.graph();
        graph.targets(entry.node, &Relation::Parent).any(|node| graph.id(node) == parent)
    }
}

fn status_id(board: &Board, status: &str) -> String {
    let known = board.schema().statuses().canonical(status);
    known.map_or_else(|| status.trim().to_lowercase(), str::to_owned)
}

fn type_id(board: &Board, name: &str) -> String {
    board.schema().item_type(name).map_or(name.trim(), |known| known.name.as_str()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::{board, items};

    #[test]
    fn each_part_of_a_filter_narrows_by_itself_and_all_together() {
        let items = items(json!([
            {"id": "e", "type": "Epic", "priority": 0},
            {"id": "f", "parent": "e", "type": "Feature", "tags": ["ui", "api"], "assignee": "mira"},
            {"id": "t", "parent": "f", "tags": ["api"], "status": "in-progress", "priority": 1,
                "updated_at": "2026-03-01T00:00:00.000Z"},
            {"id": "x", "status": "closed", "updated_at": "never"},
        ]));
        let board = board(&items);
        let text = |list: &[&str]| list.iter().map(|entry| (*entry).to_owned()).collect::<Vec<_>>();
        let any = ItemFilter::default;
        let cases = [
            ("nothing", any(), vec!["t", "e", "f", "x"]),
            (
                "status alias",
                ItemFilter { statuses: text(&["In_Progress", "closed"]), ..any() },
                vec!["t", "x"],
            ),
            ("type", ItemFilter { types: text(&["task"]), ..any() }, vec!["t", "x"]),
            ("one of the tags", ItemFilter { tags: text(&["UI", "none"]), ..any() }, vec!["f"]),
            ("priority", ItemFilter { priorities: vec![0, 1], ..any() }, vec!["t", "e"]),
            ("direct parent", ItemFilter { parent: Some("e".to_owned()), ..any() }, vec!["f"]),
            ("subtree", ItemFilter { within: Some("e".to_owned()), ..any() }, vec!["t", "f"]),
            ("subtree of nothing", ItemFilter { within: Some("no".to_owned()), ..any() }, vec![]),
            ("holder", ItemFilter { assignee: Some(Assignment::To("mira".to_owned())), ..any() }, vec!["f"]),
            ("no holder", ItemFilter { assignee: Some(Assignment::Nobody), ..any() }, vec!["t", "e", "x"]),
            ("later than", ItemFilter { updated_after: Timestamp::parse("2026-01-01"), ..any() }, vec!["t"]),
            (
                "two parts",
                ItemFilter { tags: text(&["api"]), within: Some("f".to_owned()), ..any() },
                vec!["t"],
            ),
        ];
        for (what, filter, wanted) in cases {
            let found: Vec<&str> = board.filtered(&filter).into_iter().map(Item::id).collect();
            assert_eq!(found, wanted, "{what}");
        }
        let filter = ItemFilter { types: text(&["Task"]), ..any() };
        assert_eq!(board.filtered_ids(["x", "gone", "e", "t"], &filter), ["x", "t"]);
    }
}
