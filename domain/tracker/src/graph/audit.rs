//! Counts of a graph, and everything in it that cannot be right.

use std::collections::BTreeMap;

use super::answer::{Effort, GraphAnswer, GraphEdge};
use super::cycles::{cycles, hierarchy_steps, ordering_steps};
use super::query::{Direction, GraphQuery};
use super::reach::reach;
use super::relation::Relation;
use super::steps::Steps;
use super::store::{Edge, Graph, Node};

/// Reported edges carry the reason `dangling`, `self`, `several_parents` or `waits_for_ancestor`; reported nodes are
/// missing or alone.
pub(super) fn answer(graph: &Graph, query: &GraphQuery) -> GraphAnswer {
    let mut effort = Effort::bounded(query.effort);
    let mut answer = GraphAnswer::new(query.question);
    let mut edges: Vec<GraphEdge> = Vec::new();
    let mut reasons: BTreeMap<&'static str, usize> =
        ["dangling", "self", "several_parents", "waits_for_ancestor"].map(|reason| (reason, 0)).into();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for edge in graph.edges() {
        effort.inspect();
        *kinds.entry(edge.kind.name()).or_default() += 1;
        if let Some(reason) = fault(graph, edge, &mut effort) {
            *reasons.entry(reason).or_default() += 1;
            edges.push(graph.described_edge(edge, Some(reason)));
        }
    }
    let mut nodes: Vec<Node> = Vec::new();
    let (mut missing, mut alone) = (0_usize, 0_usize);
    for node in graph.nodes() {
        effort.visit();
        if graph.facts(node).is_none() {
            missing += 1;
            nodes.push(node);
        } else if graph.outgoing(node).next().is_none() && graph.incoming(node).next().is_none() {
            alone += 1;
            nodes.push(node);
        }
    }
    let mut rings = cycles(graph, &hierarchy_steps(), &mut effort);
    answer.measure("hierarchy_cycles", rings.len());
    let ordering = cycles(graph, &ordering_steps(), &mut effort);
    answer.measure("ordering_cycles", ordering.len());
    rings.extend(ordering);

    answer.measure("items", graph.node_count() - missing);
    answer.measure("missing", missing);
    answer.measure("alone", alone);
    answer.measure("edges", graph.edge_count());
    for (kind, count) in kinds {
        answer.measure(format!("edges.{kind}"), count);
    }
    for (reason, count) in reasons {
        answer.measure(reason, count);
    }
    answer.cut(&mut nodes, query.limit);
    answer.cut(&mut edges, query.limit);
    answer.cut(&mut rings, query.limit);
    answer.nodes = nodes.into_iter().map(|node| graph.described(node)).collect();
    answer.edges = Some(edges);
    answer.paths = Some(rings.iter().map(|ring| graph.path_ids(ring)).collect());
    answer.settle(&effort)
}

fn fault(graph: &Graph, edge: &Edge, effort: &mut Effort) -> Option<&'static str> {
    if edge.from == edge.to {
        return Some("self");
    }
    if graph.facts(edge.from).is_none() || graph.facts(edge.to).is_none() {
        return Some("dangling");
    }
    match edge.kind {
        Relation::Parent => {
            (graph.targets(edge.from, &Relation::Parent).count() > 1).then_some("several_parents")
        }
        Relation::BlockedBy => {
            let upwards = Steps::along(Relation::Parent, Direction::Out);
            let above = reach(graph, edge.from, &upwards, None, effort);
            above.iter().any(|reached| reached.node == edge.to).then_some("waits_for_ancestor")
        }
        Relation::Blocks
        | Relation::Child
        | Relation::Related
        | Relation::DiscoveredFrom
        | Relation::IncidentFrom
        | Relation::Implements
        | Relation::RecursFrom
        | Relation::Verifies
        | Relation::Supersedes
        | Relation::Other(_) => None,
    }
}
