//! Which edges a walk may take, and which way.

use super::query::Direction;
use super::relation::Relation;
use super::store::{Edge, Graph, Node};

/// The edges a walk may take.
#[derive(Debug, Clone)]
pub(crate) enum Steps {
    /// Edges of any kind.
    Any(Direction),
    /// Edges of these kinds, each its own way.
    Of(Vec<(Relation, Direction)>),
}

impl Steps {
    /// One kind, one way.
    pub(crate) fn along(kind: Relation, direction: Direction) -> Self {
        Self::Of(vec![(kind, direction)])
    }

    /// The kinds a caller asked for, all one way; any kind if it named none.
    pub(crate) fn among(kinds: &[Relation], direction: Direction) -> Self {
        if kinds.is_empty() {
            return Self::Any(direction);
        }
        Self::Of(kinds.iter().map(|kind| (kind.clone().oriented().0, direction)).collect())
    }

    fn takes(&self, kind: &Relation, way: Direction) -> bool {
        let fits = |direction: Direction| {
            direction == way || direction == Direction::Both || *kind == Relation::Related
        };
        match self {
            Self::Any(direction) => fits(*direction),
            Self::Of(list) => list.iter().any(|(known, direction)| known == kind && fits(*direction)),
        }
    }

    /// Whether an edge can be taken in either direction.
    pub(crate) fn includes(&self, edge: &Edge) -> bool {
        self.takes(&edge.kind, Direction::Out) || self.takes(&edge.kind, Direction::In)
    }

    /// The edges that lead on from a node, each with its other end.
    pub(crate) fn from<'w>(&'w self, graph: &'w Graph, node: Node) -> impl Iterator<Item = (Node, &'w Edge)> {
        let out = graph.outgoing(node).filter(|edge| self.takes(&edge.kind, Direction::Out));
        let back = graph.incoming(node).filter(|edge| self.takes(&edge.kind, Direction::In));
        out.map(|edge| (edge.to, edge)).chain(back.map(|edge| (edge.from, edge)))
    }

    /// The same edges, the other way round.
    pub(crate) fn reversed(&self) -> Self {
        let turn = |direction: Direction| match direction {
            Direction::Out => Direction::In,
            Direction::In => Direction::Out,
            Direction::Both => Direction::Both,
        };
        match self {
            Self::Any(direction) => Self::Any(turn(*direction)),
            Self::Of(list) => {
                Self::Of(list.iter().map(|(kind, direction)| (kind.clone(), turn(*direction))).collect())
            }
        }
    }
}
