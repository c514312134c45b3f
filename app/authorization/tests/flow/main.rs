//! Authorizers against authorization servers of a script, some of which mean no good.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod discovery;
mod once;
mod refresh;
mod registration;
mod response;
mod scopes;
mod without_user;
mod world;
