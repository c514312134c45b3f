//! Writing the workspace format: what is on disk after every kind of change, failure and stop.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "a test stops at the first surprise"
)]

mod batches;
mod changes;
#[path = "../common/mod.rs"]
mod common;
mod desk;
mod failures;
mod kills;
mod locks;
mod outside;
