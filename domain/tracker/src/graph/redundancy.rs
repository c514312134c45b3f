//! Edges that say what other edges say already.

use std::collections::{BTreeSet, VecDeque};

use super::answer::{Effort, GraphAnswer, GraphEdge};
use super::query::{Direction, GraphQuery};
use super::relation::Relation;
use super::steps::Steps;
use super::store::{Edge, Graph, Node};

/// Reported edges carry the reason `declared_twice` or `implied`.
pub(super) fn answer(graph: &Graph, query: &GraphQuery) -> GraphAnswer {
    let mut effort = Effort::bounded(query.effort);
    let mut answer = GraphAnswer::new(query.question);
    let chosen = |kind: &Relation| {
        query.kinds.is_empty() || query.kinds.iter().any(|wanted| wanted.clone().oriented().0 == *kind)
    };
    let mut edges: Vec<GraphEdge> = Vec::new();
    let mut ends: Vec<Node> = Vec::new();
    let (mut twice, mut implied) = (0_usize, 0_usize);
    for edge in graph.edges().iter().filter(|edge| chosen(&edge.kind)) {
        if effort.is_exhausted() {
            break;
        }
        let reason = if edge.declared > 1 || is_mirrored(graph, edge) {
            twice += 1;
            "declared_twice"
        } else if follows_from_others(graph, edge, &mut effort) {
            implied += 1;
            "implied"
        } else {
            continue;
        };
        edges.push(graph.described_edge(edge, Some(reason)));
        ends.extend([edge.from, edge.to]);
    }
    answer.measure("declared_twice", twice);
    answer.measure("implied", implied);
    answer.cut(&mut edges, query.limit);
    ends.sort_unstable();
    ends.dedup();
    answer.cut(&mut ends, query.limit);
    answer.nodes = ends.into_iter().map(|node| graph.described(node)).collect();
    answer.edges = Some(edges);
    answer.settle(&effort)
}

/// Whether the edge is the second of two that relate the same items without direction.
fn is_mirrored(graph: &Graph, edge: &Edge) -> bool {
    edge.kind == Relation::Related
        && edge.from > edge.to
        && graph.targets(edge.to, &Relation::Related).any(|other| other == edge.from)
}

/// Whether a longer way of the same kind leads where the edge leads. Only order and hierarchy are passed on from
/// edge to edge.
fn follows_from_others(graph: &Graph, edge: &Edge, effort: &mut Effort) -> bool {
    if !matches!(edge.kind, Relation::BlockedBy | Relation::Parent) || edge.from == edge.to {
        return false;
    }
    let steps = Steps::along(edge.kind.clone(), Direction::Out);
    let mut seen = BTreeSet::from([edge.from]);
    let mut queue = VecDeque::from([edge.from]);
    while let Some(node) = queue.pop_front() {
        effort.visit();
        for (other, _) in steps.from(graph, node) {
            if !effort.inspect() {
                return false;
            }
            if other == edge.to {
                if node == edge.from {
                    continue;
                }
                return true;
            }
            if seen.insert(other) {
                queue.push_back(other);
            }
        }
    }
    false
}
