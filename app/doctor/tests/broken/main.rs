//! Servers that are wrong in one way each, made by hand, and what the doctor says of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod http;
mod server;
mod stdio;
