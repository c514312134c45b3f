//! What the repository says to agents, what is in focus, and where links lead.

/// The session file of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct Session {
    /// The focused item's id, if one is set.
    pub focused_item: Option<String>,
    /// Why the session file could not be used, if it could not; nothing is in focus then.
    pub problem: Option<String>,
}

/// One skill of the repository: guidance without authority.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct Skill {
    /// The name of its folder: lower-case letters, digits, `-`, `_` and `.`, at most 64 of them.
    pub name: String,
    /// What it is for, from the `description` of its front matter; empty if it has none.
    pub description: String,
    /// The whole file.
    pub text: String,
}

/// A skill folder that is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct RefusedSkill {
    /// The folder's name, made printable.
    pub name: String,
    /// Why it is not offered, in words.
    pub reason: String,
}

/// The skills of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct Skills {
    /// Those offered, in ascending order of name.
    pub offered: Vec<Skill>,
    /// Those refused.
    pub refused: Vec<RefusedSkill>,
}

/// Where a linked path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "checks name each case")]
pub enum LinkTarget {
    /// A file inside the repository.
    File,
    /// A folder inside the repository.
    Folder,
    /// Nothing there.
    Missing,
    /// Outside the repository, by its spelling or through a link; not looked at further.
    Outside,
}
