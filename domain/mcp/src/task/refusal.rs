//! Why an event cannot happen to a task.

use thiserror::Error;

use super::state::TaskStatus;
use crate::limit::Limit;

/// An event does not fit the task. Closed on purpose: whoever applies events handles each case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TaskRefusal {
    /// The task has ended, and what has ended does not change.
    #[error("the task is {status} and does not change any more")]
    Ended {
        /// How it ended.
        status: TaskStatus,
    },
    /// The task's lifetime is over; all that is left is to remove it.
    #[error("the task's lifetime is over")]
    Expired,
    /// Someone else works on the task.
    #[error("another worker holds the task's lease")]
    OtherWorker,
    /// The task has asked as much as a task may ask.
    #[error("a task asks {limit} questions at the most (limit questions)")]
    TooManyQuestions {
        /// The limit.
        limit: usize,
    },
    /// Something is too long for a task.
    #[error("a {what} of {bytes} bytes is over the limit of {limit} (limit {name})")]
    TooLong {
        /// What is too long.
        what: &'static str,
        /// The limit's name.
        name: Limit,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
}

impl TaskRefusal {
    /// The limit that was reached, if it is one.
    pub const fn limit(&self) -> Option<Limit> {
        match self {
            Self::TooManyQuestions { .. } => Some(Limit::TaskQuestions),
            Self::TooLong { name, .. } => Some(*name),
            Self::Ended { .. } | Self::Expired | Self::OtherWorker => None,
        }
    }
}
