//! Why a workspace could not be read.

use thiserror::Error;

/// Why a workspace, as a whole or one stream of it, could not be read.
///
/// A single file that cannot be used is no error: it is listed in the snapshot, and the rest is served.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(clippy::exhaustive_enums, reason = "callers answer each case in their own way")]
pub enum ReadError {
    /// The tracker root is gone or is no workspace.
    #[error("the workspace is missing: {detail}")]
    WorkspaceMissing {
        /// What was looked for.
        detail: String,
    },
    /// An id that cannot name a file.
    #[error("`{id}` cannot be an item id")]
    UnusableId {
        /// The id as given.
        id: String,
    },
    /// The system refused a read.
    #[error("`{path}` could not be read: {detail}")]
    Unreadable {
        /// The path, relative to the tracker or repository root.
        path: String,
        /// The system's words.
        detail: String,
    },
    /// The reader has been shut down or failed inside.
    #[error("the workspace reader is not available: {detail}")]
    Unavailable {
        /// What happened.
        detail: String,
    },
}
