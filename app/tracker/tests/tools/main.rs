//! The reading tools through the whole engine, over a made-up workspace in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod answers;
mod client;
mod events;
mod failures;
mod golden;
mod long;
mod memory;
mod pages;
mod past;
mod sample;
mod schemas;
