//! A dependency that failed.

use std::error::Error;

use thiserror::Error as ThisError;

/// What lies behind an adapter failed. The operator reads it; a peer is told of an internal error and no more.
#[derive(Debug, ThisError)]
#[error("{operation} failed")]
pub struct BackendError {
    /// What was being done, such as `writing a task record`.
    pub operation: &'static str,
    /// Whether it was done all the same.
    pub applied: Applied,
    /// Whether trying again may help.
    pub retry: Retry,
    /// What went wrong.
    #[source]
    pub source: Box<dyn Error + Send + Sync>,
}

/// Whether a failed operation had its effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applied {
    /// It had none.
    No,
    /// It may have had all of it; reload before the next decision. It never has a part of it.
    Unknown,
}

/// Whether a failed operation may succeed when it is tried again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retry {
    /// The same again fails again.
    Never,
    /// It may work later: when there is room again, or the connection is back.
    Later,
}
