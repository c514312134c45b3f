//! Which layer each shape stands in.

/// Arrows as pairs of positions, without rings, and the layer of each shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layers {
    /// From an earlier to a later layer. An arrow that closes a ring is turned round.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) layer: Vec<usize>,
}

/// Puts every shape behind all that lead to it, and as near to what it leads to as it can be.
pub(super) fn layers(count: usize, arrows: impl Iterator<Item = (usize, usize)>) -> Layers {
    let mut pairs: Vec<(usize, usize)> = arrows.filter(|(from, to)| from != to).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let pairs = without_rings(count, &pairs);
    let (out, into) = neighbours(count, &pairs);
    let mut layer = vec![0_usize; count];
    let mut order = Vec::with_capacity(count);
    let mut waiting: Vec<usize> = into.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..count).rev().filter(|at| waiting.get(*at) == Some(&0)).collect();
    while let Some(at) = ready.pop() {
        order.push(at);
        let next = layer.get(at).copied().unwrap_or_default().saturating_add(1);
        for other in out.get(at).into_iter().flatten() {
            if let Some(place) = layer.get_mut(*other) {
                *place = next.max(*place);
            }
            if let Some(left) = waiting.get_mut(*other) {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    ready.push(*other);
                }
            }
        }
    }
    // What nothing leads to would stand far from its only neighbours.
    for at in order.into_iter().rev() {
        let first = out.get(at).into_iter().flatten().filter_map(|other| layer.get(*other)).min().copied();
        if into.get(at).is_some_and(Vec::is_empty)
            && let (Some(first), Some(place)) = (first, layer.get_mut(at))
        {
            *place = first.saturating_sub(1);
        }
    }
    Layers { pairs, layer }
}

/// The positions that each position leads to, and that lead to it.
fn neighbours(count: usize, pairs: &[(usize, usize)]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let (mut out, mut into) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (from, to) in pairs {
        if let (Some(targets), Some(sources)) = (out.get_mut(*from), into.get_mut(*to)) {
            targets.push(*to);
            sources.push(*from);
        }
    }
    (out, into)
}

/// The same pairs with those turned round that lead back to a position on the way to them.
fn without_rings(count: usize, pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnTheWay,
        Left,
    }
    let (out, _) = neighbours(count, pairs);
    let mut marks = vec![Mark::New; count];
    let mut straight = Vec::with_capacity(pairs.len());
    for start in 0..count {
        if marks.get(start) != Some(&Mark::New) {
            continue;
        }
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        if let Some(mark) = marks.get_mut(start) {
            *mark = Mark::OnTheWay;
        }
        while let Some((at, next)) = way.last_mut() {
            let (at, target) = (*at, out.get(*at).and_then(|targets| targets.get(*next)).copied());
            *next += 1;
            let Some(target) = target else {
                if let Some(mark) = marks.get_mut(at) {
                    *mark = Mark::Left;
                }
                way.pop();
                continue;
            };
            match marks.get(target) {
                Some(Mark::OnTheWay) => straight.push((target, at)),
                Some(Mark::New) => {
                    straight.push((at, target));
                    if let Some(mark) = marks.get_mut(target) {
                        *mark = Mark::OnTheWay;
                    }
                    way.push((target, 0));
                }
                Some(Mark::Left) | None => straight.push((at, target)),
            }
        }
    }
    straight.sort_unstable();
    straight.dedup();
    straight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stands_behind_what_leads_to_it() {
        let found = layers(5, [(0, 1), (1, 2), (0, 2), (3, 2), (4, 4)].into_iter());
        assert_eq!(found.layer, [0, 1, 2, 1, 0], "3 stands beside 1, next to what it leads to");
    }

    #[test]
    fn rings_lose_one_arrow_and_nothing_else() {
        let found = layers(3, [(0, 1), (1, 2), (2, 0)].into_iter());
        assert_eq!(found.layer, [0, 1, 2]);
        assert_eq!(found.pairs, [(0, 1), (0, 2), (1, 2)]);
    }
}
