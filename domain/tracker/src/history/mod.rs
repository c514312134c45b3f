//! Histories of items: entries, replay and verification.
//!
//! Decides what an item was at any version and whether its chain of hashes holds. It refuses to know where streams
//! lie and how they are read.

mod compose;
mod difference;
mod document;
mod entry;
mod patch;
mod replay;
mod signature;
mod verify;

pub use compose::{EntryLine, StreamError, StreamTip, TipFollower};
pub use difference::difference;
pub(crate) use document::HashDocument;
pub use entry::{EntryError, HistoryEntry};
pub use patch::PatchError;
pub use replay::{At, Replay, ReplayError, Replayed, replay};
pub use signature::{Agent, AuthorSource, Signature};
pub use verify::{ChainFault, ChainFinding, ChainVerifier, verify};
