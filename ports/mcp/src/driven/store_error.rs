//! Why a task store does not write.

use pm_mcp_domain::task::TaskRecord;
use thiserror::Error;

use super::backend_error::BackendError;

/// The longest body that every store takes, in bytes.
pub const LONGEST_BODY: usize = 16 << 20;

/// The longest name of a principal that every store takes, in bytes of UTF-8.
pub const LONGEST_PRINCIPAL: usize = 1024;

/// A record is not added.
#[derive(Debug, Error)]
pub enum CreateError {
    /// There is a record with this id.
    #[error("there is a task record with this id already")]
    AlreadyExists,
    /// The store keeps no more.
    #[error("the task store is full: {limit}")]
    Full {
        /// The limit that was reached and what to change.
        limit: String,
    },
    /// The record is longer than every store takes.
    #[error("the task record is too long: {}", too_long())]
    TooLong,
    /// Storing failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// A record is not replaced.
#[derive(Debug, Error)]
pub enum ReplaceError {
    /// Someone else wrote or removed the record meanwhile: read it again and decide again.
    #[error("the task record was changed by someone else")]
    Conflict,
    /// The store has no room for a longer record.
    #[error("the task store is full: {limit}")]
    Full {
        /// The limit that was reached and what to change.
        limit: String,
    },
    /// The record is longer than every store takes.
    #[error("the task record is too long: {}", too_long())]
    TooLong,
    /// Storing failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// A record is not removed.
#[derive(Debug, Error)]
pub enum RemoveError {
    /// Someone else wrote or removed the record meanwhile: read it again and decide again.
    #[error("the task record was changed by someone else")]
    Conflict,
    /// Removing failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

fn too_long() -> String {
    format!("a body has {LONGEST_BODY} bytes at the most, the name of a principal {LONGEST_PRINCIPAL}")
}

/// Whether a record is within what every store takes.
pub fn fits_every_store(record: &TaskRecord) -> bool {
    record.body.len() <= LONGEST_BODY && record.principal.as_str().len() <= LONGEST_PRINCIPAL
}
