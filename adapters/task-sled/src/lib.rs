//! Task records and used nonces in a [sled](https://docs.rs/sled/0.34.7) database: durable, for one process.
//!
//! [`SledDatabase`] opens a folder; [`SledTaskStore`] and [`SledReplayGuard`] are views of it that share its log.
//!
//! | What sled leaves open | What this crate does |
//! |---|---|
//! | `flush` starts writing and does not wait for the disk | the log's file is synced through a second handle before anyone is told `Ok` |
//! | a large leaf goes into a file that is never synced | segments of 1 MiB, and bodies over 8 KiB in files of their own, synced before a record names them |
//! | a process killed while it writes a snapshot leaves a part that keeps the database from opening | such parts are removed first, under a lock |
//! | a process killed while it makes the database leaves half of one | it is made beside its place and renamed when it is whole |
//! | a second opener is told of a lock | [`OpenError::HeldElsewhere`] names the folder; the first second of waiting is done here |
//! | calls block and may panic | they run on two threads of their own; after a panic every call fails, and says so |
//! | a full disk breaks the log | while less is free than [`SledOptions::reserve`], what adds is refused |
//!
//! One thread applies what callers ask for, in their order and each whole; another one syncs and acknowledges. All who
//! come while a sync runs share the next one, so that 64 callers pay for one.
//!
//! After a failed write or sync nothing is known of what the disk holds, so every later call fails until the database is
//! opened again. Space is given back to the log, not to the file system: it grows to a few times of what lives and
//! stays there. [`SledDatabase::export`] and [`SledDatabase::import`] move everything into a smaller one, or elsewhere.
//!
//! sled 0.34 depends on `fxhash` (RUSTSEC-2025-0057) and, by `parking_lot` 0.11, on `instant` (RUSTSEC-2024-0384). Both
//! notices say that the crates are no longer maintained, not that they are at fault.

mod committer;
mod database;
mod envelope;
mod fault;
mod folder;
mod kept;
mod keys;
mod large_bodies;
mod options;
mod replay_guard;
mod task_store;
mod transfer;
mod writer;

pub use database::SledDatabase;
pub use fault::{GuardFull, OpenError, TransferError};
pub use options::SledOptions;
pub use replay_guard::SledReplayGuard;
pub use task_store::SledTaskStore;
pub use transfer::Transferred;
