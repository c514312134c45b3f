//! The contract kit: what every adapter of a port has to hold, as tests that an adapter of your own runs with one line.
//!
//! ```no_run
//! # mod adapter {
//! use pm_mcp_contract::{VolatileStore, task_store_contract};
//! # use pm_mcp_contract::Recording;
//! # type MyStore = Recording<std::sync::Arc<dyn pm_mcp_ports::driven::TaskStore>>;
//! # fn my_store() -> MyStore { unimplemented!() }
//!
//! task_store_contract!(VolatileStore(my_store)); // one test a law, named after it
//! # }
//! ```
//!
//! | Port | Laws | Macro | What an adapter's tests implement |
//! |---|---|---|---|
//! | `TaskStore` | [`task_store::LAWS`] | [`task_store_contract!`] | [`TaskStoreHarness`], or [`VolatileStore`] |
//! | `ReplayGuard` | [`replay_guard::LAWS`] | [`replay_guard_contract!`] | [`ReplayGuardHarness`], or [`VolatileGuard`] |
//! | `WorkerLiveness` | [`worker_liveness::LAWS`] | [`worker_liveness_contract!`] | [`WorkerLivenessHarness`] |
//! | `ChangeBus` | [`change_bus::LAWS`] | [`change_bus_contract!`] | [`ChangeBusHarness`] |
//! | `TokenVerifier` | [`token_verifier::LAWS`] | [`token_verifier_contract!`] | [`TokenVerifierHarness`], with sample tokens |
//! | `KeySource` | [`key_source::LAWS`] | [`key_source_contract!`] | [`KeySourceHarness`], with a [`PlayedIssuer`] |
//! | `SkillSource` | [`skill_source::LAWS`] | [`skill_source_contract!`] | [`SkillSourceHarness`], with [`SampleSkills`] |
//! | `StateSealer` | [`state_sealer::LAWS`] | [`state_sealer_contract!`] | [`StateSealerHarness`] |
//! | `CursorSigner` | [`cursor_signer::LAWS`] | [`cursor_signer_contract!`] | [`CursorSignerHarness`], or a function of a key |
//! | `CredentialStore` | [`credential_store::LAWS`] | [`credential_store_contract!`] | [`CredentialStoreHarness`], or [`VolatileCredentials`] |
//! | `Clock` | [`clock::LAWS`] | [`clock_contract!`] | [`ClockHarness`], or [`SelfMoving`] |
//! | `Entropy` | [`entropy::LAWS`] | [`entropy_contract!`] | nothing: the source itself |
//!
//! A law is a row of one table: an id, what it claims, and a check that gets a fresh adapter. A failing test prints the id,
//! the claim and what was seen. A law that does not apply to an adapter prints `SKIPPED <law>: <reason>`; none passes in
//! silence. The kit is itself tested by adapters that are wrong on purpose: each law catches at least one.
//!
//! A new law comes with a minor release and a line in the changelog, a stricter one with a major release.
//!
//! What only real processes show of a task store, killed ones and ones that share it, is tried by
//! [`processes::ProcessTest`].
//!
//! For tests of what uses a port there are [`Faulty`], [`Slow`] and [`Recording`], a clock that is moved by hand
//! ([`VirtualClock`]) and randomness from a script ([`ScriptedEntropy`]); for tests of a host's handlers there is a
//! [`client`].

mod begin;
mod decorate;
mod harness;
mod law;
mod lock;
mod run;
mod scripted_entropy;
mod secret;
mod small_disk;
mod virtual_clock;

pub mod change_bus;
pub mod client;
pub mod clock;
pub mod credential_store;
pub mod cursor_signer;
pub mod entropy;
pub mod key_source;
pub mod processes;
pub mod replay_guard;
pub mod skill_source;
pub mod state_sealer;
pub mod task_store;
pub mod token_verifier;
pub mod worker_liveness;

pub use change_bus::{ChangeBusHarness, FreshBus};
pub use clock::{ClockHarness, SelfMoving};
pub use credential_store::{CredentialStoreHarness, VolatileCredentials};
pub use cursor_signer::CursorSignerHarness;
pub use decorate::{Failure, Faulty, Operation, Recorded, Recording, ScriptedFault, Slow};
pub use harness::HarnessError;
pub use key_source::{KeySourceHarness, PlayedIssuer};
pub use law::{Checking, Law, Outcome, Violation};
pub use replay_guard::{ReplayGuardHarness, VolatileGuard};
pub use run::hold;
pub use scripted_entropy::ScriptedEntropy;
pub use skill_source::{SampleSkills, SkillSourceHarness};
pub use small_disk::SmallDisk;
pub use state_sealer::StateSealerHarness;
pub use task_store::{FreshStore, TaskStoreHarness, VolatileStore};
pub use token_verifier::{SampleTokens, TokenVerifierHarness};
pub use virtual_clock::VirtualClock;
pub use worker_liveness::{FreshLiveness, WorkerLivenessHarness};

pub use async_trait::async_trait;
