//! Templates of the tracker's resources.

mod entries;
mod read;

pub use entries::templates;

pub(crate) use read::full_item;
