//! The pm workspace format: TOON items, JSONL histories, settings and schema files.
//!
//! Reads a workspace as it lies in a repository and writes nothing. One bad file never hides the others: what cannot
//! be used is listed with the reason.

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

pub use repository::{PAUSE_BETWEEN_LOOKS, PmWorkspace};
pub use root::{RootError, WorkspaceRoot};
