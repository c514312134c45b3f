//! The geometry of a picture: a place for every box and a way for every arrow.

use std::collections::BTreeMap;

use super::bundles::Bundles;
use super::layers::layers;
use super::order::{Place, as_number, order};
use super::place::place;
use super::sketch::{Arrow, Picture};

/// Width and height of a box, in pixels.
pub(super) const BOX: (f64, f64) = (196.0, 58.0);

/// Between layers, where the arrows run.
const BETWEEN_LAYERS: (f64, f64) = (62.0, 46.0);

/// Between boxes of one layer.
const BETWEEN_BOXES: (f64, f64) = (18.0, 14.0);

/// Between the columns of a block.
const BETWEEN_COLUMNS: f64 = 32.0;

/// A drawing that is wider is turned, if that makes it narrower: pages scroll down, not sideways.
const WIDE: f64 = 1_500.0;

/// A drawing that is taller gets blocks of several columns, while it does not become too wide.
const TALL: f64 = 1_100.0;

/// Most columns of a block.
const COLUMNS: usize = 4;

/// Everything has a place, in pixels from the top left.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The top left of each box, in the order of the shapes.
    pub(super) boxes: Vec<(f64, f64)>,
    /// The points of each arrow, in the order of the arrows.
    pub(super) ways: Vec<Vec<(f64, f64)>>,
    /// Whether work leads from top to bottom.
    pub(super) downwards: bool,
}

pub(super) fn draw(picture: &Picture) -> Drawing {
    let mut sideways = drawn(picture, false, 1);
    for columns in 2..=COLUMNS {
        if sideways.height <= TALL {
            break;
        }
        let lower = drawn(picture, false, columns);
        if lower.width <= WIDE && lower.height < sideways.height {
            sideways = lower;
        }
    }
    if sideways.width <= WIDE {
        return sideways;
    }
    let downwards = drawn(picture, true, 1);
    if downwards.width < sideways.width { downwards } else { sideways }
}

fn drawn(picture: &Picture, downwards: bool, columns: usize) -> Drawing {
    let count = picture.shapes.len();
    let mut linked = vec![false; count];
    for arrow in picture.arrows.iter().filter(|arrow| arrow.from != arrow.to) {
        for end in [arrow.from, arrow.to] {
            if let Some(mark) = linked.get_mut(end) {
                *mark = true;
            }
        }
    }
    let ends: Vec<(usize, usize)> = picture.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
    let layered = layers(count, ends.iter().copied());
    let bundles = Bundles::new(columns, count, &layered, &ends);
    let layered = bundles.without_followers(&layered);
    let standing: Vec<bool> =
        linked.iter().enumerate().map(|(shape, linked)| *linked && !bundles.follows(shape)).collect();
    let ordered = order(&layered, &standing);
    let (deep, extent) = if downwards { (BOX.1, BOX.0) } else { (BOX.0, BOX.1) };
    let (between, gap) =
        if downwards { (BETWEEN_LAYERS.1, BETWEEN_BOXES.0) } else { (BETWEEN_LAYERS.0, BETWEEN_BOXES.1) };
    let high = |shape: usize| as_number(bundles.rows(shape)) * (extent + gap) - gap;
    let placed = place(&ordered, high, gap);
    // A layer with a block is as deep as its columns.
    let block = as_number(columns) * (deep + BETWEEN_COLUMNS) - BETWEEN_COLUMNS;
    let blocks: Vec<usize> = bundles
        .all
        .iter()
        .filter_map(|bundle| bundle.leaves.first().and_then(|leaf| layered.layer.get(*leaf)).copied())
        .collect();
    let depth = |layer: usize| if blocks.contains(&layer) { block } else { deep };
    let along = |layer: usize| (0..layer).map(|before| depth(before) + between).sum::<f64>();
    let turn = |point: (f64, f64)| if downwards { (point.1, point.0) } else { point };

    let height_in_layers = ordered.rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    let length = if height_in_layers == 0 { 0.0 } else { along(height_in_layers) - between };
    let (mut width, mut height) = turn((length, placed.size));

    // The places that each pair passes.
    let mut passes: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    for (spot, middle) in &placed.middle {
        if let Place::Pass(pair, layer) = spot {
            passes.entry(*pair).or_default().push((*layer, *middle));
        }
    }
    let mut boxes: Vec<(f64, f64)> = (0..count)
        .map(|shape| {
            let layer = layered.layer.get(shape).copied().unwrap_or_default();
            let middle = |shape| placed.middle.get(&Place::Shape(shape)).copied().unwrap_or_default();
            match bundles.spot(shape) {
                None => turn((along(layer), middle(shape) - extent / 2.0)),
                Some((bundle, column, row)) => {
                    let first = bundle.leaves.first().copied().unwrap_or_default();
                    let top = middle(first) - high(first) / 2.0 + as_number(row) * (extent + gap);
                    turn((along(layer) + as_number(column) * (deep + BETWEEN_COLUMNS), top))
                }
            }
        })
        .collect();
    let ways = picture
        .arrows
        .iter()
        .map(|arrow| {
            if arrow.from == arrow.to {
                return loop_at(boxes.get(arrow.from).copied().unwrap_or_default());
            }
            if let Some((bundle, column, _)) = bundles.spot(arrow.to) {
                let corner = boxes.get(arrow.to).copied().unwrap_or_default();
                let parent = boxes.get(bundle.parent).copied().unwrap_or_default();
                let layer = layered.layer.get(arrow.to).copied().unwrap_or_default();
                return to_leaf(parent, corner, along(layer), between, gap, column);
            }
            let found = |from, to| layered.pairs.iter().position(|pair| *pair == (from, to));
            let (pair, turned) = match found(arrow.from, arrow.to) {
                Some(pair) => (pair, false),
                None => (found(arrow.to, arrow.from).unwrap_or_default(), true),
            };
            let (first, last) = if turned { (arrow.to, arrow.from) } else { (arrow.from, arrow.to) };
            let aside = aside(picture, arrow);
            let spot = |shape: usize| {
                let layer = layered.layer.get(shape).copied().unwrap_or_default();
                let middle = placed.middle.get(&Place::Shape(shape)).copied().unwrap_or_default();
                (along(layer), middle + aside)
            };
            let mut points = Vec::new();
            let (start, middle) = spot(first);
            points.push((start + deep, middle));
            let behind = layered.layer.get(first).copied().map_or(deep, depth);
            if behind > deep {
                // Past the columns of the blocks beside it.
                points.push((start + behind, middle));
            }
            for (layer, middle) in passes.get(&pair).into_iter().flatten() {
                points.push((along(*layer), *middle));
                points.push((along(*layer) + depth(*layer), *middle));
            }
            let (end, middle) = spot(last);
            points.push((end, middle));
            if turned {
                points.reverse();
            }
            points.into_iter().map(turn).collect()
        })
        .collect();

    add_unlinked(&linked, &mut boxes, &mut width, &mut height);
    Drawing { width, height, boxes, ways, downwards }
}

/// The way to a leaf in a block that begins at `left`: to the first column straight, to the others above their row.
fn to_leaf(
    parent: (f64, f64),
    leaf: (f64, f64),
    left: f64,
    between: f64,
    gap: f64,
    column: usize,
) -> Vec<(f64, f64)> {
    let end = (leaf.0, leaf.1 + BOX.1 / 2.0);
    // Blocks stand one layer behind; the layer of the parent may be deeper than its box.
    let mut points = vec![(parent.0 + BOX.0, parent.1 + BOX.1 / 2.0)];
    if left - between > parent.0 + BOX.0 {
        points.push((left - between, parent.1 + BOX.1 / 2.0));
    }
    if column > 0 {
        let above = leaf.1 - gap / 2.0;
        points.push((left, above));
        points.push((leaf.0 - BETWEEN_COLUMNS, above));
    }
    points.push(end);
    points
}

/// What has no arrows stands in rows below the rest.
fn add_unlinked(linked: &[bool], boxes: &mut [(f64, f64)], width: &mut f64, height: &mut f64) {
    let alone = linked.iter().filter(|linked| !**linked).count();
    if alone == 0 {
        return;
    }
    let step = (BOX.0 + BETWEEN_BOXES.0, BOX.1 + BETWEEN_BOXES.1);
    let top = if *height > 0.0 { *height + BETWEEN_LAYERS.1 } else { 0.0 };
    // As many in a row as there is room for beside the rest, and five at least.
    let mut room = 5_usize.min(alone);
    while room < alone && as_number(room + 1) * step.0 - BETWEEN_BOXES.0 <= width.min(WIDE) {
        room += 1;
    }
    let mut at = 0_usize;
    for (corner, linked) in boxes.iter_mut().zip(linked) {
        if *linked {
            continue;
        }
        *corner = (as_number(at % room) * step.0, top + as_number(at / room) * step.1);
        at += 1;
    }
    *width = width.max(as_number(room) * step.0 - BETWEEN_BOXES.0);
    *height = top + as_number(alone.div_ceil(room)) * step.1 - BETWEEN_BOXES.1;
}

/// How far an arrow keeps aside of others between the same two boxes.
fn aside(picture: &Picture, arrow: &Arrow) -> f64 {
    let same = |other: &&Arrow| {
        (other.from, other.to) == (arrow.from, arrow.to) || (other.to, other.from) == (arrow.from, arrow.to)
    };
    let all: Vec<&Arrow> = picture.arrows.iter().filter(same).collect();
    let own = all.iter().position(|other| *other == arrow).unwrap_or_default();
    (as_number(own) - as_number(all.len().saturating_sub(1)) / 2.0) * 9.0
}

/// A small loop at the top right of a box, for what leads to itself.
fn loop_at((left, top): (f64, f64)) -> Vec<(f64, f64)> {
    let right = left + BOX.0;
    vec![(right - 24.0, top), (right + 14.0, top - 12.0), (right, top + 18.0)]
}
