//! A workspace at one moment, with what follows from all items together: ranking, blockers, containers, scope.
//!
//! Decides what may be worked on and in which order. It refuses to know how items are stored and who may see them.

mod blockers;
mod completion;
mod context;
mod filter;
mod near;
mod next;
mod ranking;
mod sort;
mod standing;
mod store;

pub use blockers::{Blocker, BlockerState};
pub use completion::{COMPLETIONS_MAX, Completions};
pub use context::{Blocking, Context, ContextCounts};
pub use filter::{Assignment, ItemFilter};
pub use near::{NEAR_MAX, near};
pub use next::{Next, NextQuery, QueueTotals, Recommended, Waiting};
pub use sort::{Sort, SortKey};
pub use standing::Standing;
pub use store::Board;
