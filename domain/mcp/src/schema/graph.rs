//! How far references and in-place keywords lead: loops, ways and depths.

use alloc::{vec, vec::Vec};

use super::{
    excerpt,
    fault::SchemaFault,
    keyword::Use,
    limits::{SchemaBound, SchemaLimits},
    outline::Outline,
};

/// What validation with a schema costs in stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    /// Subschemas on the longest way that stays on one value.
    pub(super) in_place_depth: usize,
    /// Whether the schema leads back to one of its subschemas further down in the value.
    pub(super) is_recursive: bool,
}

/// Which subschemas a subschema applies, itself or by reference.
pub(super) struct Graph<'o, 'a> {
    outline: &'o Outline<'a>,
    edges: Vec<Vec<Edge>>,
}

#[derive(Clone, Copy)]
struct Edge {
    to: usize,
    in_place: bool,
    by_reference: bool,
}

impl<'o, 'a> Graph<'o, 'a> {
    pub(super) fn new(outline: &'o Outline<'a>, references: &[(usize, usize)]) -> Self {
        let mut edges = vec![Vec::new(); outline.subschemas().len()];
        let mut link = |from: usize, edge| {
            if let Some(out) = edges.get_mut(from) {
                out.push(edge);
            }
        };
        for (to, subschema) in outline.subschemas().iter().enumerate() {
            let in_place = match subschema.role {
                Use::InPlace => true,
                Use::Below => false,
                Use::Defined => continue,
            };
            link(subschema.parent, Edge { to, in_place, by_reference: false });
        }
        for &(from, to) in references {
            link(from, Edge { to, in_place: true, by_reference: true });
        }
        Self { outline, edges }
    }

    /// Follows every edge once and refuses what does not end or leads too far.
    pub(super) fn check(&self, limits: &SchemaLimits) -> Result<Reach, SchemaFault> {
        let in_place_depth = self.check_ways(limits)?;
        let is_recursive = self.check_paths(limits)?;
        Ok(Reach { in_place_depth, is_recursive })
    }

    fn out(&self, node: usize) -> &[Edge] {
        self.edges.get(node).map_or(&[], Vec::as_slice)
    }

    /// Counts the ways through in-place edges from each subschema and returns the longest.
    ///
    /// A loop of in-place edges alone never reaches another part of the value, so no validator
    /// can end it; it is refused.
    fn check_ways(&self, limits: &SchemaLimits) -> Result<usize, SchemaFault> {
        let (bound, most) = if self.outline.has_unevaluated {
            let stricter = limits.unevaluated_expansion.min(limits.expansion);
            (SchemaBound::UnevaluatedExpansion, stricter)
        } else {
            (SchemaBound::Expansion, limits.expansion)
        };
        let mut states = vec![Ways::Unseen; self.edges.len()];
        let mut longest = 0;
        for root in 0..self.edges.len() {
            let mut open = vec![(root, 0_usize, 0_usize, 0_usize)];
            while let Some((node, next, ways, depth)) = open.last_mut() {
                let at = *node;
                match (states.get(at).copied(), *next) {
                    (Some(Ways::Counted { .. }) | None, 0) => {
                        open.pop();
                        continue;
                    }
                    (Some(Ways::Unseen), _) => set(&mut states, at, Ways::Open),
                    (Some(Ways::Open | Ways::Counted { .. }) | None, _) => {}
                }
                let Some(edge) = self.out(at).get(*next).copied() else {
                    let (ways, depth) = ((*ways).max(1), *depth + 1);
                    if ways > most {
                        return Err(self.outline.too_large(bound, at, limits));
                    }
                    longest = longest.max(depth);
                    set(&mut states, at, Ways::Counted { ways, depth });
                    open.pop();
                    continue;
                };
                if !edge.in_place {
                    *next += 1;
                    continue;
                }
                match states.get(edge.to).copied() {
                    Some(Ways::Counted { ways: more, depth: below }) => {
                        *ways = ways.saturating_add(more);
                        *depth = (*depth).max(below);
                        *next += 1;
                    }
                    Some(Ways::Open) => {
                        let pointer = excerpt(&self.outline.pointer(at));
                        return Err(SchemaFault::ReferenceLoop { pointer });
                    }
                    Some(Ways::Unseen) => open.push((edge.to, 0, 0, 0)),
                    None => *next += 1,
                }
            }
        }
        Ok(longest)
    }

    /// Bounds the subschemas on the longest way through all edges and says whether there is a
    /// cycle.
    ///
    /// Cycles are legal here (a tree schema refers to itself), so the ways are counted between
    /// groups of subschemas that lead to one another (Tarjan's strongly connected components,
    /// which come out sinks first). Within a group a compiler descends at most once into each
    /// subschema that is referred to from inside.
    fn check_paths(&self, limits: &SchemaLimits) -> Result<bool, SchemaFault> {
        let groups = self.groups();
        let mut is_recursive = false;
        let mut group_of = vec![0_usize; self.edges.len()];
        for (number, group) in groups.iter().enumerate() {
            for &node in group {
                set(&mut group_of, node, number);
            }
        }
        let of = |node: usize| group_of.get(node).copied().unwrap_or(0);
        let mut lengths: Vec<usize> = Vec::with_capacity(groups.len());
        for (number, group) in groups.iter().enumerate() {
            let mut beyond = 0;
            let mut inside = Vec::new();
            let mut is_cycle = false;
            for edge in group.iter().flat_map(|&node| self.out(node)) {
                if of(edge.to) == number {
                    is_cycle = true;
                    if edge.by_reference {
                        inside.push(edge.to);
                    }
                } else {
                    beyond = beyond.max(lengths.get(of(edge.to)).copied().unwrap_or(0));
                }
            }
            inside.sort_unstable();
            inside.dedup();
            let length = beyond + inside.len().max(1);
            if length > limits.reference_path {
                let at = group.first().copied().unwrap_or(0);
                return Err(self.outline.too_large(SchemaBound::ReferencePath, at, limits));
            }
            lengths.push(length);
            is_recursive |= is_cycle;
        }
        Ok(is_recursive)
    }

    fn groups(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let count = self.edges.len();
        let mut order = vec![UNSEEN; count];
        let mut low = vec![UNSEEN; count];
        let mut is_waiting = vec![false; count];
        let mut waiting = Vec::new();
        let mut groups = Vec::new();
        let mut seen = 0;
        let mut open: Vec<(usize, usize)> = Vec::new();
        let read = |list: &[usize], at: usize| list.get(at).copied().unwrap_or(UNSEEN);
        for root in 0..count {
            if read(&order, root) == UNSEEN {
                open.push((root, 0));
            }
            while let Some((node, next)) = open.last_mut() {
                let node = *node;
                if *next == 0 && read(&order, node) == UNSEEN {
                    set(&mut order, node, seen);
                    set(&mut low, node, seen);
                    set(&mut is_waiting, node, true);
                    seen += 1;
                    waiting.push(node);
                }
                if let Some(edge) = self.out(node).get(*next) {
                    *next += 1;
                    if read(&order, edge.to) == UNSEEN {
                        open.push((edge.to, 0));
                    } else if is_waiting.get(edge.to) == Some(&true) {
                        let lowest = read(&low, node).min(read(&order, edge.to));
                        set(&mut low, node, lowest);
                    }
                    continue;
                }
                open.pop();
                if let Some(&(parent, _)) = open.last() {
                    let lowest = read(&low, parent).min(read(&low, node));
                    set(&mut low, parent, lowest);
                }
                if read(&low, node) == read(&order, node) {
                    let from = waiting.iter().rposition(|&held| held == node).unwrap_or(0);
                    let group = waiting.split_off(from);
                    for &member in &group {
                        set(&mut is_waiting, member, false);
                    }
                    groups.push(group);
                }
            }
        }
        groups
    }
}

#[derive(Clone, Copy)]
enum Ways {
    Unseen,
    Open,
    Counted { ways: usize, depth: usize },
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}
