//! Ports of the work tracker: where its items, histories and settings come from, and how they are changed.
//!
//! Reading and writing are ports of their own, so that a workspace that can only be read needs no refusing methods.

mod batch;
mod change;
mod command;
mod error;
mod guidance;
mod health;
mod history;
mod repository;
mod snapshot;
mod write;
mod writer;

pub use batch::{Batch, BatchDone, BatchError, BatchOutcome, BatchRow, RowOutcome};
pub use change::{ChangeSource, Touched, WatchMode};
pub use command::{CommandEnd, CommandOrder, CommandOutcome, CommandRunner, TAIL_BYTES, TIME_LIMIT};
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
pub use write::{Edit, Target, WriteError, Written};
pub use writer::{RepairOrder, WorkspaceWriter};
