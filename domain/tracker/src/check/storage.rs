//! Files of the workspace.

use super::history_drift::StreamFact;
use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding, Repair};
use crate::{ChainFault, SchemaProblem, WorkspaceSchema};

/// Where an item was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever reads")]
pub struct ItemPlace {
    /// The id in the file.
    pub id: String,
    /// The type in the file.
    pub type_name: String,
    /// The file, relative to the tracker root, forward slashes.
    pub path: String,
}

/// Why a file in a type folder is no item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever reads must sort what it saw")]
pub enum UnreadableReason {
    /// A merge was not finished.
    MergeMarks,
    /// The text has no meaning as an item.
    Malformed,
    /// It holds another item than its name says.
    Misnamed,
    /// It could not or must not be read at all.
    Inaccessible,
}

/// A file in a type folder that is no item.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever reads")]
pub struct UnreadableFile {
    /// The file, relative to the tracker root.
    pub path: String,
    /// Why it is none.
    pub reason: UnreadableReason,
    /// The same in words.
    pub detail: String,
}

/// An id that more than one file claims.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever reads")]
pub struct SharedId {
    /// The id.
    pub id: String,
    /// The files, relative to the tracker root.
    pub paths: Vec<String>,
}

/// What reading a workspace brought up.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever reads")]
pub struct StorageFacts<'a> {
    /// Where each item was read from.
    pub places: &'a [ItemPlace],
    /// Ids that more than one file claims.
    pub shared_ids: &'a [SharedId],
    /// Files that are no items.
    pub unreadable: &'a [UnreadableFile],
    /// Histories, for deleted items that are back.
    pub streams: &'a [StreamFact],
    /// Journals of batches that were begun and never ended, relative to the tracker root.
    pub unfinished_batches: &'a [String],
    /// Parts of the schema files that could not be used.
    pub schema_problems: &'a [SchemaProblem],
    /// Why the settings file could not be read, in words.
    pub settings_problem: Option<&'a str>,
    /// Required parts that the settings file lacks.
    pub settings_missing: &'a [String],
}

/// Reports files that cannot be read, ids that exist twice, items that are back after deletion, folders that do not
/// fit, batches that were stopped half-way, and broken settings and schema files.
#[must_use]
pub fn storage_integrity(facts: &StorageFacts<'_>, schema: &WorkspaceSchema) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::StorageIntegrity.name());
    row.count("files", facts.places.len().saturating_add(facts.unreadable.len()));
    for file in facts.unreadable {
        let code = match file.reason {
            UnreadableReason::MergeMarks => "merge_unresolved",
            UnreadableReason::Malformed => "item_malformed",
            UnreadableReason::Misnamed => "file_name_mismatch",
            UnreadableReason::Inaccessible => "file_unreadable",
        };
        row.note(CheckStatus::Error, Finding::new(code, file.detail.as_str()).at(&file.path));
    }
    for shared in facts.shared_ids {
        let detail = format!("the id exists {} times: {}", shared.paths.len(), shared.paths.join(", "));
        let finding = Finding::new("id_duplicated", detail).of_item(&shared.id);
        row.note(CheckStatus::Error, finding.mended_by(Repair::RemoveExtraCopy));
    }
    for place in facts.places {
        misplaced(&mut row, place, schema);
    }
    for stream in facts.streams {
        if stream.findings.iter().any(|found| found.fault == ChainFault::DeletedItemIsBack) {
            let detail = ChainFault::DeletedItemIsBack.to_string();
            row.note(CheckStatus::Error, Finding::new("deleted_item_is_back", detail).of_item(&stream.item));
        }
    }
    for journal in facts.unfinished_batches {
        let detail =
            "a batch of changes was begun and never ended; unless it still runs, its writer was stopped";
        let finding = Finding::new("batch_unfinished", detail).at(journal);
        row.note(CheckStatus::Warn, finding.mended_by(Repair::UndoBatch));
    }
    if let Some(problem) = facts.settings_problem {
        row.note(CheckStatus::Error, Finding::new("settings_malformed", problem).at("settings.json"));
    }
    for problem in facts.schema_problems {
        let finding = Finding::new("schema_problem", problem.detail.as_str());
        row.note(CheckStatus::Error, finding.at(problem.file));
    }
    for part in facts.settings_missing {
        let detail = format!("the required setting `{part}` is missing, so nothing can be written");
        row.note(CheckStatus::Error, Finding::new("setting_missing", detail).at("settings.json"));
    }
    row
}

fn misplaced(row: &mut CheckRow, place: &ItemPlace, schema: &WorkspaceSchema) {
    let folder = place.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    if let Some(known) = schema.item_type(&place.type_name)
        && known.folder != folder
    {
        let detail = format!("an item of type `{}` belongs into `{}`", known.name, known.folder);
        let finding = Finding::new("folder_mismatch", detail);
        row.note(CheckStatus::Error, finding.of_item(&place.id).at(&place.path));
    }
}
