//! What goes wrong in a call.

use pm_mcp_domain::wire::ResultKindFault;
use serde_json::Value;
use thiserror::Error;

use super::wire_schema::SchemaFault;

/// A call did not end as it should.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The server refused the request with an error of the protocol.
    #[error("the server refuses with {code}: {message}")]
    Refused {
        /// The error's code.
        code: i64,
        /// The error's message.
        message: String,
        /// The error's data, null for none.
        data: Value,
    },
    /// The server wrote something that the revision does not allow.
    #[error("the server wrote what the revision does not allow: {0}")]
    Schema(#[from] SchemaFault),
    /// A result does not say what it is, or what it says cannot be.
    #[error("the server gives a result that cannot be read: {0}")]
    ResultKind(#[from] ResultKindFault),
    /// A handler asked something that the script does not answer.
    #[error("the script does not answer `{key}`: add `.on({key:?}, ...)`; it was asked {question}")]
    Unanswered {
        /// What it asked under.
        key: String,
        /// The request as it was asked.
        question: Value,
    },
    /// A task ended with an error of the protocol.
    #[error("the task failed: {0}")]
    TaskFailed(Value),
    /// A task was cancelled.
    #[error("the task was cancelled")]
    TaskCancelled,
    /// The pages of a list lead back to one that was read.
    #[error("the list leads back to the cursor {0}, which was followed already")]
    CursorRepeated(String),
    /// The server asks, or makes wait, without end.
    #[error("the call did not end after {0} rounds")]
    Endless(usize),
    /// The call ended otherwise than the method called for allows.
    #[error("another outcome than was called for: {0}")]
    OtherOutcome(String),
    /// The request was cancelled, or the server went away, before there was an answer.
    #[error("there is no answer: {0}")]
    NoAnswer(String),
}
