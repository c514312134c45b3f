//! Everything that can be reached from one item, nearest first.

use std::collections::BTreeSet;

use super::answer::{Effort, GraphAnswer};
use super::query::GraphQuery;
use super::steps::Steps;
use super::store::{Edge, Graph, Node};

/// A node reached, and over how many edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reached {
    pub(crate) depth: usize,
    pub(crate) node: Node,
}

/// The nodes that `steps` lead to from `start`, without `start`, by depth and then id.
pub(crate) fn reach(
    graph: &Graph,
    start: Node,
    steps: &Steps,
    max_depth: Option<usize>,
    effort: &mut Effort,
) -> Vec<Reached> {
    let mut seen = BTreeSet::from([start]);
    let mut found = Vec::new();
    let mut layer = vec![start];
    let mut depth = 0_usize;
    while !layer.is_empty() && max_depth.is_none_or(|bound| depth < bound) {
        depth += 1;
        let mut next = Vec::new();
        for node in layer {
            effort.visit();
            for (other, _) in steps.from(graph, node) {
                if !effort.inspect() {
                    break;
                }
                if seen.insert(other) {
                    next.push(other);
                }
            }
        }
        next.sort_unstable();
        found.extend(next.iter().map(|node| Reached { depth, node: *node }));
        if effort.is_exhausted() {
            break;
        }
        layer = next;
    }
    found
}

pub(super) fn answer(graph: &Graph, query: &GraphQuery, start: Node, steps: &Steps) -> GraphAnswer {
    let mut effort = Effort::bounded(query.effort);
    let mut answer = GraphAnswer::new(query.question);
    let mut found = reach(graph, start, steps, query.max_depth, &mut effort);
    answer.measure("total", found.len());
    answer.measure("open", found.iter().filter(|reached| graph.is_open(reached.node)).count());
    answer.measure("depth", found.last().map_or(0, |reached| reached.depth));
    answer.cut(&mut found, query.limit);

    let shown: BTreeSet<Node> =
        found.iter().map(|reached| reached.node).chain(std::iter::once(start)).collect();
    let mut edges: BTreeSet<&Edge> = BTreeSet::new();
    for node in &shown {
        for (other, edge) in steps.from(graph, *node) {
            if !effort.inspect() {
                break;
            }
            if shown.contains(&other) {
                edges.insert(edge);
            }
        }
    }
    answer.edges = Some(edges.into_iter().map(|edge| graph.described_edge(edge, None)).collect());
    answer.nodes = found
        .into_iter()
        .map(|reached| {
            let mut node = graph.described(reached.node);
            node.depth = Some(reached.depth);
            node
        })
        .collect();
    answer.settle(&effort)
}
