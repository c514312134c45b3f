//! The kinds of change.

use serde_json::{Map, Value};

use super::lifecycle::restored_version;
use crate::history::Signature;

/// A change, who asks for it and how hard.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct ChangeRequest {
    /// What to do.
    pub change: Change,
    /// Who does it.
    pub by: Signature,
    /// Why, for history; what the change itself says unless given.
    pub message: Option<String>,
    /// Whether claims of others and stale locks are overruled.
    pub force: bool,
}

/// One change of one item.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "deciders must serve every kind")]
pub enum Change {
    /// Make the item.
    Create(Box<NewItem>),
    /// Change fields.
    Update(Box<FieldEdits>),
    /// Take the item.
    Claim {
        /// Whether it is no failure when somebody else holds it.
        if_available: bool,
    },
    /// Give the item back.
    Release,
    /// Finish the item.
    Close(Box<Closing>),
    /// Set an item back to open whose last open blocker was closed.
    Unblock {
        /// The blocker that was closed.
        blocker: String,
    },
    /// Take a finished item up again.
    Reopen {
        /// Why; needed.
        reason: String,
        /// Open unless this names another status that is not terminal.
        status: Option<String>,
    },
    /// Remove the item. Its history stays.
    Delete {
        /// Why; needed.
        reason: String,
    },
    /// Bring the item back to an earlier version, also after it was deleted.
    Restore {
        /// The version; the last one before a deletion, or the one before the present one, unless named.
        version: Option<usize>,
        /// Why; needed.
        reason: String,
    },
    /// Add to a log.
    LogAdd {
        /// Which log.
        log: LogKind,
        /// What to add.
        text: String,
    },
    /// Change an entry of a log.
    LogEdit {
        /// Which log.
        log: LogKind,
        /// The entry, from 1 in stored order.
        index: usize,
        /// Its new text.
        text: String,
    },
    /// Link a file or a document. A path that is linked already has its note changed.
    LinkAdd {
        /// Which list.
        list: LinkKind,
        /// The path, relative to the repository.
        path: String,
        /// What it is for.
        note: Option<String>,
    },
    /// Take a link out.
    LinkRemove {
        /// Which list.
        list: LinkKind,
        /// The path as linked.
        path: String,
    },
    /// Link a test command. A command that is linked already has its time limit changed.
    TestAdd(TestCommand),
    /// Take a test command out.
    TestRemove {
        /// The command as linked.
        command: String,
    },
    /// Record the outcome of test commands; the last twenty are kept.
    TestRun {
        /// One record of `test_runs`.
        record: Value,
    },
    /// Lead the history to what the file holds, after an edit made outside.
    AdoptFile,
    /// Put the item back to what it was, to undo an earlier change.
    PutBack {
        /// What the item was; `None` for no item.
        document: Option<Box<super::Document>>,
        /// Why.
        reason: String,
    },
}

impl Change {
    /// The version whose state must be known to decide the change of an item with so many.
    #[must_use]
    pub fn earlier_version(&self, known: usize) -> Option<usize> {
        if let Self::Restore { version, .. } = self { restored_version(*version, known) } else { None }
    }
}

/// A new item as its maker states it.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct NewItem {
    /// The title.
    pub title: String,
    /// The type; the workspace's default one without it.
    pub type_name: Option<String>,
    /// Further fields by their stored names.
    pub fields: Map<String, Value>,
    /// The body.
    pub body: String,
    /// Edges to other items.
    pub dependencies: Vec<Edge>,
    /// Whether likely duplicates are no hindrance.
    pub allow_duplicate: bool,
}

/// An edge as a caller states it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct Edge {
    /// The item at the other end.
    pub id: String,
    /// The kind; `blocked_by` without it.
    pub kind: Option<String>,
}

/// Changed fields of one item.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct FieldEdits {
    /// Fields to set, by their stored names.
    pub set: Map<String, Value>,
    /// Fields to take out.
    pub unset: Vec<String>,
    /// Tags to add.
    pub add_tags: Vec<String>,
    /// Tags to take out.
    pub remove_tags: Vec<String>,
    /// Edges to add.
    pub add_dependencies: Vec<Edge>,
    /// Edges to take out; without a kind, all to that item.
    pub remove_dependencies: Vec<Edge>,
    /// The new status.
    pub status: Option<String>,
    /// The new body.
    pub body: Option<String>,
    /// Text to put after the body, in a paragraph of its own.
    pub append_body: Option<String>,
    /// The number of history entries that the caller saw.
    pub if_version: Option<usize>,
}

/// How an item is finished.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct Closing {
    /// Why it is finished.
    pub reason: Option<String>,
    /// What came of it.
    pub resolution: Option<String>,
    /// What was expected.
    pub expected_result: Option<String>,
    /// What is the case.
    pub actual_result: Option<String>,
    /// The item that this one repeats.
    pub duplicate_of: Option<String>,
    /// When the work was done; now without it.
    pub completed_at: Option<String>,
}

/// The logs of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the format has exactly these three")]
pub enum LogKind {
    /// Talk.
    Comment,
    /// Notes on the work.
    Note,
    /// What was learned.
    Learning,
}

impl LogKind {
    /// The field that holds the log.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Comment => "comments",
            Self::Note => "notes",
            Self::Learning => "learnings",
        }
    }

    pub(super) const fn ops(self) -> (&'static str, &'static str) {
        match self {
            Self::Comment => ("comment_add", "comment_edit"),
            Self::Note => ("note_add", "note_edit"),
            Self::Learning => ("learning_add", "learning_edit"),
        }
    }
}

/// The lists of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the format has exactly these two")]
pub enum LinkKind {
    /// Files that the work touches.
    File,
    /// Documents about it.
    Doc,
}

impl LinkKind {
    /// The field that holds the list.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::File => "files",
            Self::Doc => "docs",
        }
    }

    pub(super) const fn ops(self) -> (&'static str, &'static str) {
        match self {
            Self::File => ("files_add", "files_remove"),
            Self::Doc => ("docs_add", "docs_remove"),
        }
    }
}

/// A linked test command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct TestCommand {
    /// The command, as a shell would read it.
    pub command: String,
    /// How long it may run, in seconds.
    pub timeout_seconds: Option<u64>,
}
