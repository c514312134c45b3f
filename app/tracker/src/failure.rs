//! Why an operation gives no answer, as callers read it.

use std::time::Duration;

use pm_mcp::{ErrorCode, HandlerFault, Output, ToolError};
use pm_tracker_domain::change::{Likeness, Refusal};
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
    /// A change was refused.
    #[error(transparent)]
    Refused(Refusal),
    /// A row of a batch cannot be made.
    #[error("row {index}: {failure}")]
    Row {
        /// The row, from 0.
        index: usize,
        /// Why.
        failure: Box<Self>,
    },
    /// Another writer is at it.
    #[error("`{name}` is being written{}{}", by(.owner), if *.stale { "; the lock is stale, and this workspace removes it only by force" } else { "" })]
    LockConflict {
        /// What is locked.
        name: String,
        /// Who took the lock; may be empty.
        owner: String,
        /// Whether the lock is stale.
        stale: bool,
        /// After how many milliseconds to try again.
        retry_after_ms: u64,
    },
    /// What is there was written by something newer.
    #[error("{detail}")]
    EpochUnsupported {
        /// Which version is not supported, and which are.
        detail: String,
    },
    /// The workspace cannot be written to.
    #[error("the workspace `{name}` cannot be written to: {detail}")]
    ReadOnly {
        /// The workspace's name.
        name: String,
        /// What is in the way.
        detail: String,
    },
    /// The user has to agree, and this client cannot be asked.
    #[error("this needs the user's consent, and this client cannot be asked for it")]
    ConsentUnavailable,
    /// Linked commands may not be run here.
    #[error("linked test commands may not be run by this server")]
    TestRunDisabled,
    /// No item could be taken.
    #[error("{}", if *.tried == 0 { "no item is ready that fits" } else { "every ready item was taken by somebody else in the meantime" })]
    NothingFree {
        /// How many items were tried.
        tried: usize,
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
    pub fn code(&self) -> &'static str {
        match self {
            Self::ItemNotFound { .. } | Self::ItemDeleted { .. } => "item_not_found",
            Self::InvalidArgument { .. } => "invalid_argument",
            Self::WorkspaceMissing { .. } => "workspace_missing",
            Self::ItemUnreadable { .. } => "item_unreadable",
            Self::HistoryUnreadable { .. } => "history_unreadable",
            Self::ForegroundLimit { .. } => "foreground_limit",
            Self::Refused(refusal) => refusal.code(),
            Self::Row { failure, .. } => failure.code(),
            Self::LockConflict { .. } => "lock_conflict",
            Self::EpochUnsupported { .. } => "history_epoch_unsupported",
            Self::ReadOnly { .. } => "workspace_missing",
            Self::ConsentUnavailable => "consent_unavailable",
            Self::TestRunDisabled => "test_run_disabled",
            Self::NothingFree { tried: 0 } => "item_not_found",
            Self::NothingFree { .. } => "already_claimed",
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
            Self::Refused(refusal) => hint_of(refusal),
            Self::Row { failure, .. } => failure.hint(),
            Self::LockConflict { stale: true, .. } => {
                Some("see that its owner is gone, then call again with force".to_owned())
            }
            Self::LockConflict { retry_after_ms, .. } => Some(format!("try again after {retry_after_ms} ms")),
            Self::EpochUnsupported { .. } => {
                Some("update this server, or use the program that wrote it".to_owned())
            }
            Self::ReadOnly { .. } => Some("mend settings.json; pm_health says what is missing".to_owned()),
            Self::ConsentUnavailable => Some(
                "use a client that can be asked for forms, or let the operator set PM_MCP_CONFIRM=never"
                    .to_owned(),
            ),
            Self::TestRunDisabled => {
                Some("let the user run them, or the operator set PM_MCP_ALLOW_TEST_RUN=1".to_owned())
            }
            Self::NothingFree { tried: 0 } => {
                Some("pm_next shows what waits and what others hold".to_owned())
            }
            Self::NothingFree { .. } => Some("call again, or raise maxAttempts".to_owned()),
        }
    }

    /// Whether the same call may succeed later without a change by the caller.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::WorkspaceMissing { .. } | Self::ItemUnreadable { .. } => true,
            Self::LockConflict { stale, .. } => !stale,
            Self::NothingFree { tried } => *tried > 0,
            Self::Row { failure, .. } => failure.is_retryable(),
            Self::ItemNotFound { .. }
            | Self::ItemDeleted { .. }
            | Self::InvalidArgument { .. }
            | Self::ForegroundLimit { .. }
            | Self::Refused(_)
            | Self::EpochUnsupported { .. }
            | Self::ReadOnly { .. }
            | Self::ConsentUnavailable
            | Self::TestRunDisabled
            | Self::HistoryUnreadable { .. } => false,
        }
    }

    /// Whether a claim failed because somebody else was faster.
    pub(crate) const fn is_lost_race(&self) -> bool {
        matches!(
            self,
            Self::Refused(Refusal::AlreadyClaimed { .. } | Refusal::AlreadyTerminal { .. })
                | Self::LockConflict { .. }
                | Self::ItemNotFound { .. }
        )
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
            Self::Refused(refusal) => details_of(refusal),
            Self::Row { index, failure } => {
                let mut all = Map::from_iter([("index".to_owned(), Value::from(*index))]);
                if let Value::Object(more) = failure.details() {
                    all.extend(more);
                }
                Value::Object(all)
            }
            Self::LockConflict { name, owner, retry_after_ms, .. } => {
                json!({"lock": name, "owner": owner, "retry_after_ms": retry_after_ms})
            }
            Self::EpochUnsupported { .. } | Self::ConsentUnavailable | Self::TestRunDisabled => json!({}),
            Self::ReadOnly { name, .. } => json!({"workspace": name}),
            Self::NothingFree { tried } => json!({"tried": tried}),
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

fn by(owner: &str) -> String {
    if owner.is_empty() { String::new() } else { format!(" by `{owner}`") }
}

fn hint_of(refusal: &Refusal) -> Option<String> {
    let hint = match refusal {
        Refusal::AlreadyClaimed { .. } => {
            "take another item (pm_next), skip with ifAvailable, or take it over with force if that was agreed"
        }
        Refusal::OwnershipConflict { .. } => "ask the holder, or use force if that was agreed",
        Refusal::Stale { .. } => "read the item again and decide anew",
        Refusal::AlreadyTerminal { .. } => "a finished item is taken up again with pm_mutate, op reopen",
        Refusal::ReasonRequired { .. } => "say in a sentence what somebody would see who tries it",
        Refusal::ParentMissing { .. } | Refusal::DependencyMissing { .. } => {
            "look for the item with pm_search"
        }
        Refusal::DuplicateSuspected { .. } => {
            "work on the item that is there, or set allowDuplicate if this is another matter"
        }
        Refusal::Workflow { .. } | Refusal::CustomField { .. } => {
            "pm://workspace/schema says what is allowed"
        }
        Refusal::Secret { .. } => "keep secrets out of the tracker; name where the secret is kept instead",
        Refusal::AuthorRequired => "give `author`",
        Refusal::NotFound { .. }
        | Refusal::Exists { .. }
        | Refusal::NotTerminal { .. }
        | Refusal::Cycle { .. }
        | Refusal::Field { .. } => return None,
    };
    Some(hint.to_owned())
}

fn details_of(refusal: &Refusal) -> Value {
    match refusal {
        Refusal::NotFound { id } | Refusal::Exists { id } => json!({"id": id}),
        Refusal::AlreadyClaimed { id, holder } | Refusal::OwnershipConflict { id, holder } => {
            json!({"id": id, "holder": holder})
        }
        Refusal::Stale { id, seen, current } => json!({"id": id, "seen": seen, "current": current}),
        Refusal::AlreadyTerminal { id, status } | Refusal::NotTerminal { id, status } => {
            json!({"id": id, "status": status})
        }
        Refusal::ParentMissing { parent } => json!({"parent": parent}),
        Refusal::DependencyMissing { id } => json!({"id": id}),
        Refusal::Cycle { ring, .. } => json!({"ring": ring}),
        Refusal::DuplicateSuspected { candidates } => {
            let candidate =
                |known: &Likeness| json!({"id": known.id, "title": known.title, "likeness": known.likeness});
            json!({"candidates": candidates.iter().map(candidate).collect::<Vec<_>>()})
        }
        Refusal::CustomField { field, .. } | Refusal::Secret { field, .. } | Refusal::Field { field, .. } => {
            json!({"field": field})
        }
        Refusal::ReasonRequired { .. } | Refusal::Workflow { .. } | Refusal::AuthorRequired => json!({}),
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
                | Failure::Refused(_)
                | Failure::Row { .. }
                | Failure::LockConflict { .. }
                | Failure::EpochUnsupported { .. }
                | Failure::ReadOnly { .. }
                | Failure::ConsentUnavailable
                | Failure::TestRunDisabled
                | Failure::NothingFree { .. }
                | Failure::HistoryUnreadable { .. } => Self::Protocol {
                    code: ErrorCode::INTERNAL,
                    message: failure.to_string(),
                    data: Some(failure.to_json()),
                },
            },
        }
    }
}
