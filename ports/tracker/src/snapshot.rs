//! A workspace at one moment.

use core::fmt;
use std::{collections::BTreeMap, sync::Arc};

use pm_tracker_domain::{Item, ItemId, SchemaProblem, Settings, WorkspaceSchema};

/// The form of an item file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the format has exactly these two")]
pub enum FileForm {
    /// The present form.
    Toon,
    /// The old form, a JSON object and a body; read for migration.
    Markdown,
}

/// One readable item and its file.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct ItemFile {
    /// The item. The same allocation as in the snapshot before if the content is the same.
    pub item: Arc<Item>,
    /// The file, relative to the tracker root, forward slashes.
    pub path: String,
    /// The folder part of `path`.
    pub folder: String,
    /// The file's form.
    pub form: FileForm,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// When the file was changed last, in milliseconds since 1970 in UTC.
    pub modified_ms: i64,
    /// SHA-256 of the file's bytes.
    pub digest: [u8; 32],
}

/// Why an item file is not served.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "checks name each case")]
pub enum UnreadableReason {
    /// The file holds an unresolved merge; `line` counts from 1.
    MergeConflict {
        /// The first line with merge marks.
        line: usize,
    },
    /// The file cannot be decoded, as when its writer was stopped half-way.
    Malformed {
        /// The decoder's words.
        detail: String,
    },
    /// The file decodes and is no item.
    NotAnItem {
        /// What it lacks.
        detail: String,
    },
    /// The item's id is not the file's name.
    NameDiffers {
        /// The id inside.
        id: String,
    },
    /// The file or its folder is a link that leaves the tracker root.
    LeavesRoot,
    /// The file is larger than the reader takes.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The system refused to read it.
    Io {
        /// The system's words.
        detail: String,
    },
}

impl fmt::Display for UnreadableReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MergeConflict { line } => write!(f, "unresolved merge at line {line}"),
            Self::Malformed { detail } => write!(f, "cannot be decoded: {detail}"),
            Self::NotAnItem { detail } => write!(f, "is no item: {detail}"),
            Self::NameDiffers { id } => write!(f, "holds the item `{id}`, which is not its name"),
            Self::LeavesRoot => f.write_str("is a link that leaves the tracker root"),
            Self::TooLarge { bytes, limit } => write!(f, "has {bytes} bytes, more than the limit of {limit}"),
            Self::Io { detail } => write!(f, "cannot be read: {detail}"),
        }
    }
}

/// An item file that is not served.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct UnreadableFile {
    /// The file, relative to the tracker root, forward slashes.
    pub path: String,
    /// The id that its name says.
    pub id: String,
    /// Why it is not served.
    pub reason: UnreadableReason,
}

/// One id that several files claim. The snapshot serves the first path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct DuplicateId {
    /// The id.
    pub id: String,
    /// The files, relative to the tracker root, in ascending order.
    pub paths: Vec<String>,
}

/// Why the settings are not those of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct SettingsProblem {
    /// What is wrong with the file, in words. All settings have their defaults then.
    pub detail: String,
}

/// One history stream as its folder shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct StreamFacts {
    /// Size in bytes.
    pub bytes: u64,
    /// When it was changed last, in milliseconds since 1970 in UTC.
    pub modified_ms: i64,
}

/// Everything about a workspace that fits in memory, at one moment.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct WorkspaceSnapshot {
    /// Grows whenever anything in the snapshot changed; starts at 1.
    pub revision: u64,
    /// The settings.
    pub settings: Arc<Settings>,
    /// Why the settings are the defaults, if the file could not be used.
    pub settings_problem: Option<SettingsProblem>,
    /// Types, statuses, custom fields.
    pub schema: Arc<WorkspaceSchema>,
    /// Parts of the schema files that could not be used.
    pub schema_problems: Vec<SchemaProblem>,
    /// The readable items by id.
    pub items: BTreeMap<String, ItemFile>,
    /// The item files that are not served, by path.
    pub unreadable: Vec<UnreadableFile>,
    /// Ids that several files claim.
    pub duplicates: Vec<DuplicateId>,
    /// The history streams by id, also those whose item is gone.
    pub streams: BTreeMap<String, StreamFacts>,
}

impl WorkspaceSnapshot {
    /// The item with exactly this id.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&Arc<Item>> {
        self.items.get(id).map(|file| &file.item)
    }

    /// The item that a caller means by an id: with the prefix, else as typed.
    #[must_use]
    pub fn find(&self, input: &str) -> Option<&Arc<Item>> {
        let id = ItemId::parse(input, &self.settings.id_prefix)?;
        id.candidates().find_map(|candidate| self.item(candidate))
    }

    /// Why the file of an id is not served, if there is such a file.
    #[must_use]
    pub fn unreadable(&self, id: &str) -> Option<&UnreadableFile> {
        self.unreadable.iter().find(|file| file.id == id)
    }

    /// All items in ascending order of id.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Item>> {
        self.items.values().map(|file| &file.item)
    }
}
