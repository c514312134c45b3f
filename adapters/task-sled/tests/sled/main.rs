//! The sled adapter: the laws of its ports, and what is its own.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test stops at the first surprise"
)]

mod contract;
mod disk_use;
mod full_disk;
mod killed;
mod opening;
mod records;
mod transfer;
