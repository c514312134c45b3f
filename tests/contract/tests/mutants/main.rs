//! The kit against adapters that are wrong on purpose: each law catches the fault that it names.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod caught;
mod change_bus;
mod clock;
mod credential_store;
mod cursor_signer;
mod entropy;
mod gap;
mod key_source;
mod replay_guard;
mod skill_source;
mod state_sealer;
mod task_store;
mod token_verifier;
mod worker_liveness;
