//! A small made-up workspace, for those who have none yet.
//!
//! Items are kept as steps of their histories. Files, patches and hashes are computed from them, so they always fit.

mod create;
mod history;
mod step;

pub use create::{SampleError, create};

#[cfg(test)]
mod tests;
