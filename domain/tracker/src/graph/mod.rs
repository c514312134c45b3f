//! The relationship graph of a workspace and the questions on it.
//!
//! Decides what an edge is, whichever of an item's fields states it, and answers questions in a fixed order and with
//! bounded work. Every walk keeps its own stack or queue: how deep items are nested is the workspace's choice.

mod answer;
mod ask;
mod audit;
mod centrality;
mod critical_path;
mod cycles;
mod paths;
mod per_node;
mod query;
mod reach;
mod redundancy;
mod relation;
mod steps;
mod store;
#[cfg(test)]
mod tests;

pub use answer::{GraphAnswer, GraphCost, GraphEdge, GraphNode};
pub use critical_path::UNESTIMATED_MINUTES;
pub use query::{Direction, EFFORT_DEFAULT, GraphQuery, GraphQueryError, LIMIT_DEFAULT, Question};
pub use relation::Relation;
pub use store::{Graph, NO_ACTIVE_BLOCKER};

pub(crate) use answer::Effort;
pub(crate) use cycles::{cycles, hierarchy_steps, ordering_steps};
pub(crate) use reach::reach;
pub(crate) use steps::Steps;
pub(crate) use store::{Node, names_an_item};
