//! Leaves that stand together: what many boxes of one layer hang on is drawn as a block of several columns, because a
//! layer of fifty boxes is taller than any screen.

use std::collections::BTreeMap;

use super::layers::Layers;

/// Fewer leaves than this of one shape stand in one column.
const FEWEST: usize = 4;

/// The leaves of one shape, by positions of shapes. The first one stands for all while layers are ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bundle {
    pub(super) parent: usize,
    pub(super) leaves: Vec<usize>,
}

/// Blocks of leaves, and which block a leaf belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Bundles {
    pub(super) columns: usize,
    pub(super) all: Vec<Bundle>,
    of: BTreeMap<usize, (usize, usize)>,
}

impl Bundles {
    /// Finds what can stand in blocks of `columns` columns: shapes with one arrow only, which leads to them from the
    /// layer before. With one column there are none.
    pub(super) fn new(columns: usize, count: usize, layers: &Layers, ends: &[(usize, usize)]) -> Self {
        let mut found = Self { columns, ..Self::default() };
        if columns < 2 {
            return found;
        }
        let mut touched = vec![0_usize; count];
        for (from, to) in ends.iter().filter(|(from, to)| from != to) {
            for end in [from, to] {
                if let Some(times) = touched.get_mut(*end) {
                    *times += 1;
                }
            }
        }
        let mut leaves: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (from, to) in &layers.pairs {
            let next = layers.layer.get(*from).map(|layer| layer + 1) == layers.layer.get(*to).copied();
            if next && touched.get(*to) == Some(&1) {
                leaves.entry(*from).or_default().push(*to);
            }
        }
        for (parent, leaves) in leaves.into_iter().filter(|(_, leaves)| leaves.len() >= FEWEST) {
            let number = found.all.len();
            found.of.extend(leaves.iter().enumerate().map(|(at, leaf)| (*leaf, (number, at))));
            found.all.push(Bundle { parent, leaves });
        }
        found
    }

    /// The layers without the leaves that another one stands for.
    pub(super) fn without_followers(&self, layers: &Layers) -> Layers {
        let pairs = layers.pairs.iter().filter(|(_, to)| !self.follows(*to)).copied();
        Layers { pairs: pairs.collect(), layer: layers.layer.clone() }
    }

    /// Whether another leaf stands for this shape.
    pub(super) fn follows(&self, shape: usize) -> bool {
        self.of.get(&shape).is_some_and(|(_, at)| *at > 0)
    }

    /// The block that a shape belongs to, with its column and row there.
    pub(super) fn spot(&self, shape: usize) -> Option<(&Bundle, usize, usize)> {
        let (number, at) = self.of.get(&shape)?;
        Some((self.all.get(*number)?, at % self.columns, at / self.columns))
    }

    /// How many rows the block has for which a shape stands; one for any other shape.
    pub(super) fn rows(&self, shape: usize) -> usize {
        self.spot(shape).map_or(1, |(bundle, ..)| bundle.leaves.len().div_ceil(self.columns))
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::layers;
    use super::*;

    #[test]
    fn leaves_of_one_shape_stand_together_and_others_do_not() {
        let ends = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (5, 4), (6, 7)];
        let layered = layers(8, ends.into_iter());
        let few = Bundles::new(2, 8, &layered, &ends);
        assert!(few.all.is_empty(), "three leaves stand in one column: {few:?}");
        let ends = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (5, 6)];
        let layered = layers(7, ends.into_iter());
        let found = Bundles::new(2, 7, &layered, &ends);
        assert_eq!(found.all, [Bundle { parent: 0, leaves: vec![1, 2, 3, 4] }]);
        assert_eq!(found.spot(4).map(|(_, column, row)| (column, row)), Some((1, 1)));
        assert_eq!((found.rows(1), found.rows(5)), (2, 1));
        assert!(found.follows(2) && !found.follows(1) && !found.follows(5));
        assert!(Bundles::new(1, 7, &layered, &ends).all.is_empty());
    }
}
