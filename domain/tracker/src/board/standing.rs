//! What a status means for the order of work.

use crate::WorkspaceSchema;

/// Where an item stands, in the order in which work is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every consumer must place every standing")]
pub enum Standing {
    /// Somebody has begun.
    InProgress,
    /// Can be begun. A status that the workspace does not know counts as open, so that its items stay visible.
    Open,
    /// Waits, by its status.
    Blocked,
    /// Not yet meant to be worked on.
    Draft,
    /// Done or given up.
    Terminal,
}

impl Standing {
    /// Where an item of this status stands.
    #[must_use]
    pub fn of(status: &str, schema: &WorkspaceSchema) -> Self {
        let statuses = schema.statuses();
        if statuses.is_terminal(status) {
            Self::Terminal
        } else if statuses.is_blocked(status) {
            Self::Blocked
        } else if statuses.is_draft(status) {
            Self::Draft
        } else if statuses.canonical(status) == Some(schema.workflow().in_progress.as_str()) {
            Self::InProgress
        } else {
            Self::Open
        }
    }
}
