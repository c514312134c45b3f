//! The lifecycle of tasks: every state and every event, the laws, and the stored form.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod golden;
mod input;
mod laws;
mod record;
mod support;
mod table;
mod wire;
