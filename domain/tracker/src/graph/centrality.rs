//! Through which items most connections run.

use std::collections::{BTreeMap, VecDeque};

use super::answer::{Effort, GraphAnswer};
use super::per_node::PerNode;
use super::query::{Direction, GraphQuery};
use super::steps::Steps;
use super::store::{Graph, Node};

/// Betweenness (Brandes): for each item the number of shortest ways between two others that lead through it, each
/// pair counting one in all. If the effort does not allow every item as a source, those of an even sample stand for all
/// and `sources` tells how many there were.
pub(super) fn answer(graph: &Graph, query: &GraphQuery) -> GraphAnswer {
    let mut effort = Effort::bounded(query.effort);
    let mut answer = GraphAnswer::new(query.question);
    let steps = Steps::among(&query.kinds, query.direction.unwrap_or(Direction::Out));
    let degree = degrees(graph, &steps);

    let mut ranked: Vec<Node> = graph.nodes().filter(|node| *degree.at(*node) > 0).collect();
    let mut score = PerNode::new(graph.node_count(), 0.0_f64);
    let mut sources = 0_usize;
    for source in spread(&ranked) {
        if add_ways_from(graph, &steps, source, query.max_depth, &mut score, &mut effort).is_none() {
            break;
        }
        sources += 1;
    }
    let scale = if sources == 0 { 0.0 } else { ranked.len() as f64 / sources as f64 };

    ranked.sort_by(|left, right| {
        let by_score = score.at(*right).total_cmp(score.at(*left));
        by_score.then_with(|| degree.at(*right).cmp(degree.at(*left))).then_with(|| left.cmp(right))
    });
    answer.measure("connected", ranked.len());
    answer.measure("sources", sources);
    answer.cut(&mut ranked, query.limit);
    answer.nodes = ranked
        .into_iter()
        .map(|node| {
            let mut described = graph.described(node);
            described.degree = Some(*degree.at(node));
            described.score = Some(*score.at(node) * scale);
            described
        })
        .collect();
    answer.settle(&effort)
}

/// The same nodes in an order in which every beginning is spread evenly: steps of the golden section, round and round.
fn spread(nodes: &[Node]) -> impl Iterator<Item = Node> {
    let count = nodes.len();
    let shares_a_factor = |step: usize| {
        let (mut large, mut small) = (count, step);
        while small > 0 {
            (large, small) = (small, large % small);
        }
        large > 1
    };
    let step = (count * 382 / 1000..count).find(|step| *step > 0 && !shares_a_factor(*step)).unwrap_or(1);
    (0..count).filter_map(move |turn| nodes.get(turn * step % count).copied())
}

fn degrees(graph: &Graph, steps: &Steps) -> PerNode<usize> {
    let mut degree = PerNode::new(graph.node_count(), 0_usize);
    for edge in graph.edges().iter().filter(|edge| steps.includes(edge)) {
        degree.change(edge.from, |count| *count += 1);
        degree.change(edge.to, |count| *count += 1);
    }
    degree
}

/// A node on the shortest ways from one source.
#[derive(Debug, Default)]
struct Stop {
    depth: usize,
    /// Number of shortest ways from the source.
    ways: f64,
    /// What the ways beyond this node hand back to it.
    share: f64,
    before: Vec<Node>,
}

fn add_ways_from(
    graph: &Graph,
    steps: &Steps,
    source: Node,
    max_depth: Option<usize>,
    score: &mut PerNode<f64>,
    effort: &mut Effort,
) -> Option<()> {
    let mut stops: BTreeMap<Node, Stop> = BTreeMap::from([(source, Stop { ways: 1.0, ..Stop::default() })]);
    let mut queue = VecDeque::from([source]);
    let mut order = Vec::new();
    while let Some(node) = queue.pop_front() {
        effort.visit();
        order.push(node);
        let Some((depth, ways)) = stops.get(&node).map(|stop| (stop.depth + 1, stop.ways)) else { continue };
        if max_depth.is_some_and(|bound| depth > bound) {
            continue;
        }
        for (other, _) in steps.from(graph, node) {
            if !effort.inspect() {
                return None;
            }
            let stop = stops.entry(other).or_insert_with(|| {
                queue.push_back(other);
                Stop { depth, ..Stop::default() }
            });
            if stop.depth == depth {
                stop.ways += ways;
                stop.before.push(node);
            }
        }
    }
    for node in order.into_iter().rev().filter(|node| *node != source) {
        let Some(Stop { ways, share, before, .. }) = stops.remove(&node) else { continue };
        let part = (1.0 + share) / ways;
        for earlier in before {
            if let Some(stop) = stops.get_mut(&earlier) {
                stop.share += stop.ways * part;
            }
        }
        score.change(node, |total| *total += share);
    }
    Some(())
}
