//! What can be asked of a graph, and how far the answer may go.

use thiserror::Error;

use super::relation::Relation;

/// Most edges that one question looks at unless the caller sets another bound.
pub const EFFORT_DEFAULT: u64 = 5_000_000;

/// Most nodes, edges or paths in one answer unless the caller sets another bound.
pub const LIMIT_DEFAULT: usize = 100;

/// A question on the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "callers list all questions in a schema")]
pub enum Question {
    /// Parents, their parents and so on.
    Ancestors,
    /// Children, their children and so on.
    Descendants,
    /// What an item waits for, directly and indirectly.
    Predecessors,
    /// What waits for an item, directly and indirectly.
    Successors,
    /// How one item leads to another, shortest ways first.
    Paths,
    /// What is held up if an item is late: its successors, and the containers of all of them.
    Impact,
    /// Rings in the hierarchy and in the order of work.
    Cycles,
    /// The longest chain of unfinished work.
    CriticalPath,
    /// Through which items most connections run.
    Centrality,
    /// Edges that say what other edges say already.
    Redundancy,
    /// Counts, and everything that cannot be right.
    Audit,
}

impl Question {
    /// Every question, in the order of the tool's schema.
    pub const ALL: [Self; 11] = [
        Self::Ancestors,
        Self::Descendants,
        Self::Predecessors,
        Self::Successors,
        Self::Paths,
        Self::Impact,
        Self::Cycles,
        Self::CriticalPath,
        Self::Centrality,
        Self::Redundancy,
        Self::Audit,
    ];

    /// The name that callers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ancestors => "ancestors",
            Self::Descendants => "descendants",
            Self::Predecessors => "predecessors",
            Self::Successors => "successors",
            Self::Paths => "paths",
            Self::Impact => "impact",
            Self::Cycles => "cycles",
            Self::CriticalPath => "critical_path",
            Self::Centrality => "centrality",
            Self::Redundancy => "redundancy",
            Self::Audit => "audit",
        }
    }

    /// The question with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.name() == name)
    }
}

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "there are no other ways")]
pub enum Direction {
    /// From the item that states the edge: to its parent, to what it waits for.
    Out,
    /// The other way: to children, to what waits.
    In,
    /// Both ways.
    Both,
}

impl Direction {
    /// Every direction, in the order of the tool's schema.
    pub const ALL: [Self; 3] = [Self::Out, Self::In, Self::Both];

    /// The name that callers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
            Self::Both => "both",
        }
    }

    /// The direction with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }
}

/// A question with its bounds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GraphQuery {
    /// What is asked.
    pub question: Question,
    /// The item it is asked about. Needed by all questions up to impact; narrows cycles and the critical path.
    pub id: Option<String>,
    /// The item that paths lead to.
    pub target: Option<String>,
    /// Kinds of edges to follow; none means the ones that the question is about.
    pub kinds: Vec<Relation>,
    /// Which way to follow edges. Heeded by paths, impact and centrality; the other questions have their own way.
    pub direction: Option<Direction>,
    /// Most edges between the item and anything reported.
    pub max_depth: Option<usize>,
    /// Most nodes, edges or paths reported.
    pub limit: usize,
    /// Most edges looked at.
    pub effort: u64,
}

impl GraphQuery {
    /// A question on the whole graph, with default bounds.
    #[must_use]
    pub const fn new(question: Question) -> Self {
        Self {
            question,
            id: None,
            target: None,
            kinds: Vec::new(),
            direction: None,
            max_depth: None,
            limit: LIMIT_DEFAULT,
            effort: EFFORT_DEFAULT,
        }
    }

    /// The same about one item.
    #[must_use]
    pub fn about(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same, leading to another item.
    #[must_use]
    pub fn to(mut self, target: impl Into<String>) -> Self {
        self.target = Some(target.into());
        self
    }
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(clippy::exhaustive_enums, reason = "callers map each case to a code of their own")]
pub enum GraphQueryError {
    /// The question is about one item and none is named.
    #[error("`{question}` needs `id`")]
    IdNeeded {
        /// The question's name.
        question: &'static str,
    },
    /// Paths need an end.
    #[error("`paths` needs `target`")]
    TargetNeeded,
    /// No item and no reference has this id.
    #[error("there is no item `{id}`")]
    UnknownItem {
        /// The id as given.
        id: String,
    },
}
