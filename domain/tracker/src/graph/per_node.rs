//! One value for each node of a graph.

use super::store::Node;

/// A table by node number. A node of another graph reads as the initial value and is not written.
#[derive(Debug)]
pub(crate) struct PerNode<T> {
    cells: Vec<T>,
    initial: T,
}

impl<T: Clone> PerNode<T> {
    pub(crate) fn new(nodes: usize, initial: T) -> Self {
        Self { cells: vec![initial.clone(); nodes], initial }
    }

    pub(crate) fn at(&self, node: Node) -> &T {
        self.cells.get(node.0).unwrap_or(&self.initial)
    }

    pub(crate) fn set(&mut self, node: Node, value: T) {
        if let Some(cell) = self.cells.get_mut(node.0) {
            *cell = value;
        }
    }

    pub(crate) fn change(&mut self, node: Node, change: impl FnOnce(&mut T)) {
        if let Some(cell) = self.cells.get_mut(node.0) {
            change(cell);
        }
    }
}
