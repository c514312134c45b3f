//! Orientation in a workspace.

use std::collections::BTreeMap;

use serde::Serialize;

use super::filter::{Gate, ItemFilter};
use super::ranking::Moment;
use super::standing::Standing;
use super::store::{Board, Entry};
use crate::Timestamp;
use crate::graph::{Node, Relation};

/// Numbers of items.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct ContextCounts {
    /// By status id; a status that the workspace does not know counts as it is written.
    pub by_status: BTreeMap<String, usize>,
    /// By type name.
    pub by_type: BTreeMap<String, usize>,
}

/// An unfinished item that others wait for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Blocking {
    /// The item's id.
    pub id: String,
    /// The unfinished items that wait for it directly, in ranking order.
    pub holds_up: Vec<String>,
}

/// What somebody needs to know who sees the workspace for the first time. Items are ids, in the order shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Context {
    /// When it was gathered.
    pub generated_at: String,
    /// Numbers of all items in scope.
    pub counts: ContextCounts,
    /// What is being worked on, in ranking order.
    pub in_progress: Vec<String>,
    /// Unfinished items that have others below them, the highest first, then in ranking order.
    pub high_level: Vec<String>,
    /// What others wait for, most waited for first.
    pub blockers: Vec<Blocking>,
    /// Last changed first.
    pub recent: Vec<String>,
    /// For each list that was cut, how long it was.
    pub truncated: BTreeMap<&'static str, usize>,
}

impl Board {
    /// Gathers the context of the whole workspace, or of everything below `within`; at most `limit` entries a list.
    #[must_use]
    pub fn context(&self, within: Option<&str>, limit: usize, now: Timestamp) -> Context {
        let filter = ItemFilter { within: within.map(str::to_owned), ..ItemFilter::default() };
        let gate = Gate::new(self, &filter);
        let scope: Vec<&Entry> = self.entries_ranked().filter(|entry| gate.lets(entry)).collect();
        let mut context = Context { generated_at: now.to_string(), ..Context::default() };
        for entry in &scope {
            let (status, type_name) = (entry.item.status(), entry.item.type_name());
            let status = self.schema().statuses().canonical(status).unwrap_or(status);
            let type_name = self.schema().item_type(type_name).map_or(type_name, |known| known.name.as_str());
            *context.counts.by_status.entry(status.to_owned()).or_default() += 1;
            *context.counts.by_type.entry(type_name.to_owned()).or_default() += 1;
        }
        let mut cut = |name: &'static str, list: &mut dyn Shortened| {
            if let Some(length) = list.shorten(limit) {
                context.truncated.insert(name, length);
            }
        };
        let in_progress = scope.iter().filter(|entry| entry.key.standing == Standing::InProgress);
        let mut in_progress: Vec<String> = in_progress.map(|entry| id(entry)).collect();
        cut("in_progress", &mut in_progress);
        let mut high_level = self.high_level(&scope);
        cut("high_level", &mut high_level);
        let mut blockers = self.blocking(&scope);
        cut("blockers", &mut blockers);
        let mut recent = recent(&scope);
        cut("recent", &mut recent);
        Context { in_progress, high_level, blockers, recent, ..context }
    }

    fn high_level(&self, scope: &[&Entry]) -> Vec<String> {
        let depths = self.depths();
        let depth = |entry: &Entry| depths.get(&entry.node).copied().unwrap_or(usize::MAX);
        let mut high: Vec<&Entry> = scope
            .iter()
            .filter(|entry| entry.has_children && entry.key.standing != Standing::Terminal)
            .copied()
            .collect();
        high.sort_by_key(|entry| (depth(entry), entry.rank));
        high.into_iter().map(id).collect()
    }

    /// Distance from the top for every item that hangs from one; items of a ring without a top have none.
    fn depths(&self) -> BTreeMap<Node, usize> {
        let graph = self.graph();
        let has_parent = |node: Node| {
            graph
                .targets(node, &Relation::Parent)
                .any(|parent| parent != node && graph.facts(parent).is_some())
        };
        let mut layer: Vec<Node> = graph.nodes().filter(|node| !has_parent(*node)).collect();
        let mut depths = BTreeMap::new();
        let mut depth = 0_usize;
        while !layer.is_empty() {
            layer.retain(|node| !depths.contains_key(node));
            depths.extend(layer.iter().map(|node| (*node, depth)));
            let mut below: Vec<Node> =
                layer.iter().flat_map(|node| graph.sources(*node, &Relation::Parent)).collect();
            below.sort_unstable();
            below.dedup();
            layer = below;
            depth += 1;
        }
        depths
    }

    fn blocking(&self, scope: &[&Entry]) -> Vec<Blocking> {
        let graph = self.graph();
        let mut blocking: Vec<(usize, Blocking)> = Vec::new();
        for entry in scope.iter().filter(|entry| entry.key.standing != Standing::Terminal) {
            let mut waiting: Vec<&Entry> = graph
                .sources(entry.node, &Relation::BlockedBy)
                .filter(|node| *node != entry.node && graph.is_open(*node))
                .filter_map(|node| self.entry_of(node))
                .collect();
            if !waiting.is_empty() {
                waiting.sort_by_key(|other| other.rank);
                let holds_up = waiting.into_iter().map(id).collect();
                blocking.push((entry.rank, Blocking { id: id(entry), holds_up }));
            }
        }
        blocking.sort_by_key(|(rank, entry)| (std::cmp::Reverse(entry.holds_up.len()), *rank));
        blocking.into_iter().map(|(_, entry)| entry).collect()
    }
}

fn id(entry: &Entry) -> String {
    entry.item.id().to_owned()
}

fn recent(scope: &[&Entry]) -> Vec<String> {
    let mut recent: Vec<(Moment, &Entry)> =
        scope.iter().map(|entry| (Moment::of(Some(entry.item.updated_at())), *entry)).collect();
    recent.sort_by(|(left, first), (right, second)| {
        left.newest_first(right).then_with(|| first.rank.cmp(&second.rank))
    });
    recent.into_iter().map(|(_, entry)| id(entry)).collect()
}

/// A list that can be cut, whatever it holds.
trait Shortened {
    /// Cuts to `limit` and gives the length before, if that was more.
    fn shorten(&mut self, limit: usize) -> Option<usize>;
}

impl<T> Shortened for Vec<T> {
    fn shorten(&mut self, limit: usize) -> Option<usize> {
        let length = self.len();
        self.truncate(limit);
        (length > limit).then_some(length)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::{board, items};

    #[test]
    fn a_context_shows_what_matters_and_says_what_it_cut() {
        let items = items(json!([
            {"id": "e", "type": "Epic", "priority": 3}, {"id": "f", "type": "feature", "parent": "e", "priority": 0},
            {"id": "t", "parent": "f", "status": "in-progress", "updated_at": "2026-02-02T00:00:00Z"},
            {"id": "u", "parent": "f", "blocked_by": "t"}, {"id": "v", "blocked_by": "t", "priority": 1},
            {"id": "w", "blocked_by": "u"}, {"id": "z", "status": "closed", "updated_at": "2026-02-03T00:00:00Z"},
            {"id": "old", "type": "Epic", "status": "closed"}, {"id": "child", "parent": "old", "status": "closed"},
        ]));
        let board = board(&items);
        let now = Timestamp::parse("2026-03-01").unwrap();
        let context = board.context(None, 10, now);
        assert_eq!(context.generated_at, "2026-03-01T00:00:00.000Z");
        let counted = |counts: &BTreeMap<String, usize>| {
            counts.iter().map(|(name, count)| format!("{name}:{count}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(counted(&context.counts.by_status), "closed:3 in_progress:1 open:5");
        assert_eq!(counted(&context.counts.by_type), "Epic:2 Feature:1 Task:6");
        assert_eq!(context.in_progress, ["t"]);
        assert_eq!(context.high_level, ["e", "f"]);
        let blockers: Vec<(&str, String)> =
            context.blockers.iter().map(|entry| (entry.id.as_str(), entry.holds_up.join(" "))).collect();
        assert_eq!(blockers, [("t", "v u".to_owned()), ("u", "w".to_owned())]);
        assert_eq!(context.recent[..2], ["z", "t"]);
        assert!(context.truncated.is_empty());

        let short = board.context(None, 1, now);
        assert_eq!((short.high_level, short.recent), (vec!["e".to_owned()], vec!["z".to_owned()]));
        assert_eq!(short.truncated, BTreeMap::from([("high_level", 2), ("blockers", 2), ("recent", 9)]));

        let below = board.context(Some("e"), 10, now);
        assert_eq!(counted(&below.counts.by_type), "Feature:1 Task:2");
        assert_eq!(below.high_level, ["f"]);
    }
}
