//! What a handler raises when it cannot give a result.

use std::error::Error;

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
