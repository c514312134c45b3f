//! Situations that servers of this protocol meet in practice, by their numbers in `tests/acceptance/field-cases.json`.
//!
//! What the whole server shows from outside is here; the manifest also names tests of the crate where a case is
//! decided, and gives the reason where a case is about something that is not here.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod headers;
mod http;
mod http_origins;
mod ids;
mod requests;
mod sockets;
mod stdio;
mod streams;
mod traces;
