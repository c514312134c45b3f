//! What a picture shows: boxes and arrows, before anything has a place.

use std::collections::{BTreeMap, BTreeSet};

use super::colours::Look;
use crate::graph::{Graph, GraphAnswer, Node, Relation};
use crate::{Statuses, WorkspaceSchema};

/// Most items in one picture; more would not be readable. Those nearest to the question stay.
pub const PICTURE_NODES: usize = 60;

/// One item.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) kind: String,
    pub(super) status: String,
    pub(super) look: Look,
    /// Whether the question was about it.
    pub(super) asked: bool,
}

/// What an arrow says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stroke {
    /// What it leads to waits for where it comes from.
    Order,
    /// Where it comes from contains what it leads to.
    Contains,
    /// Anything else, said in words.
    Other,
}

/// An arrow, from what comes first or contains, by positions of shapes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) stroke: Stroke,
    /// The kind in words, for [`Stroke::Other`].
    pub(super) words: String,
    /// Whether it has a head; what is merely related has none.
    pub(super) headed: bool,
}

/// An answer as boxes and arrows.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub(super) query: &'static str,
    pub(super) shapes: Vec<Shape>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) left_out: usize,
}

impl Picture {
    /// The picture of an answer to a question about `asked`, if it was about an item.
    ///
    /// It shows the answer's items and those that its edges and paths name, at most [`PICTURE_NODES`] of them. Where
    /// the answer has no edges, those between the shown items are drawn.
    #[must_use]
    pub fn new(graph: &Graph, answer: &GraphAnswer, asked: Option<&str>, schema: &WorkspaceSchema) -> Self {
        let mut ids: Vec<&str> = Vec::new();
        let mut known = BTreeSet::new();
        let paths = answer.paths.iter().flatten().flatten().map(String::as_str);
        let nodes = answer.nodes.iter().map(|node| node.id.as_str());
        let ends = answer.edges.iter().flatten().flat_map(|edge| [edge.from.as_str(), edge.to.as_str()]);
        for id in asked.into_iter().chain(nodes).chain(paths).chain(ends) {
            if known.insert(id) {
                ids.push(id);
            }
        }
        let left_out = ids.len().saturating_sub(PICTURE_NODES);
        ids.truncate(PICTURE_NODES);
        let position: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut arrows: Vec<Arrow> = match &answer.edges {
            Some(edges) => edges
                .iter()
                .filter_map(|edge| arrow(&position, &edge.from, &edge.to, &Relation::parse(&edge.kind)))
                .collect(),
            None => graph
                .edges()
                .iter()
                .filter_map(|edge| arrow(&position, graph.id(edge.from), graph.id(edge.to), &edge.kind))
                .collect(),
        };
        arrows.sort();
        arrows.dedup();
        let in_progress = schema.workflow().in_progress.as_str();
        let shapes = ids
            .iter()
            .map(|id| shape(graph, graph.node(id), id, asked == Some(*id), schema.statuses(), in_progress))
            .collect();
        Self { query: answer.query, shapes, arrows, left_out }
    }

    /// Whether there is nothing to see.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The looks that occur, in the order of the legend.
    pub(super) fn looks(&self) -> Vec<Look> {
        Look::ALL.into_iter().filter(|look| self.shapes.iter().any(|shape| shape.look == *look)).collect()
    }

    /// What the picture is of, in a few words.
    pub(super) fn caption(&self) -> String {
        let about = self.shapes.iter().find(|shape| shape.asked);
        let question = self.query.replace('_', " ");
        let mut caption = match about {
            Some(shape) => format!("{question} of {}", shape.id),
            None => question,
        };
        if self.left_out > 0 {
            caption.push_str(&format!(" ({} more are not shown)", self.left_out));
        }
        caption
    }
}

fn arrow(position: &BTreeMap<&str, usize>, from: &str, to: &str, kind: &Relation) -> Option<Arrow> {
    let (from, to) = (*position.get(from)?, *position.get(to)?);
    // The one that is waited for and the one that contains come first, where edges lead to them.
    let (stroke, words, turned) = match kind {
        Relation::BlockedBy => (Stroke::Order, String::new(), true),
        Relation::Parent => (Stroke::Contains, String::new(), true),
        Relation::Blocks => (Stroke::Order, String::new(), false),
        Relation::Child => (Stroke::Contains, String::new(), false),
        Relation::Related
        | Relation::DiscoveredFrom
        | Relation::IncidentFrom
        | Relation::Implements
        | Relation::RecursFrom
        | Relation::Verifies
        | Relation::Supersedes
        | Relation::Other(_) => (Stroke::Other, kind.name().replace('_', " "), false),
    };
    let (from, to) = if turned { (to, from) } else { (from, to) };
    Some(Arrow { from, to, stroke, words, headed: *kind != Relation::Related })
}

fn shape(
    graph: &Graph,
    node: Option<Node>,
    id: &str,
    asked: bool,
    statuses: &Statuses,
    in_progress: &str,
) -> Shape {
    let facts = node.and_then(|node| graph.facts(node));
    Shape {
        id: id.to_owned(),
        title: facts.map_or_else(String::new, |facts| facts.title.to_string()),
        kind: facts.map_or_else(String::new, |facts| facts.type_name.to_string()),
        status: facts.map_or_else(String::new, |facts| facts.status.to_string()),
        look: Look::of(facts.map(|facts| &*facts.status), statuses, in_progress),
        asked,
    }
}
