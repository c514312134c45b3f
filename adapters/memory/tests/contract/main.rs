//! The laws of the task store port: held by the memory store, each broken by a store that is wrong on purpose.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

mod laws;
mod memory;
mod mutants;
mod pages;
mod races;
mod records;
mod violation;
