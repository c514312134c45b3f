//! The programs as processes, over the made-up sample and over small folders.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod access;
mod http;
mod prompts;
mod resources;
mod session;
mod skills;
mod start;
#[cfg(unix)]
mod telemetry;
mod tools;
mod watching;
mod writing;
