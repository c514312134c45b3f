//! Why a change is not made.

use thiserror::Error;

use super::duplicates::Likeness;

/// Why a change is not made. Nothing was written.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(clippy::exhaustive_enums, reason = "every refusal must have a code")]
pub enum Refusal {
    /// There is no such item.
    #[error("there is no item `{id}`")]
    NotFound {
        /// The id.
        id: String,
    },
    /// An item with this id exists.
    #[error("an item `{id}` exists already")]
    Exists {
        /// The id.
        id: String,
    },
    /// Somebody else holds the item that is to be taken.
    #[error("item `{id}` is held by `{holder}`")]
    AlreadyClaimed {
        /// The id.
        id: String,
        /// Who holds it.
        holder: String,
    },
    /// Somebody else holds the item that is to be changed.
    #[error("item `{id}` is held by `{holder}`, and this workspace lets only the holder change it")]
    OwnershipConflict {
        /// The id.
        id: String,
        /// Who holds it.
        holder: String,
    },
    /// The item changed since the caller saw it.
    #[error("item `{id}` is at version {current}, not {seen}")]
    Stale {
        /// The id.
        id: String,
        /// The version that the caller saw.
        seen: usize,
        /// The version now.
        current: usize,
    },
    /// The item is finished.
    #[error("item `{id}` is finished with status `{status}`")]
    AlreadyTerminal {
        /// The id.
        id: String,
        /// Its status.
        status: String,
    },
    /// The item is not finished.
    #[error("item `{id}` is not finished; its status is `{status}`")]
    NotTerminal {
        /// The id.
        id: String,
        /// Its status.
        status: String,
    },
    /// A reason is needed.
    #[error("{what} needs a reason")]
    ReasonRequired {
        /// What needs it.
        what: &'static str,
    },
    /// The parent does not exist.
    #[error("the parent `{parent}` does not exist")]
    ParentMissing {
        /// The parent as given.
        parent: String,
    },
    /// The item at the other end of an edge does not exist.
    #[error("the item `{id}` that is referred to does not exist")]
    DependencyMissing {
        /// The id as given.
        id: String,
    },
    /// The change would close a ring.
    #[error("the change would make a ring of {what}: {}", .ring.join(" -> "))]
    Cycle {
        /// What the ring would be made of.
        what: &'static str,
        /// The ids, the first one repeated at the end.
        ring: Vec<String>,
    },
    /// There are items that this one seems to repeat.
    #[error("the new item seems to repeat {}", .candidates.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join(", "))]
    DuplicateSuspected {
        /// The likeliest ones first.
        candidates: Vec<Likeness>,
    },
    /// The workspace does not allow the change.
    #[error("{detail}")]
    Workflow {
        /// What is not allowed, and what would be.
        detail: String,
    },
    /// A custom field is missing or has a value that it cannot have.
    #[error("custom field `{field}`: {detail}")]
    CustomField {
        /// The key.
        field: String,
        /// What is wrong.
        detail: String,
    },
    /// What is to be written looks like a secret.
    #[error("`{field}` holds what looks like a secret ({kind})")]
    Secret {
        /// The field.
        field: String,
        /// What it looks like.
        kind: &'static str,
    },
    /// A field cannot have a value.
    #[error("field `{field}`: {detail}")]
    Field {
        /// The field.
        field: String,
        /// What is wrong and what would be right.
        detail: String,
    },
    /// The workspace asks for an author, and nobody is named.
    #[error("this workspace wants every change to name its author")]
    AuthorRequired,
}

impl Refusal {
    /// The code that callers compare.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "item_not_found",
            Self::Exists { .. } | Self::NotTerminal { .. } | Self::Field { .. } | Self::AuthorRequired => {
                "invalid_argument"
            }
            Self::AlreadyClaimed { .. } => "already_claimed",
            Self::OwnershipConflict { .. } => "ownership_conflict",
            Self::Stale { .. } => "stale_write",
            Self::AlreadyTerminal { .. } => "already_terminal",
            Self::ReasonRequired { .. } => "reason_required",
            Self::ParentMissing { .. } => "parent_missing",
            Self::DependencyMissing { .. } => "dependency_missing",
            Self::Cycle { .. } => "cycle_refused",
            Self::DuplicateSuspected { .. } => "duplicate_suspected",
            Self::Workflow { .. } => "workflow_refused",
            Self::CustomField { .. } => "custom_field_invalid",
            Self::Secret { .. } => "secret_suspected",
        }
    }

    pub(super) fn field(field: &str, detail: impl Into<String>) -> Self {
        Self::Field { field: field.to_owned(), detail: detail.into() }
    }
}
