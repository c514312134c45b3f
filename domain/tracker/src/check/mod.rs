//! Checks of a workspace and of an installation.
//!
//! Each check is a function from facts to one row of a report. It decides what is wrong, how bad it is and which
//! repair would help; it refuses to know how the facts were found and how a repair is done.

mod files;
mod format_version;
mod health;
mod history_drift;
mod lifecycle;
mod metadata;
mod names;
mod normal_form;
mod references;
mod report;
mod resolution;
mod storage;
#[cfg(test)]
mod tests;

pub use files::{Link, LinkFact, LinkState, files, links};
pub use format_version::format_version;
pub use health::{
    DirectoryFact, IndexFacts, KeyFacts, LockFact, LockState, StreamSize, TaskFacts, WatcherFacts,
    WatcherMode, directories, history, index, keys, locks, settings, stale_work, tasks, watcher,
};
pub use history_drift::{StreamFact, UnreadableLine, history_drift};
pub use lifecycle::lifecycle;
pub use metadata::{MetadataProfile, metadata};
pub use names::{HealthCheck, ValidationCheck};
pub use normal_form::{NormalFormFact, normal_form};
pub use references::dependency_references;
pub use report::{AppliedFix, CheckRow, CheckStatus, Finding, Repair, Report};
pub use resolution::resolution;
pub use storage::{ItemPlace, SharedId, StorageFacts, UnreadableFile, UnreadableReason, storage_integrity};
