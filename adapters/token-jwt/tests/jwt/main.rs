//! The verifier as a server uses it: good tokens of many providers, hostile ones, and issuers that change their keys or
//! are down.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod accepted;
mod contract;
mod hostile;
mod keys_contract;
mod log;
mod provider;
mod rotation;
mod signer;
