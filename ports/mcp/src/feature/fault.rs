//! What a handler raises when it cannot give a result.

use std::error::Error;

use pm_mcp_domain::continuation::ElicitAction;
use pm_mcp_domain::cursor::CURSOR_REFUSED;
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::request::ClientCapability;
use serde_json::Value;
use thiserror::Error;

/// Why a handler gives no result. A tool that ran and failed is no fault: its result says so.
#[derive(Debug, Error)]
pub enum HandlerFault {
    /// The request does not declare a capability that the operation needs.
    #[error("the request does not declare the client capability {}", .0.as_json())]
    MissingCapability(ClientCapability),
    /// What is asked for does not exist for this caller.
    #[error("not found")]
    NotFound,
    /// An argument has the right type and still cannot be used; the text says what would be right.
    #[error("{0}")]
    InvalidArgument(String),
    /// A cursor is stale, foreign or made up.
    #[error("{CURSOR_REFUSED}")]
    InvalidCursor,
    /// The question travels to the client; the engine ends the request with it. A handler passes this on.
    #[error("the client is asked first")]
    AwaitingInput,
    /// Nothing can be asked here: the client speaks an earlier revision, or the request is none that can ask.
    #[error("this client cannot be asked in the middle of a request")]
    CannotAsk,
    /// The user said no to a question, or closed it.
    #[error("the user did not accept the question")]
    Declined(ElicitAction),
    /// There is no room for more at the moment; the text says what is full and when to try again.
    #[error("{0}")]
    Busy(String),
    /// The work took longer than a request may.
    #[error(
        "the request took longer than {limit_ms} ms (limit request_time); narrow it, or ask the server's operator to raise the limit"
    )]
    TimedOut {
        /// How long a request may take.
        limit_ms: u128,
    },
    /// An error of the host's own, with its code and data, sent as it is.
    #[error("{message}")]
    Protocol {
        /// The error's code.
        code: ErrorCode,
        /// What is wrong and what to change.
        message: String,
        /// Structured data, if the error has some.
        data: Option<Value>,
    },
    /// Something of the server's failed. The peer reads a correlation id, the log the source.
    #[error("internal error")]
    Internal(#[source] Box<dyn Error + Send + Sync>),
}

impl HandlerFault {
    /// An internal error with this cause.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Internal(source.into())
    }
}
