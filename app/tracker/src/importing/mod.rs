//! Bringing items in: what is new, what is there already, and making the rest.

mod ask;
mod make;
mod plan;
mod report;
mod run;

pub use report::{ImportDuplicate, ImportError, ImportReport, ImportSkipped, ImportedItem};

pub(crate) use run::{Duplicates, Importing, import};
