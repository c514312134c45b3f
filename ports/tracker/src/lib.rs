//! Ports of the work tracker: where its items, histories and settings come from.
//!
//! Only reading is asked for here. Writing is a port of its own, so that a workspace that can only be read needs no
//! refusing methods.

mod error;
mod guidance;
mod health;
mod history;
mod repository;
mod snapshot;

pub use error::ReadError;
pub use guidance::{LinkTarget, RefusedSkill, Session, Skill, Skills};
pub use health::{CacheFacts, FolderFacts, LockFacts, WorkspaceHealth};
pub use history::{
    CheckProgress, EntryHead, FormCheck, HistoryCheck, HistoryStream, LineFault, StreamHeads, Unwatched,
};
pub use repository::WorkspaceRepository;
pub use snapshot::{
    DuplicateId, FileForm, ItemFile, SettingsProblem, StreamFacts, UnreadableFile, UnreadableReason,
    WorkspaceSnapshot,
};
