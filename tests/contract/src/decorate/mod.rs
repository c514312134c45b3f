//! Stores and guards that fail, dawdle or remember, around any other.

mod around;
mod faulty;
mod forward;
mod operation;
mod recording;
mod slow;

pub use faulty::{Failure, Faulty, ScriptedFault};
pub use operation::Operation;
pub use recording::{Recorded, Recording};
pub use slow::Slow;
