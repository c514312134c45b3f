//! The port by which the tracker reads a workspace.

use core::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    CheckProgress, FormCheck, HistoryCheck, HistoryStream, LinkTarget, ReadError, Session, Skills,
    StreamHeads, WorkspaceHealth, WorkspaceSnapshot,
};

/// Reads one workspace.
///
/// Laws that hold for every method:
/// - `WR-01`: nothing is ever written, not even a cache inside the workspace.
/// - `WR-02`: no file outside the tracker root and the repository is opened, whatever names and links say.
/// - `WR-03`: one bad file never hides the others.
/// - `WR-04`: dropping the future has no effect on later calls.
/// - `WR-05`: the calling thread is not blocked by file work.
///
/// Concurrent calls are allowed. Not promised: that two calls see the same moment; what belongs together comes in
/// one snapshot.
#[async_trait]
pub trait WorkspaceRepository: Debug + Send + Sync + 'static {
    /// The workspace as it is now.
    ///
    /// - `WR-10`: every item file is in exactly one of `items`, `unreadable`, or behind the first path of `duplicates`.
    /// - `WR-11`: if nothing changed, the same allocation is returned; `revision` grows exactly when content changed.
    /// - `WR-12`: an item whose bytes did not change keeps its allocation across snapshots.
    /// - `WR-13`: a change that was complete before the call is seen, except within the adapter's stated pause
    ///   between looks, and then at the first call after that pause.
    /// - `WR-14`: settings that cannot be read are the defaults, and `settings_problem` says so.
    ///
    /// # Errors
    /// [`ReadError::WorkspaceMissing`] if the root is gone, [`ReadError::Unreadable`] if a folder cannot be listed,
    /// [`ReadError::Unavailable`] if the reader itself failed.
    async fn snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, ReadError>;

    /// The workspace as it is now, looked at anew even within the pause between looks. For use right after a write.
    ///
    /// # Errors
    /// As [`WorkspaceRepository::snapshot`].
    async fn fresh_snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, ReadError>;

    /// The whole history of one item.
    ///
    /// - `WR-20`: an absent stream is an empty one with `exists: false`; streams of deleted items are served.
    /// - `WR-21`: a line that is no entry is listed with its number, a torn last line marked as such.
    ///
    /// # Errors
    /// [`ReadError::UnusableId`] for an id that cannot be a file name, [`ReadError::Unreadable`] if the system
    /// refuses, [`ReadError::Unavailable`] if the reader itself failed.
    async fn history(&self, id: &str) -> Result<HistoryStream, ReadError>;

    /// The number of entries of one item's history, which is its version; 0 if there is no stream. Cheap when the
    /// stream did not change since it was last counted.
    ///
    /// # Errors
    /// As [`WorkspaceRepository::history`].
    async fn version(&self, id: &str) -> Result<usize, ReadError>;

    /// The heads of some streams, in the order asked for, or of all streams in ascending order of id.
    ///
    /// - `WR-22`: ids without a stream have no heads and are no error.
    ///
    /// # Errors
    /// As [`WorkspaceRepository::history`].
    async fn heads(&self, ids: Option<&[String]>) -> Result<Vec<StreamHeads>, ReadError>;

    /// Verifies every stream, in parallel, against the items of the present snapshot; items without a stream and
    /// streams without an item are included. In ascending order of id.
    ///
    /// - `WR-30`: a stream and item that did not change since the last check are not read again.
    /// - `WR-31`: after a cancel, only finished checks are returned.
    ///
    /// # Errors
    /// As [`WorkspaceRepository::snapshot`]; a stream that cannot be read is a finding of its own.
    async fn check_histories(&self, progress: Arc<dyn CheckProgress>)
    -> Result<Vec<HistoryCheck>, ReadError>;

    /// The item files whose bytes are not those of normal form. In ascending order of id; old-form files are not
    /// looked at.
    ///
    /// # Errors
    /// As [`WorkspaceRepository::snapshot`].
    async fn check_forms(&self, progress: Arc<dyn CheckProgress>) -> Result<Vec<FormCheck>, ReadError>;

    /// What is in focus. An absent session file is an empty session.
    ///
    /// # Errors
    /// [`ReadError::Unavailable`] if the reader itself failed.
    async fn session(&self) -> Result<Session, ReadError>;

    /// The repository's guide for agents, its first 32,000 characters; `None` if there is none, or if it is a link
    /// that leaves the repository.
    ///
    /// # Errors
    /// [`ReadError::Unreadable`] if the system refuses, [`ReadError::Unavailable`] if the reader itself failed.
    async fn agent_guide(&self) -> Result<Option<String>, ReadError>;

    /// A text file of the repository, by its path relative to the repository root, if it has at most `most` bytes.
    ///
    /// # Errors
    /// [`ReadError::Unreadable`] if there is no such file inside the repository, it is longer, or it is not UTF-8;
    /// [`ReadError::Unavailable`] if the reader itself failed.
    async fn repository_text(&self, path: &str, most: u64) -> Result<String, ReadError>;

    /// The repository's skills: at most 100 folders, at most 256 KiB a file; links and odd names are refused and
    /// listed as such.
    ///
    /// # Errors
    /// As [`WorkspaceRepository::agent_guide`].
    async fn skills(&self) -> Result<Skills, ReadError>;

    /// Where linked paths lead, in the order asked for. Paths are relative to the repository.
    ///
    /// # Errors
    /// [`ReadError::Unavailable`] if the reader itself failed.
    async fn link_targets(&self, paths: &[String]) -> Result<Vec<LinkTarget>, ReadError>;

    /// Locks, folders and caches.
    ///
    /// # Errors
    /// [`ReadError::Unavailable`] if the reader itself failed.
    async fn health(&self) -> Result<WorkspaceHealth, ReadError>;
}
