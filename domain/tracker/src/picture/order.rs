//! In which order shapes stand within their layer, so that few arrows cross.

use std::collections::BTreeMap;

use super::layers::Layers;

/// How often layers are swept. More changes little at the size of a picture.
const SWEEPS: usize = 24;

/// A thing that has a place: a shape, or the point where an arrow passes through a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Shape(usize),
    /// The number of the pair, and the layer.
    Pass(usize, usize),
}

/// Places layer by layer in drawing order, and the steps between neighbouring layers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ordered {
    pub(super) rows: Vec<Vec<Place>>,
    pub(super) steps: Vec<(Place, Place)>,
}

/// Orders the layers. `drawn` says which shapes take part.
pub(super) fn order(layers: &Layers, drawn: &[bool]) -> Ordered {
    let height = layers.layer.iter().max().map_or(0, |last| last.saturating_add(1));
    let mut rows: Vec<Vec<Place>> = vec![Vec::new(); height];
    for (shape, layer) in layers.layer.iter().enumerate() {
        if drawn.get(shape) == Some(&true)
            && let Some(row) = rows.get_mut(*layer)
        {
            row.push(Place::Shape(shape));
        }
    }
    let mut steps = Vec::new();
    for (number, (from, to)) in layers.pairs.iter().enumerate() {
        let (Some(first), Some(last)) = (layers.layer.get(*from), layers.layer.get(*to)) else { continue };
        let mut before = Place::Shape(*from);
        for layer in first.saturating_add(1)..*last {
            let pass = Place::Pass(number, layer);
            if let Some(row) = rows.get_mut(layer) {
                row.push(pass);
            }
            steps.push((before, pass));
            before = pass;
        }
        steps.push((before, Place::Shape(*to)));
    }
    let mut best = rows.clone();
    let mut fewest = crossings(&rows, &steps);
    for sweep in 0..SWEEPS {
        if fewest == 0 {
            break;
        }
        let downwards = sweep % 2 == 0;
        settle(&mut rows, &steps, downwards);
        let now = crossings(&rows, &steps);
        if now < fewest {
            fewest = now;
            best.clone_from(&rows);
        }
    }
    Ordered { rows: best, steps }
}

fn positions(rows: &[Vec<Place>]) -> BTreeMap<Place, usize> {
    rows.iter().flat_map(|row| row.iter().enumerate().map(|(at, place)| (*place, at))).collect()
}

/// Moves every place to the middle of its neighbours in the layer before, or behind.
fn settle(rows: &mut [Vec<Place>], steps: &[(Place, Place)], downwards: bool) {
    let mut beside: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for (from, to) in steps {
        let (place, other) = if downwards { (to, from) } else { (from, to) };
        beside.entry(*place).or_default().push(*other);
    }
    let count = rows.len();
    for step in 1..count {
        let at = if downwards { step } else { count - 1 - step };
        let position = positions(rows);
        let Some(row) = rows.get_mut(at) else { continue };
        let middle = |place: &Place, own: usize| -> f64 {
            let others: Vec<f64> = beside
                .get(place)
                .into_iter()
                .flatten()
                .filter_map(|other| position.get(other))
                .map(|at| as_number(*at))
                .collect();
            if others.is_empty() {
                as_number(own)
            } else {
                others.iter().sum::<f64>() / as_number(others.len())
            }
        };
        let mut weighed: Vec<(f64, usize, Place)> =
            row.iter().enumerate().map(|(own, place)| (middle(place, own), own, *place)).collect();
        weighed.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        *row = weighed.into_iter().map(|(_, _, place)| place).collect();
    }
}

/// How many pairs of steps between neighbouring layers cross.
fn crossings(rows: &[Vec<Place>], steps: &[(Place, Place)]) -> usize {
    let position = positions(rows);
    let layer: BTreeMap<Place, usize> =
        rows.iter().enumerate().flat_map(|(at, row)| row.iter().map(move |place| (*place, at))).collect();
    let mut by_layer: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (from, to) in steps {
        if let (Some(layer), Some(from), Some(to)) = (layer.get(from), position.get(from), position.get(to)) {
            by_layer.entry(*layer).or_default().push((*from, *to));
        }
    }
    let mut crossed = 0;
    for mut between in by_layer.into_values() {
        between.sort_unstable();
        for (at, (_, to)) in between.iter().enumerate() {
            crossed += between.iter().take(at).filter(|(_, other)| other > to).count();
        }
    }
    crossed
}

/// Positions are far smaller than what a number tells apart.
pub(super) fn as_number(position: usize) -> f64 {
    u32::try_from(position).unwrap_or(u32::MAX).into()
}

#[cfg(test)]
mod tests {
    use super::super::layers::layers;
    use super::*;

    #[test]
    fn crossed_arrows_are_uncrossed() {
        let ordered = order(&layers(4, [(0, 3), (1, 2)].into_iter()), &[true; 4]);
        assert_eq!(crossings(&ordered.rows, &ordered.steps), 0);
    }

    #[test]
    fn a_long_arrow_passes_through_every_layer() {
        let ordered = order(&layers(3, [(0, 1), (1, 2), (0, 2)].into_iter()), &[true; 3]);
        assert_eq!(ordered.rows.get(1).map(Vec::len), Some(2));
        assert_eq!(ordered.steps.len(), 4);
    }
}
