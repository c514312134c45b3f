//! Who gets in, what a caller may do, and what it may know of: a server that asks for tokens, in the same process and over
//! real sockets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod building;
mod catalogue;
mod example;
mod http;
mod ladder;
mod scopes;
mod support;
mod tasks;
mod threats;
