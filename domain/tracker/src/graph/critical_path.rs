//! The longest chain of unfinished work.

use super::answer::{Effort, GraphAnswer};
use super::per_node::PerNode;
use super::query::{Direction, GraphQuery};
use super::relation::Relation;
use super::steps::Steps;
use super::store::{Graph, Node};

/// What an item without an estimate counts as, in minutes.
pub const UNESTIMATED_MINUTES: u32 = 60;

/// A chain that ends at some node: its length in minutes and in items, and the node before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chain {
    minutes: u64,
    items: u64,
    before: Option<Node>,
}

pub(super) fn answer(graph: &Graph, query: &GraphQuery, end: Option<Node>) -> GraphAnswer {
    let mut effort = Effort::bounded(query.effort);
    let mut answer = GraphAnswer::new(query.question);
    let steps = if query.kinds.is_empty() {
        Steps::along(Relation::BlockedBy, Direction::Out)
    } else {
        Steps::among(&query.kinds, Direction::Out)
    };
    let (chains, left_out) = chains(graph, &steps, &mut effort);
    let last = end.or_else(|| {
        let mut best: Option<(Node, Chain)> = None;
        for node in graph.nodes() {
            if let Some(chain) = *chains.at(node)
                && best.is_none_or(|(_, known)| is_longer(chain, known))
            {
                best = Some((node, chain));
            }
        }
        best.map(|(node, _)| node)
    });

    let mut path = Vec::new();
    let mut cursor = last.filter(|node| chains.at(*node).is_some());
    while let Some(node) = cursor {
        path.push(node);
        cursor = chains.at(node).and_then(|chain| chain.before);
    }
    path.reverse();
    let length = last.and_then(|node| *chains.at(node));
    answer.measure("minutes", length.map_or(0, |chain| chain.minutes));
    answer.measure("items", length.map_or(0, |chain| chain.items));
    answer.measure("unestimated", path.iter().filter(|node| estimate(graph, **node).is_none()).count());
    answer.measure("left_out_by_cycles", left_out);
    answer.paths = Some(if path.is_empty() { Vec::new() } else { vec![graph.path_ids(&path)] });
    answer.cut(&mut path, query.limit);
    answer.nodes = path.into_iter().map(|node| graph.described(node)).collect();
    answer.settle(&effort)
}

/// The longest chain to every open item, and how many open items have none because they wait for a ring.
fn chains(graph: &Graph, steps: &Steps, effort: &mut Effort) -> (PerNode<Option<Chain>>, usize) {
    let backwards = steps.reversed();
    let mut waiting_for = PerNode::new(graph.node_count(), 0_usize);
    let mut chains: PerNode<Option<Chain>> = PerNode::new(graph.node_count(), None);
    let mut ready = Vec::new();
    for node in graph.nodes().rev().filter(|node| graph.is_open(*node)) {
        effort.visit();
        let mut count = 0_usize;
        for (other, _) in steps.from(graph, node) {
            if !effort.inspect() {
                break;
            }
            count += usize::from(graph.is_open(other));
        }
        waiting_for.set(node, count);
        if count == 0 {
            ready.push(node);
        }
    }
    let mut best: PerNode<Option<(Node, Chain)>> = PerNode::new(graph.node_count(), None);
    let mut settled = 0_usize;
    while let Some(node) = ready.pop() {
        settled += 1;
        effort.visit();
        let minutes = u64::from(estimate(graph, node).unwrap_or(UNESTIMATED_MINUTES));
        let chain = match *best.at(node) {
            Some((before, known)) => {
                Chain { minutes: known.minutes + minutes, items: known.items + 1, before: Some(before) }
            }
            None => Chain { minutes, items: 1, before: None },
        };
        chains.set(node, Some(chain));
        for (later, _) in backwards.from(graph, node).filter(|(later, _)| graph.is_open(*later)) {
            if !effort.inspect() {
                break;
            }
            let better = best.at(later).is_none_or(|(before, known)| {
                is_longer(chain, known) || (!is_longer(known, chain) && node < before)
            });
            if better {
                best.set(later, Some((node, chain)));
            }
            waiting_for.change(later, |count| *count = count.saturating_sub(1));
            if *waiting_for.at(later) == 0 {
                ready.push(later);
            }
        }
    }
    let open = graph.nodes().filter(|node| graph.is_open(*node)).count();
    (chains, open - settled.min(open))
}

fn is_longer(chain: Chain, than: Chain) -> bool {
    (chain.minutes, chain.items) > (than.minutes, than.items)
}

fn estimate(graph: &Graph, node: Node) -> Option<u32> {
    graph.facts(node).and_then(|facts| facts.estimated_minutes)
}
