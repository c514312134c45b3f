//! Sessions over byte streams, with a small made-up service behind them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod ending;
mod framing;
mod load;
mod order;
mod support;
