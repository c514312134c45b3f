//! What holds an item up.

use serde::Serialize;

use super::standing::Standing;
use super::store::{Board, Entry};
use crate::Item;
use crate::graph::{NO_ACTIVE_BLOCKER, Relation, names_an_item};

/// Why a blocker is not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a blocker is an item, no item, or words")]
pub enum BlockerState {
    /// The item exists and is not terminal.
    Open,
    /// There is no such item, so nobody can tell that it is done.
    Missing,
    /// The scalar `blocked_by` holds words instead of an id.
    Words,
}

/// Something that holds an item up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Blocker {
    /// The id, or the words of the scalar.
    pub id: String,
    /// Why it is not settled.
    pub state: BlockerState,
}

impl Board {
    /// What holds an item up: its scalar `blocked_by`, its own `blocked_by` edges and the `blocks` edges of others,
    /// as far as they are not settled. A blocker is settled only if the item exists and is terminal.
    #[must_use]
    pub fn open_blockers(&self, id: &str) -> Vec<Blocker> {
        self.entry(id).map_or_else(Vec::new, |entry| self.blockers_of(entry))
    }

    /// The items that are not terminal and wait for nothing but this one, in ranking order.
    #[must_use]
    pub fn unblocks(&self, id: &str) -> Vec<&Item> {
        let alone = |other: &&Item| self.open_blockers(other.id()).iter().all(|blocker| blocker.id == id);
        self.waiting_for(id).into_iter().filter(alone).collect()
    }

    /// The items that are not terminal and wait for this one, maybe among others, in ranking order.
    #[must_use]
    pub fn waiting_for(&self, id: &str) -> Vec<&Item> {
        let Some(entry) = self.entry(id) else { return Vec::new() };
        let mut waiting: Vec<&Entry> = self
            .graph()
            .sources(entry.node, &Relation::BlockedBy)
            .filter_map(|node| self.entry_of(node))
            .filter(|other| other.node != entry.node && other.key.standing != Standing::Terminal)
            .collect();
        waiting.sort_by_key(|other| other.rank);
        waiting.into_iter().map(|other| &*other.item).collect()
    }

    pub(super) fn blockers_of(&self, entry: &Entry) -> Vec<Blocker> {
        let graph = self.graph();
        let mut blockers: Vec<Blocker> = graph
            .targets(entry.node, &Relation::BlockedBy)
            .filter(|node| !graph.is_finished(*node))
            .map(|node| {
                let state =
                    if graph.facts(node).is_some() { BlockerState::Open } else { BlockerState::Missing };
                Blocker { id: graph.id(node).to_owned(), state }
            })
            .collect();
        let words = entry
            .item
            .blocked_by()
            .map(str::trim)
            .filter(|text| !text.is_empty() && !names_an_item(text) && *text != NO_ACTIVE_BLOCKER);
        blockers.extend(words.map(|text| Blocker { id: text.to_owned(), state: BlockerState::Words }));
        blockers
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::samples::{board, items};

    /// `x` as given, beside an open `o`, a closed `c` and a cancelled `k`.
    fn blockers(x: Value, blocks_x: Option<&str>) -> Vec<(String, BlockerState)> {
        let mut list =
            json!([{"id": "o"}, {"id": "c", "status": "closed"}, {"id": "k", "status": "cancelled"}]);
        for item in list.as_array_mut().unwrap() {
            if blocks_x == item["id"].as_str() {
                item["dependencies"] = json!([{"id": "x", "kind": "blocks"}]);
            }
        }
        let mut x = x;
        x["id"] = json!("x");
        list.as_array_mut().unwrap().push(x);
        let items = items(list);
        let board = board(&items);
        board.open_blockers("x").into_iter().map(|blocker| (blocker.id, blocker.state)).collect()
    }

    #[test]
    fn a_blocker_counts_until_it_exists_and_is_terminal() {
        use BlockerState::{Missing, Open, Words};
        let edge = |id: &str, kind: &str| json!({"dependencies": [{"id": id, "kind": kind}]});
        for (x, other, wanted) in [
            (json!({}), None, vec![]),
            (json!({"blocked_by": "o"}), None, vec![("o", Open)]),
            (json!({"blocked_by": "c"}), None, vec![]),
            (json!({"blocked_by": "k"}), None, vec![]),
            (json!({"blocked_by": "gone"}), None, vec![("gone", Missing)]),
            (json!({"blocked_by": "no-active-blocker"}), None, vec![]),
            (json!({"blocked_by": "vendor must answer"}), None, vec![("vendor must answer", Words)]),
            (edge("o", "blocked_by"), None, vec![("o", Open)]),
            (edge("o", "depends_on"), None, vec![("o", Open)]),
            (edge("c", "depends_on"), None, vec![]),
            (edge("gone", "blocked_by"), None, vec![("gone", Missing)]),
            (edge("o", "blocks"), None, vec![]),
            (edge("o", "related"), None, vec![]),
            (json!({}), Some("o"), vec![("o", Open)]),
            (json!({}), Some("c"), vec![]),
            (
                json!({"blocked_by": "o", "dependencies": [{"id": "o", "kind": "blocked_by"}]}),
                Some("o"),
                vec![("o", Open)],
            ),
        ] {
            let found = blockers(x.clone(), other);
            let found: Vec<(&str, BlockerState)> =
                found.iter().map(|(id, state)| (id.as_str(), *state)).collect();
            assert_eq!(found, wanted, "{x} {other:?}");
        }
    }

    #[test]
    fn an_item_unblocks_what_waits_for_it_alone() {
        let items = items(json!([
            {"id": "a"}, {"id": "b"},
            {"id": "both", "dependencies": [{"id": "a", "kind": "blocked_by"}, {"id": "b", "kind": "blocked_by"}]},
            {"id": "late", "blocked_by": "a", "priority": 3}, {"id": "soon", "blocked_by": "a", "status": "blocked"},
            {"id": "over", "blocked_by": "a", "status": "closed"},
            {"id": "words", "blocked_by": "the weather", "dependencies": [{"id": "a", "kind": "blocked_by"}]},
        ]));
        let board = board(&items);
        let unblocked: Vec<&str> = board.unblocks("a").into_iter().map(Item::id).collect();
        assert_eq!(unblocked, ["late", "soon"]);
        assert!(board.unblocks("b").is_empty() && board.unblocks("gone").is_empty());
    }
}
