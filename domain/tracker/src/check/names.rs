//! Names of the checks, as callers choose them.

/// A check of `pm_validate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "whoever gathers facts must serve every check")]
pub enum ValidationCheck {
    /// Required fields and usable values.
    Metadata,
    /// Closing texts.
    Resolution,
    /// Parents, rings, blocked items.
    Lifecycle,
    /// References to items.
    DependencyReferences,
    /// Linked files.
    Files,
    /// Histories against themselves and against files.
    HistoryDrift,
    /// Format versions.
    FormatVersion,
    /// Files of the workspace.
    StorageIntegrity,
    /// Bytes against the normal form.
    NormalForm,
}

impl ValidationCheck {
    /// Every check, in the order of a report.
    pub const ALL: [Self; 9] = [
        Self::Metadata,
        Self::Resolution,
        Self::Lifecycle,
        Self::DependencyReferences,
        Self::Files,
        Self::HistoryDrift,
        Self::FormatVersion,
        Self::StorageIntegrity,
        Self::NormalForm,
    ];

    /// The name in arguments and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Resolution => "resolution",
            Self::Lifecycle => "lifecycle",
            Self::DependencyReferences => "dependency_references",
            Self::Files => "files",
            Self::HistoryDrift => "history_drift",
            Self::FormatVersion => "format_version",
            Self::StorageIntegrity => "storage_integrity",
            Self::NormalForm => "normal_form",
        }
    }

    /// The check with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }
}

/// A check of `pm_health`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "whoever gathers facts must serve every check")]
pub enum HealthCheck {
    /// Settings and schema.
    Settings,
    /// Folders.
    Directories,
    /// Locks.
    Locks,
    /// Long operations.
    Tasks,
    /// The derived index.
    Index,
    /// Sizes of histories.
    History,
    /// Work that nobody goes on with.
    StaleWork,
    /// The watcher.
    Watcher,
    /// Keys of sealed state and cursors.
    Keys,
}

impl HealthCheck {
    /// Every check, in the order of a report.
    pub const ALL: [Self; 9] = [
        Self::Settings,
        Self::Directories,
        Self::Locks,
        Self::Tasks,
        Self::Index,
        Self::History,
        Self::StaleWork,
        Self::Watcher,
        Self::Keys,
    ];

    /// The name in arguments and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Directories => "directories",
            Self::Locks => "locks",
            Self::Tasks => "tasks",
            Self::Index => "index",
            Self::History => "history",
            Self::StaleWork => "stale_work",
            Self::Watcher => "watcher",
            Self::Keys => "keys",
        }
    }

    /// The check with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }
}
