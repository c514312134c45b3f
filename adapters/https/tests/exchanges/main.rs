//! Exchanges with servers of this machine, some of which mean no good.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod bounds;
mod reach;
mod server;
mod trust;
