//! A crate by somebody else, with a task store of its own.

mod shelf;

pub use shelf::Shelf;
