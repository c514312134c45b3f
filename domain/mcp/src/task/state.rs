//! What is known of a task in each state.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::json::{JsonObject, RawJson};
use super::key::KeyedQuestion;
use crate::fault::ErrorCode;

/// Where a task stands. Closed on purpose: a new state does not compile until every event has an answer for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskState {
    /// A worker works on it.
    Working,
    /// The client is asked something.
    InputRequired {
        /// What still wants an answer, in the order in which it was asked; at least one question.
        asked: Vec<KeyedQuestion>,
    },
    /// The operation gave its result; that the result may tell of a failure is no matter here.
    Completed {
        /// The result of the operation, as the handler gave it.
        result: JsonObject,
    },
    /// The operation ended with a protocol error.
    Failed {
        /// The error.
        error: TaskError,
    },
    /// The operation was called off.
    Cancelled,
}

impl TaskState {
    /// The state's name.
    pub const fn status(&self) -> TaskStatus {
        match self {
            Self::Working => TaskStatus::Working,
            Self::InputRequired { .. } => TaskStatus::InputRequired,
            Self::Completed { .. } => TaskStatus::Completed,
            Self::Failed { .. } => TaskStatus::Failed,
            Self::Cancelled => TaskStatus::Cancelled,
        }
    }
}

/// The name of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TaskStatus {
    /// A worker works on the task.
    Working,
    /// The client is asked something.
    InputRequired,
    /// The task has a result.
    Completed,
    /// The task has an error.
    Failed,
    /// The task was called off.
    Cancelled,
}

impl TaskStatus {
    /// Every status, for tables and tests.
    pub const ALL: &'static [Self] =
        &[Self::Working, Self::InputRequired, Self::Completed, Self::Failed, Self::Cancelled];

    /// The status as the extension spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether a task in this state never changes again.
    pub const fn is_ended(self) -> bool {
        match self {
            Self::Working | Self::InputRequired => false,
            Self::Completed | Self::Failed | Self::Cancelled => true,
        }
    }
}

impl fmt::Display for TaskStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The protocol error that a task ended with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskError {
    /// The error's code.
    pub code: ErrorCode,
    /// What is wrong and what to do.
    pub message: String,
    /// Structured data, if the error has some.
    pub data: Option<RawJson>,
}

impl TaskError {
    /// How long it is: its message and its data.
    pub fn bytes(&self) -> usize {
        self.message.len() + self.data.as_ref().map_or(0, |data| data.as_str().len())
    }
}
