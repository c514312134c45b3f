//! Why an operation gives no answer, as callers read it.

use std::time::Duration;

use pm_mcp::{ErrorCode, HandlerFault, Output, ToolError};
use pm_tracker_ports::ReadError;
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The extension that lets long work go on without its request.
const TASKS: &str = "io.modelcontextprotocol/tasks";

/// A failure that belongs to the operation: the tool ran, and its result says why it has nothing to give.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(
    clippy::exhaustive_enums,
    reason = "every failure must have a code, a hint and a place in resources"
)]
pub enum Failure {
    /// No item has this id.
    #[error("there is no item `{id}`")]
    ItemNotFound {
        /// The id as given.
        id: String,
        /// Up to three ids that may have been meant, most likely first.
        near: Vec<String>,
    },
    /// The item did exist, and not at the point asked for.
    #[error("item `{id}` was deleted by version {version}")]
    ItemDeleted {
        /// The full id.
        id: String,
        /// The version asked for.
        version: usize,
    },
    /// An argument fits its schema and still cannot be used.
    #[error("argument `{argument}`: {detail}")]
    InvalidArgument {
        /// The argument's name.
        argument: &'static str,
        /// What is wrong and what would be right.
        detail: String,
        /// Facts that help to choose another value; null for none.
        details: Value,
    },
    /// The workspace is not configured, gone, or cannot be read as a whole.
    #[error("the workspace `{name}` cannot be read: {detail}")]
    WorkspaceMissing {
        /// The workspace's name.
        name: String,
        /// What is wrong.
        detail: String,
    },
    /// The item's file is there and cannot be used.
    #[error("the file of item `{id}` cannot be used: it {detail}")]
    ItemUnreadable {
        /// The id that the file's name says.
        id: String,
        /// The file, relative to the tracker root.
        path: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The work took longer than a request may, and the caller did not declare that it knows tasks.
    #[error("the work took longer than {} ms, the limit for work in the foreground", .limit.as_millis())]
    ForegroundLimit {
        /// The limit.
        limit: Duration,
    },
    /// The item's history is there and cannot be trusted.
    #[error("the history of item `{id}` cannot be used: {detail}")]
    HistoryUnreadable {
        /// The item's id.
        id: String,
        /// What is wrong with it.
        detail: String,
    },
}

impl Failure {
    /// An argument that cannot be used, without further facts.
    pub fn argument(argument: &'static str, detail: impl Into<String>) -> Self {
        Self::InvalidArgument { argument, detail: detail.into(), details: Value::Null }
    }

    /// The code that callers compare.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ItemNotFound { .. } | Self::ItemDeleted { .. } => "item_not_found",
            Self::InvalidArgument { .. } => "invalid_argument",
            Self::WorkspaceMissing { .. } => "workspace_missing",
            Self::ItemUnreadable { .. } => "item_unreadable",
            Self::HistoryUnreadable { .. } => "history_unreadable",
            Self::ForegroundLimit { .. } => "foreground_limit",
        }
    }

    /// What to do about it, if more can be said than the message does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::ItemNotFound { near, .. } if near.is_empty() => {
                Some("look for the item with pm_search or pm_list".to_owned())
            }
            Self::ItemNotFound { near, .. } => Some(format!("did you mean {}?", near.join(", "))),
            Self::ItemDeleted { .. } => Some("ask for an earlier version; pm_events lists them".to_owned()),
            Self::InvalidArgument { .. } => None,
            Self::WorkspaceMissing { .. } => {
                Some("the operator must look at the server's settings".to_owned())
            }
            Self::ItemUnreadable { .. } => {
                Some("mend the file by hand; pm_validate lists all such files".to_owned())
            }
            Self::ForegroundLimit { .. } => Some(format!(
                "declare the extension `{TASKS}` among the client's capabilities, and the work goes on as a task"
            )),
            Self::HistoryUnreadable { .. } => Some("pm_validate says where the history is broken".to_owned()),
        }
    }

    /// Whether the same call may succeed later without a change by the caller.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        match self {
            Self::WorkspaceMissing { .. } | Self::ItemUnreadable { .. } => true,
            Self::ItemNotFound { .. }
            | Self::ItemDeleted { .. }
            | Self::InvalidArgument { .. }
            | Self::ForegroundLimit { .. }
            | Self::HistoryUnreadable { .. } => false,
        }
    }

    fn details(&self) -> Value {
        match self {
            Self::ItemNotFound { id, near } => json!({"id": id, "near": near}),
            Self::ItemDeleted { id, version } => json!({"id": id, "version": version}),
            Self::InvalidArgument { argument, details, .. } => {
                let mut all = Map::from_iter([("argument".to_owned(), Value::from(*argument))]);
                if let Value::Object(more) = details {
                    all.extend(more.clone());
                }
                Value::Object(all)
            }
            Self::WorkspaceMissing { name, .. } => json!({"workspace": name}),
            Self::ItemUnreadable { id, path, .. } => json!({"id": id, "path": path}),
            Self::HistoryUnreadable { id, .. } => json!({"id": id}),
            Self::ForegroundLimit { limit } => {
                let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
                json!({"limit_ms": limit_ms, "extension": TASKS})
            }
        }
    }

    /// `{code, message, hint?, retryable, details?}`, the text block of a failed result.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("code".to_owned(), self.code().into());
        object.insert("message".to_owned(), self.to_string().into());
        if let Some(hint) = self.hint() {
            object.insert("hint".to_owned(), hint.into());
        }
        object.insert("retryable".to_owned(), self.is_retryable().into());
        object.insert("details".to_owned(), self.details());
        Value::Object(object)
    }
}

/// Why a question has no answer: a failure of the operation, or a fault of the request or the server.
#[derive(Debug, Error)]
#[expect(clippy::exhaustive_enums, reason = "an answer is withheld for exactly these two kinds of reason")]
pub enum Problem {
    /// The operation ran and failed.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The request or the server is at fault.
    #[error(transparent)]
    Fault(#[from] HandlerFault),
}

impl Problem {
    /// What becomes of a history, or a link or lock, that could not be read.
    pub(crate) fn of_history(id: &str, error: ReadError) -> Self {
        match error {
            ReadError::UnusableId { id } => Failure::ItemNotFound { id, near: Vec::new() }.into(),
            ReadError::Unreadable { path, detail } => {
                Failure::HistoryUnreadable { id: id.to_owned(), detail: format!("`{path}`: {detail}") }.into()
            }
            ReadError::WorkspaceMissing { .. } | ReadError::Unavailable { .. } => {
                HandlerFault::internal(error).into()
            }
        }
    }

    /// What becomes of a workspace that could not be read.
    pub(crate) fn of_workspace(name: &str, error: ReadError) -> Self {
        match error {
            ReadError::WorkspaceMissing { detail } => {
                Failure::WorkspaceMissing { name: name.to_owned(), detail }.into()
            }
            ReadError::Unreadable { path, detail } => {
                Failure::WorkspaceMissing { name: name.to_owned(), detail: format!("`{path}`: {detail}") }
                    .into()
            }
            ReadError::UnusableId { .. } | ReadError::Unavailable { .. } => {
                HandlerFault::internal(error).into()
            }
        }
    }

    /// As a tool says it.
    pub(crate) fn into_tool_error(self) -> ToolError {
        match self {
            Self::Failed(failure) => ToolError::Failed(Box::new(Output::text(failure.to_json().to_string()))),
            Self::Fault(fault) => ToolError::Fault(fault),
        }
    }
}

impl From<Problem> for HandlerFault {
    /// As a resource, a prompt or a completion says it: what is not there is not found, what cannot be read is an
    /// error with the failure as its data.
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Fault(fault) => fault,
            Problem::Failed(failure) => match failure {
                Failure::ItemNotFound { .. } | Failure::ItemDeleted { .. } => Self::NotFound,
                Failure::InvalidArgument { .. } => Self::InvalidArgument(failure.to_string()),
                Failure::WorkspaceMissing { .. }
                | Failure::ItemUnreadable { .. }
                | Failure::ForegroundLimit { .. }
                | Failure::HistoryUnreadable { .. } => Self::Protocol {
                    code: ErrorCode::INTERNAL,
                    message: failure.to_string(),
                    data: Some(failure.to_json()),
                },
            },
        }
    }
}
