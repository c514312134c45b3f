//! What stands around operations: who is asked when, who hears of which end, and what limits and records do.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod audit;
mod ends;
mod limits;
mod order;
mod results;
mod stage;
mod tasks;
