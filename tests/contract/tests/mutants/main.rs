//! The kit against adapters that are wrong on purpose: each law catches the fault that it names.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod caught;
mod task_store;
