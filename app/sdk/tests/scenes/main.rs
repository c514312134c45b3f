//! A server of the facade under hand-driven time: what it asks, remembers, reports, cancels, streams and runs as tasks.
//!
//! Every message that a server writes in these scenes is held against the published schemas, where they are at hand.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod support;

mod asking;
mod authority;
mod cancelling;
mod change_bus;
mod extensions;
mod field_cases;
mod limits;
mod limits_of_streams;
mod limits_of_tasks;
mod offering;
mod private;
mod progress;
mod sealed_state;
mod skills;
mod stdio_session;
mod subscriptions;
mod task_ends;
mod task_input;
mod task_notices;
mod task_starts;
