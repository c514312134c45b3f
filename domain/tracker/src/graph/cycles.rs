//! Rings: items that lead back to themselves.

use std::collections::{BTreeMap, VecDeque};

use super::answer::{Effort, GraphAnswer};
use super::per_node::PerNode;
use super::query::{Direction, GraphQuery};
use super::relation::Relation;
use super::steps::Steps;
use super::store::{Graph, Node};

/// One ring for each knot of items that lead back to themselves along `steps`: the shortest one through the first id
/// of the knot. The first node is repeated at the end.
pub(crate) fn cycles(graph: &Graph, steps: &Steps, effort: &mut Effort) -> Vec<Vec<Node>> {
    let (component, sizes) = components(graph, steps, effort);
    let mut done = vec![false; sizes.len()];
    let mut rings = Vec::new();
    for node in graph.nodes() {
        let Some(number) = *component.at(node) else { continue };
        let (Some(done), Some(size)) = (done.get_mut(number), sizes.get(number)) else { continue };
        if *done || effort.is_exhausted() {
            continue;
        }
        *done = true;
        if *size > 1 || steps.from(graph, node).any(|(other, _)| other == node) {
            rings.extend(ring_through(graph, steps, node, &component, effort));
        }
    }
    rings
}

/// The rings in the order of work.
pub(crate) fn ordering_steps() -> Steps {
    Steps::along(Relation::BlockedBy, Direction::Out)
}

/// The rings in the hierarchy.
pub(crate) fn hierarchy_steps() -> Steps {
    Steps::along(Relation::Parent, Direction::Out)
}

pub(super) fn answer(graph: &Graph, query: &GraphQuery, about: Option<Node>) -> GraphAnswer {
    let mut effort = Effort::bounded(query.effort);
    let mut answer = GraphAnswer::new(query.question);
    let families = if query.kinds.is_empty() {
        vec![("hierarchy", hierarchy_steps()), ("ordering", ordering_steps())]
    } else {
        vec![("chosen_kinds", Steps::among(&query.kinds, Direction::Out))]
    };
    let mut rings: Vec<Vec<Node>> = Vec::new();
    for (family, steps) in families {
        let mut found = match about {
            Some(node) => {
                ring_through(graph, &steps, node, &PerNode::new(0, None), &mut effort).into_iter().collect()
            }
            None => cycles(graph, &steps, &mut effort),
        };
        answer.measure(family, found.len());
        rings.append(&mut found);
    }
    answer.cut(&mut rings, query.limit);
    let mut nodes: Vec<Node> = rings.iter().flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    answer.nodes = nodes.into_iter().map(|node| graph.described(node)).collect();
    answer.paths = Some(rings.iter().map(|ring| graph.path_ids(ring)).collect());
    answer.settle(&effort)
}

/// The shortest ring through a node that stays in its component.
fn ring_through(
    graph: &Graph,
    steps: &Steps,
    start: Node,
    component: &PerNode<Option<usize>>,
    effort: &mut Effort,
) -> Option<Vec<Node>> {
    let home = *component.at(start);
    let mut before: BTreeMap<Node, Node> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        effort.visit();
        for (other, _) in steps.from(graph, node) {
            if !effort.inspect() {
                return None;
            }
            if other == start {
                return Some(walk_back(&before, start, node));
            }
            if !before.contains_key(&other) && *component.at(other) == home {
                before.insert(other, node);
                queue.push_back(other);
            }
        }
    }
    None
}

fn walk_back(before: &BTreeMap<Node, Node>, start: Node, last: Node) -> Vec<Node> {
    let mut ring = vec![start];
    let mut node = last;
    while node != start {
        ring.push(node);
        match before.get(&node) {
            Some(previous) => node = *previous,
            None => break,
        }
    }
    ring.push(start);
    ring.reverse();
    ring
}

/// Where one node of the search below stands.
#[derive(Debug, Clone, Copy)]
struct Mark {
    discovered: usize,
    low: usize,
    stacked: bool,
}

/// Strongly connected components (Tarjan), with a stack of its own: a chain of items may be as long as the
/// workspace.
fn components(graph: &Graph, steps: &Steps, effort: &mut Effort) -> (PerNode<Option<usize>>, Vec<usize>) {
    let mut component: PerNode<Option<usize>> = PerNode::new(graph.node_count(), None);
    let mut sizes = Vec::new();
    let mut marks: PerNode<Option<Mark>> = PerNode::new(graph.node_count(), None);
    let mut counter = 0_usize;
    let mut stack: Vec<Node> = Vec::new();
    for root in graph.nodes() {
        if marks.at(root).is_some() {
            continue;
        }
        let mut frames = vec![enter(graph, steps, root, &mut marks, &mut counter, &mut stack, effort)];
        while let Some((node, options)) = frames.last_mut() {
            let node = *node;
            if let Some(next) = options.pop() {
                match *marks.at(next) {
                    None => {
                        frames.push(enter(graph, steps, next, &mut marks, &mut counter, &mut stack, effort))
                    }
                    Some(mark) if mark.stacked => lower(&mut marks, node, mark.discovered),
                    Some(_) => {}
                }
                continue;
            }
            frames.pop();
            let Some(mark) = *marks.at(node) else { continue };
            if let Some((parent, _)) = frames.last() {
                lower(&mut marks, *parent, mark.low);
            }
            if mark.low == mark.discovered {
                let mut size = 0_usize;
                while let Some(member) = stack.pop() {
                    component.set(member, Some(sizes.len()));
                    marks.change(member, |mark| {
                        if let Some(mark) = mark {
                            mark.stacked = false;
                        }
                    });
                    size += 1;
                    if member == node {
                        break;
                    }
                }
                sizes.push(size);
            }
        }
    }
    (component, sizes)
}

fn enter(
    graph: &Graph,
    steps: &Steps,
    node: Node,
    marks: &mut PerNode<Option<Mark>>,
    counter: &mut usize,
    stack: &mut Vec<Node>,
    effort: &mut Effort,
) -> (Node, Vec<Node>) {
    marks.set(node, Some(Mark { discovered: *counter, low: *counter, stacked: true }));
    *counter += 1;
    stack.push(node);
    effort.visit();
    let mut options = Vec::new();
    for (other, _) in steps.from(graph, node) {
        if !effort.inspect() {
            break;
        }
        options.push(other);
    }
    (node, options)
}

fn lower(marks: &mut PerNode<Option<Mark>>, node: Node, low: usize) {
    marks.change(node, |mark| {
        if let Some(mark) = mark {
            mark.low = mark.low.min(low);
        }
    });
}
