//! The answer to a question on the graph, in the shape that callers see.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::query::Question;
use super::store::{Edge, Graph, Node};

/// One item of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GraphNode {
    /// The id.
    pub id: String,
    /// The title, absent for a missing item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The type's name, absent for a missing item.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// The status id, absent for a missing item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Whether something refers to the item though it does not exist.
    #[serde(skip_serializing_if = "is_false")]
    pub missing: bool,
    /// Number of edges from the item asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// Number of edges at the item, for centrality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree: Option<usize>,
    /// How many shortest ways between other items lead through this one, for centrality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// One edge of an answer, oriented: `blocked_by` leads to what is waited for, `parent` to the parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GraphEdge {
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The kind.
    pub kind: String,
    /// Why it is reported, for redundancy and audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// What an answer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct GraphCost {
    /// Items looked at; one looked at twice counts twice.
    pub visited: u64,
    /// Edges looked at; likewise.
    pub inspected: u64,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GraphAnswer {
    /// The question's name.
    pub query: &'static str,
    /// Items, in the order that the question gives them.
    pub nodes: Vec<GraphNode>,
    /// Edges, where the question is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<GraphEdge>>,
    /// Chains of ids. A ring ends with the id it starts with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<Vec<String>>>,
    /// Numbers, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<BTreeMap<String, Value>>,
    /// What it took.
    pub cost: GraphCost,
    /// Whether a bound (limit or effort) cut the answer. A depth that the caller asked for does not.
    pub truncated: bool,
}

impl GraphAnswer {
    pub(super) const fn new(question: Question) -> Self {
        Self {
            query: question.name(),
            nodes: Vec::new(),
            edges: None,
            paths: None,
            metrics: None,
            cost: GraphCost { visited: 0, inspected: 0 },
            truncated: false,
        }
    }

    pub(super) fn measure(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.metrics.get_or_insert_default().insert(name.into(), value.into());
    }

    /// Takes over what was spent, and that the bound was met.
    pub(super) fn settle(mut self, effort: &Effort) -> Self {
        self.cost = effort.spent;
        self.truncated |= effort.exhausted;
        self
    }

    /// Keeps the first `limit` of a list and notes that it did.
    pub(super) fn cut<T>(&mut self, list: &mut Vec<T>, limit: usize) {
        if list.len() > limit {
            list.truncate(limit);
            self.truncated = true;
        }
    }
}

/// The work done so far, and its bound.
#[derive(Debug)]
pub(crate) struct Effort {
    spent: GraphCost,
    bound: u64,
    exhausted: bool,
}

impl Effort {
    pub(crate) const fn bounded(bound: u64) -> Self {
        Self { spent: GraphCost { visited: 0, inspected: 0 }, bound, exhausted: false }
    }

    pub(crate) const fn visit(&mut self) {
        self.spent.visited = self.spent.visited.saturating_add(1);
    }

    /// Counts one edge; `false` once the bound is met, and then the walk must end.
    pub(crate) const fn inspect(&mut self) -> bool {
        if self.spent.inspected >= self.bound {
            self.exhausted = true;
        } else {
            self.spent.inspected += 1;
        }
        !self.exhausted
    }

    pub(crate) const fn is_exhausted(&self) -> bool {
        self.exhausted
    }
}

impl Graph {
    pub(super) fn described(&self, node: Node) -> GraphNode {
        let facts = self.facts(node);
        GraphNode {
            id: self.id(node).to_owned(),
            title: facts.map(|facts| facts.title.to_string()),
            type_name: facts.map(|facts| facts.type_name.to_string()),
            status: facts.map(|facts| facts.status.to_string()),
            missing: facts.is_none(),
            depth: None,
            degree: None,
            score: None,
        }
    }

    pub(super) fn described_edge(&self, edge: &Edge, reason: Option<&'static str>) -> GraphEdge {
        GraphEdge {
            from: self.id(edge.from).to_owned(),
            to: self.id(edge.to).to_owned(),
            kind: edge.kind.name().to_owned(),
            reason,
        }
    }

    pub(crate) fn path_ids(&self, path: &[Node]) -> Vec<String> {
        path.iter().map(|node| self.id(*node).to_owned()).collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
const fn is_false(value: &bool) -> bool {
    !*value
}
