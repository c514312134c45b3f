//! The pm workspace format: TOON items, JSONL histories, settings and schema files.
//!
//! Reads a workspace as it lies in a repository: one bad file never hides the others; what cannot be used is listed with
//! the reason. Writes it so that pm itself accepts every byte and every hash, and loses nothing that it does not know.

mod check;
mod guidance;
mod health;
mod item_file;
mod load;
mod parallel;
mod repository;
mod root;
mod scan;
mod stamp;
mod stream;
pub mod toon;
mod vocabulary;
mod write;

pub use repository::{PAUSE_BETWEEN_LOOKS, PmWorkspace};
pub use root::{RootError, WorkspaceRoot};
pub use write::{StepObserver, WriteStep};
