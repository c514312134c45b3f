//! Items of other programs, read from text.
//!
//! Decides what each line or object means as an item of this tracker. It makes no items: ids, duplicates and the rules
//! of the workspace are for whoever makes them.

mod beads;
mod draft;
mod items;
mod todos;
mod value;

pub use draft::{Draft, DraftEdge, DraftFault, Drafts, IMPORT_MAX, ImportFormat, read};
