//! The graph itself: nodes by id, typed edges, both directions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::relation::Relation;
use crate::{Item, Statuses};

/// The scalar `blocked_by` value that says that nothing blocks.
pub const NO_ACTIVE_BLOCKER: &str = "no-active-blocker";

/// A node's number in one graph. Numbers follow the byte order of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node(pub(crate) usize);

/// What a graph knows of an item.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct NodeFacts {
    pub(crate) title: Box<str>,
    pub(crate) type_name: Box<str>,
    pub(crate) status: Box<str>,
    /// Whether the status is terminal.
    pub(crate) finished: bool,
    pub(crate) estimated_minutes: Option<u32>,
}

/// One edge, already oriented: `blocked_by` leads to what is waited for, `parent` to the parent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: Node,
    pub(crate) to: Node,
    pub(crate) kind: Relation,
    /// How many places of the items say this.
    pub(crate) declared: u32,
}

/// All items and what they say about each other, from scalars and dependency lists, with inverse kinds turned round.
///
/// An id that is referred to but does not exist is a node without facts.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    shape: Arc<Shape>,
    facts: Vec<Option<Arc<NodeFacts>>>,
}

/// Nodes and edges, which most changes of items leave as they are.
#[derive(Debug, Default)]
struct Shape {
    ids: Vec<Box<str>>,
    by_id: BTreeMap<Box<str>, usize>,
    edges: Vec<Edge>,
    outgoing: Vec<Vec<usize>>,
    incoming: Vec<Vec<usize>>,
}

impl Graph {
    /// The graph of `items`. Of two items with one id the first counts.
    pub fn new<'i>(items: impl IntoIterator<Item = &'i Item>, statuses: &Statuses) -> Self {
        let mut known: BTreeMap<&'i str, &'i Item> = BTreeMap::new();
        for item in items {
            known.entry(item.id()).or_insert(item);
        }
        let mut missing: BTreeSet<&'i str> = BTreeSet::new();
        let mut said: Vec<(&'i str, &'i str, Relation)> = Vec::new();
        for (id, item) in &known {
            for (target, kind) in edges_of(item) {
                let target = resolve(&known, target);
                if !known.contains_key(target) {
                    missing.insert(target);
                }
                said.push((id, target, kind));
            }
        }
        let mut nodes: Vec<(&'i str, Option<&'i Item>)> =
            known.iter().map(|(id, item)| (*id, Some(*item))).collect();
        nodes.extend(missing.into_iter().map(|id| (id, None)));
        nodes.sort_unstable_by_key(|(id, _)| *id);
        let by_id: BTreeMap<Box<str>, usize> =
            nodes.iter().enumerate().map(|(number, (id, _))| ((*id).into(), number)).collect();
        let facts =
            nodes.iter().map(|(_, item)| item.map(|item| Arc::new(facts_of(item, statuses)))).collect();
        let mut shape = Shape {
            ids: nodes.iter().map(|(id, _)| (*id).into()).collect(),
            by_id,
            edges: Vec::new(),
            outgoing: vec![Vec::new(); nodes.len()],
            incoming: vec![Vec::new(); nodes.len()],
        };
        let mut numbered: Vec<(Node, Node, Relation)> = said
            .into_iter()
            .filter_map(|(from, to, kind)| {
                let (from, to) = (shape.node(from)?, shape.node(to)?);
                let (kind, turned) = kind.oriented();
                Some(if turned { (to, from, kind) } else { (from, to, kind) })
            })
            .collect();
        numbered.sort_unstable();
        for (from, to, kind) in numbered {
            shape.declare(from, to, kind);
        }
        Self { shape: Arc::new(shape), facts }
    }

    /// The graph after some items were replaced, each given before and after; `None` if their edges are no longer the
    /// same, so that it has to be made anew.
    pub(crate) fn follow<'i>(
        &self,
        changed: impl IntoIterator<Item = (&'i Item, &'i Item)>,
        statuses: &Statuses,
    ) -> Option<Self> {
        let mut followed = self.clone();
        for (before, after) in changed {
            if before.id() != after.id() || !edges_of(before).eq(edges_of(after)) {
                return None;
            }
            let node = self.node(after.id())?;
            *followed.facts.get_mut(node.0)? = Some(Arc::new(facts_of(after, statuses)));
        }
        Some(followed)
    }

    /// Number of nodes, those of missing items included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.shape.ids.len()
    }

    /// Number of different edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.shape.edges.len()
    }

    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + use<> {
        (0..self.shape.ids.len()).map(Node)
    }

    pub(crate) fn node(&self, id: &str) -> Option<Node> {
        self.shape.node(id)
    }

    pub(crate) fn id(&self, node: Node) -> &str {
        self.shape.ids.get(node.0).map_or("", AsRef::as_ref)
    }

    pub(crate) fn facts(&self, node: Node) -> Option<&NodeFacts> {
        self.facts.get(node.0).and_then(Option::as_deref)
    }

    /// Whether the item exists and is terminal.
    pub(crate) fn is_finished(&self, node: Node) -> bool {
        self.facts(node).is_some_and(|facts| facts.finished)
    }

    /// Whether the item exists and is not terminal.
    pub(crate) fn is_open(&self, node: Node) -> bool {
        self.facts(node).is_some_and(|facts| !facts.finished)
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.shape.edges
    }

    /// Edges that start at a node, in the order of the other end's id, then kind.
    pub(crate) fn outgoing(&self, node: Node) -> impl Iterator<Item = &Edge> {
        self.shape.listed(&self.shape.outgoing, node)
    }

    /// Edges that end at a node, in the order of the other end's id, then kind.
    pub(crate) fn incoming(&self, node: Node) -> impl Iterator<Item = &Edge> {
        self.shape.listed(&self.shape.incoming, node)
    }

    /// The other ends of the edges of one kind that start here.
    pub(crate) fn targets<'g>(&'g self, node: Node, kind: &'g Relation) -> impl Iterator<Item = Node> + 'g {
        self.outgoing(node).filter(move |edge| edge.kind == *kind).map(|edge| edge.to)
    }

    /// The other ends of the edges of one kind that end here.
    pub(crate) fn sources<'g>(&'g self, node: Node, kind: &'g Relation) -> impl Iterator<Item = Node> + 'g {
        self.incoming(node).filter(move |edge| edge.kind == *kind).map(|edge| edge.from)
    }
}

impl Shape {
    fn node(&self, id: &str) -> Option<Node> {
        self.by_id.get(id).copied().map(Node)
    }

    fn listed<'g>(&'g self, lists: &'g [Vec<usize>], node: Node) -> impl Iterator<Item = &'g Edge> {
        lists.get(node.0).into_iter().flatten().filter_map(|number| self.edges.get(*number))
    }

    /// Adds an edge, or counts it again if it is the one added last.
    fn declare(&mut self, from: Node, to: Node, kind: Relation) {
        if let Some(last) = self.edges.last_mut()
            && (last.from, last.to, &last.kind) == (from, to, &kind)
        {
            last.declared = last.declared.saturating_add(1);
            return;
        }
        let number = self.edges.len();
        if let Some(list) = self.outgoing.get_mut(from.0) {
            list.push(number);
        }
        if let Some(list) = self.incoming.get_mut(to.0) {
            list.push(number);
        }
        self.edges.push(Edge { from, to, kind, declared: 1 });
    }
}

fn facts_of(item: &Item, statuses: &Statuses) -> NodeFacts {
    NodeFacts {
        title: item.title().into(),
        type_name: item.type_name().into(),
        status: statuses.canonical(item.status()).unwrap_or(item.status()).into(),
        finished: statuses.is_terminal(item.status()),
        estimated_minutes: item
            .field("estimated_minutes")
            .and_then(serde_json::Value::as_u64)
            .and_then(|minutes| u32::try_from(minutes).ok()),
    }
}

fn edges_of(item: &Item) -> impl Iterator<Item = (&str, Relation)> {
    let parent = item.parent().map(|id| (id, Relation::Parent));
    let blocker = item.blocked_by().filter(|id| names_an_item(id)).map(|id| (id, Relation::BlockedBy));
    let listed = item.dependencies().map(|edge| (edge.id, Relation::parse(edge.kind)));
    let all = parent.into_iter().chain(blocker).chain(listed);
    all.map(|(id, kind)| (id.trim(), kind)).filter(|(id, _)| !id.is_empty())
}

/// Whether a scalar blocker can be an id: free words are a reason, not an edge.
pub(crate) fn names_an_item(blocker: &str) -> bool {
    let blocker = blocker.trim();
    !blocker.is_empty() && blocker != NO_ACTIVE_BLOCKER && !blocker.contains(char::is_whitespace)
}

/// References are written in lower case by older writers and as they are by newer ones, so an exact id wins and a
/// lower-case one is tried.
fn resolve<'i>(known: &BTreeMap<&'i str, &'i Item>, id: &'i str) -> &'i str {
    if known.contains_key(id) || !id.contains(char::is_uppercase) {
        return id;
    }
    known.get_key_value(id.to_lowercase().as_str()).map_or(id, |(lower, _)| *lower)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::items;

    fn listed(graph: &Graph) -> Vec<String> {
        let edges = graph.edges().iter();
        edges
            .map(|edge| {
                format!("{} {} {} x{}", graph.id(edge.from), edge.kind, graph.id(edge.to), edge.declared)
            })
            .collect()
    }

    #[test]
    fn scalars_lists_aliases_and_inverses_become_one_edge_each() {
        let items = items(json!([
            {"id": "a-1", "parent": "a-9", "dependencies": [
                {"id": "a-9", "kind": "child_of"}, {"id": "A-2", "kind": "depends_on"}]},
            {"id": "a-2", "dependencies": [{"id": "a-1", "kind": "blocks"}, {"id": "a-1", "kind": "mirrors"}]},
            {"id": "a-9", "dependencies": [{"id": "a-1", "kind": "child"}]},
        ]));
        let graph = Graph::new(&items, &Statuses::default());
        assert_eq!(listed(&graph), ["a-1 blocked_by a-2 x2", "a-1 parent a-9 x3", "a-2 mirrors a-1 x1"]);
    }

    #[test]
    fn free_words_and_the_empty_blocker_are_no_edges() {
        let items = items(json!([
            {"id": "a-1", "blocked_by": "waits for the vendor"},
            {"id": "a-2", "blocked_by": "no-active-blocker"},
            {"id": "a-3", "blocked_by": "a-7"},
        ]));
        let graph = Graph::new(&items, &Statuses::default());
        assert_eq!(listed(&graph), ["a-3 blocked_by a-7 x1"]);
        assert!(graph.node("a-7").is_some_and(|node| graph.facts(node).is_none()));
    }
}
