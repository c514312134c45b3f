//! Clients of earlier revisions at a door of their own, beside those of the current one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod asking;
mod changes;
mod eras;
mod handshake;
mod mixed;
mod peer;
mod serving;
