//! Histories of items: entries, replay and verification.
//!
//! Decides what an item was at any version and whether its chain of hashes holds. It refuses to know where streams
//! lie and how they are read.

mod document;
mod entry;
mod patch;
mod replay;
mod verify;

pub(crate) use document::HashDocument;
pub use entry::{EntryError, HistoryEntry};
pub use patch::PatchError;
pub use replay::{At, Replay, ReplayError, Replayed, replay};
pub use verify::{ChainFault, ChainFinding, ChainVerifier, verify};
