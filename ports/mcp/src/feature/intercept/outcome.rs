//! How an operation ended.

use pm_mcp_domain::fault::ErrorCode;

/// How an operation ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// With its result; a stream that the server closed, with its final answer.
    Complete,
    /// With the result of a tool that ran and says that it failed.
    ToolFailed,
    /// With questions, whose answers come with another request.
    InputRequired,
    /// With the handle of a task; the work goes on.
    Task {
        /// The task's id.
        id: String,
    },
    /// Before a handler ran: by an interceptor further in, or by the engine's own checks.
    Refused {
        /// The code of the error.
        code: ErrorCode,
    },
    /// With the error of a handler, of a result that cannot be used, or of a bound that was reached.
    Failed {
        /// The code of the error.
        code: ErrorCode,
    },
    /// Without an answer: the caller cancelled the request or the task, or has gone.
    Cancelled,
}

impl Outcome {
    /// The kind of outcome, in one word for records.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::ToolFailed => "tool_failed",
            Self::InputRequired => "input_required",
            Self::Task { .. } => "task",
            Self::Refused { .. } => "refused",
            Self::Failed { .. } => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The code of the error, where there was one.
    pub const fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused { code } | Self::Failed { code } => Some(*code),
            Self::Complete | Self::ToolFailed | Self::InputRequired | Self::Task { .. } | Self::Cancelled => {
                None
            }
        }
    }
}
