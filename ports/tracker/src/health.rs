//! The state of a workspace's installation.

/// One lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct LockFacts {
    /// What is locked: the file's name without its ending.
    pub name: String,
    /// Who took it, if the file can be read.
    pub owner: Option<String>,
    /// The process that took it, if the file can be read.
    pub pid: Option<u64>,
    /// When it was taken, in milliseconds since 1970 in UTC: by its content, else by the file's time.
    pub taken_ms: i64,
    /// Its own age limit in seconds, if it names one.
    pub ttl_seconds: Option<u64>,
    /// Whether its content can be read; a malformed lock is stale.
    pub readable: bool,
}

/// One folder below the tracker root.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct FolderFacts {
    /// Its path, relative to the tracker root.
    pub path: String,
    /// Whether it exists and is a folder.
    pub exists: bool,
    /// How many files lie in it directly.
    pub files: usize,
    /// How many files with other endings than items and streams have lie in it, such as left-over temporary files.
    pub strays: usize,
}

/// One cache that can be deleted at any time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct CacheFacts {
    /// Its path, relative to the tracker root, or a name in angle brackets for one in memory.
    pub name: String,
    /// Its size in bytes; entries for one in memory.
    pub size: u64,
    /// When it was changed last, in milliseconds since 1970 in UTC, if it has a time.
    pub modified_ms: Option<i64>,
}

/// What can be said about an installation without opening items.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct WorkspaceHealth {
    /// Lock files, in ascending order of name.
    pub locks: Vec<LockFacts>,
    /// The type folders and the history folder.
    pub folders: Vec<FolderFacts>,
    /// Derived data.
    pub caches: Vec<CacheFacts>,
}
