//! Ways from one item to another, shortest first.

use super::answer::{Effort, GraphAnswer};
use super::per_node::PerNode;
use super::query::GraphQuery;
use super::reach::reach;
use super::steps::Steps;
use super::store::{Graph, Node};

/// How much longer than the shortest way a path may be if the caller names no depth. The number of ways grows with
/// every edge, and long detours explain little.
const DETOUR_DEFAULT: usize = 2;

pub(super) fn answer(
    graph: &Graph,
    query: &GraphQuery,
    start: Node,
    target: Node,
    steps: &Steps,
) -> GraphAnswer {
    let mut effort = Effort::bounded(query.effort);
    let mut answer = GraphAnswer::new(query.question);

    let mut distance: PerNode<Option<usize>> = PerNode::new(graph.node_count(), None);
    distance.set(target, Some(0));
    for reached in reach(graph, target, &steps.reversed(), query.max_depth, &mut effort) {
        distance.set(reached.node, Some(reached.depth));
    }
    let mut paths: Vec<Vec<Node>> = Vec::new();
    if let Some(shortest) = *distance.at(start) {
        // One more than asked for tells whether there are more.
        let wanted = query.limit.saturating_add(1);
        let longest = query.max_depth.unwrap_or(shortest.saturating_add(DETOUR_DEFAULT));
        let longest = if start == target { 0 } else { longest.min(graph.node_count().saturating_sub(1)) };
        for length in shortest..=longest {
            let search = Search { graph, steps, distance: &distance, target, length };
            search.run(start, wanted, &mut paths, &mut effort);
            if paths.len() >= wanted || effort.is_exhausted() {
                break;
            }
        }
        answer.measure("shortest", shortest);
    }
    answer.cut(&mut paths, query.limit);
    answer.measure("paths", paths.len());
    let mut on_the_way: Vec<Node> = paths.iter().flatten().copied().collect();
    on_the_way.sort_unstable();
    on_the_way.dedup();
    answer.nodes = on_the_way.into_iter().map(|node| graph.described(node)).collect();
    answer.paths = Some(paths.iter().map(|path| graph.path_ids(path)).collect());
    answer.settle(&effort)
}

/// A depth-first search for ways of exactly one length. Nodes too far from the target are never entered.
struct Search<'s> {
    graph: &'s Graph,
    steps: &'s Steps,
    distance: &'s PerNode<Option<usize>>,
    target: Node,
    length: usize,
}

impl Search<'_> {
    fn run(&self, start: Node, wanted: usize, paths: &mut Vec<Vec<Node>>, effort: &mut Effort) {
        if self.length == 0 {
            if start == self.target {
                paths.push(vec![start]);
            }
            return;
        }
        let mut way = vec![start];
        let mut open = vec![self.options(start, effort)];
        while let Some(options) = open.last_mut() {
            let Some(next) = options.pop() else {
                open.pop();
                way.pop();
                continue;
            };
            if way.contains(&next) {
                continue;
            }
            let left = self.length - way.len();
            let near_enough = self.distance.at(next).is_some_and(|distance| distance <= left);
            if !near_enough || (next == self.target && left > 0) {
                continue;
            }
            if next == self.target {
                let mut path = way.clone();
                path.push(next);
                paths.push(path);
                if paths.len() >= wanted {
                    return;
                }
                continue;
            }
            if left > 0 {
                way.push(next);
                open.push(self.options(next, effort));
            }
            if effort.is_exhausted() {
                return;
            }
        }
    }

    /// The next nodes, last one first, so that taking from the end gives them in order. Two kinds of edges between
    /// the same nodes are one way.
    fn options(&self, node: Node, effort: &mut Effort) -> Vec<Node> {
        effort.visit();
        let mut options: Vec<Node> = Vec::new();
        for (other, _) in self.steps.from(self.graph, node) {
            if !effort.inspect() {
                break;
            }
            options.push(other);
        }
        options.sort_unstable_by(|left, right| right.cmp(left));
        options.dedup();
        options
    }
}
