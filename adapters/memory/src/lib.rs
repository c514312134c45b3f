//! Driven ports in memory: the readable reference, bounded and strict. What they hold is gone with the process.
//!
//! [`MemoryTaskStore`] and [`MemoryReplayGuard`] refuse when they are full; neither forgets anything early to make room.
//! [`MemoryChangeBus`] gives way where a reader is slow, and tells it. [`MemoryTokenVerifier`] knows the tokens that it was told.

mod change_bus;
mod credential_store;
mod poison;
mod replay_guard;
mod task_store;
mod token_verifier;
mod worker_liveness;

pub use change_bus::MemoryChangeBus;
pub use credential_store::MemoryCredentialStore;
pub use replay_guard::{GuardFull, MemoryReplayGuard};
pub use task_store::{Capacity, MemoryTaskStore};
pub use token_verifier::{IssuerOut, MemoryTokenVerifier, UnknownToken};
pub use worker_liveness::MemoryWorkerLiveness;
