//! Where within its layer every place comes to lie.

use std::collections::BTreeMap;

use super::order::{Ordered, Place, as_number};

/// How often places are drawn to their neighbours.
const ROUNDS: usize = 16;

/// The middles of all places across the layers' direction, none below half its size, and the size of the whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) middle: BTreeMap<Place, f64>,
    pub(super) size: f64,
}

/// Draws every place towards its neighbours while those of a layer keep their order and distance.
///
/// `extent` gives the size of a shape across, `gap` is the least distance between two places.
pub(super) fn place(ordered: &Ordered, extent: impl Fn(usize) -> f64, gap: f64) -> Placed {
    let half = |place: &Place| match place {
        Place::Shape(shape) => extent(*shape) / 2.0,
        Place::Pass(..) => 4.0,
    };
    let mut middle: BTreeMap<Place, f64> = BTreeMap::new();
    for row in &ordered.rows {
        let mut end = 0.0;
        for place in row {
            middle.insert(*place, end + half(place));
            end += 2.0 * half(place) + gap;
        }
    }
    let mut beside: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for (from, to) in &ordered.steps {
        beside.entry(*from).or_default().push(*to);
        beside.entry(*to).or_default().push(*from);
    }
    for round in 0..ROUNDS {
        let count = ordered.rows.len();
        for step in 0..count {
            let at = if round % 2 == 0 { step } else { count - 1 - step };
            let Some(row) = ordered.rows.get(at) else { continue };
            let wished: Vec<f64> = row.iter().map(|place| wish(place, &beside, &middle)).collect();
            // Distances from the first place to each, as they have to be at least.
            let mut offsets = Vec::with_capacity(row.len());
            let mut offset = 0.0;
            for (at, place) in row.iter().enumerate() {
                if let Some(before) = at.checked_sub(1).and_then(|before| row.get(before)) {
                    offset += half(before) + gap + half(place);
                }
                offsets.push(offset);
            }
            let free: Vec<f64> = wished.iter().zip(&offsets).map(|(wish, offset)| wish - offset).collect();
            for ((place, free), offset) in row.iter().zip(rising(&free)).zip(&offsets) {
                middle.insert(*place, free + offset);
            }
        }
    }
    let least = middle.iter().map(|(place, at)| at - half(place)).fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 0.0 };
    for at in middle.values_mut() {
        *at -= least;
    }
    let size = middle.iter().map(|(place, at)| at + half(place)).fold(0.0, f64::max);
    Placed { middle, size }
}

/// The mean of the neighbours' middles; where it is for a place without any.
fn wish(place: &Place, beside: &BTreeMap<Place, Vec<Place>>, middle: &BTreeMap<Place, f64>) -> f64 {
    let others: Vec<f64> =
        beside.get(place).into_iter().flatten().filter_map(|other| middle.get(other)).copied().collect();
    match others.len() {
        0 => middle.get(place).copied().unwrap_or_default(),
        count => others.iter().sum::<f64>() / as_number(count),
    }
}

/// The rising numbers that are nearest to some numbers, in the sense of least squares: neighbours that are in the
/// wrong order share their mean.
fn rising(wished: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::with_capacity(wished.len());
    for wish in wished {
        let mut block = (*wish, 1_usize);
        while let Some((mean, count)) = blocks.last().copied() {
            if mean <= block.0 {
                break;
            }
            blocks.pop();
            let together = count.saturating_add(block.1);
            let sum = mean * as_number(count) + block.0 * as_number(block.1);
            block = (sum / as_number(together), together);
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layers::layers;
    use super::super::order::order;
    use super::*;

    #[test]
    fn a_parent_stands_in_the_middle_of_its_children() {
        let ordered = order(&layers(4, [(0, 1), (0, 2), (0, 3)].into_iter()), &[true; 4]);
        let placed = place(&ordered, |_| 40.0, 20.0);
        let at = |shape| placed.middle.get(&Place::Shape(shape)).copied().unwrap();
        assert!((at(0) - at(2)).abs() < 0.01, "{placed:?}");
        assert!((placed.size - 160.0).abs() < 0.01, "{placed:?}");
    }

    #[test]
    fn numbers_in_the_wrong_order_share_their_mean() {
        assert_eq!(rising(&[1.0, 4.0, 2.0, 5.0]), [1.0, 3.0, 3.0, 5.0]);
    }
}
