//! Histories against themselves and against what they describe.

use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding, Repair};
use crate::{ChainFault, ChainFinding, Settings};

/// A line of a history that is no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever reads")]
pub struct UnreadableLine {
    /// The line, from 1; 0 if the file as a whole could not be read.
    pub line: usize,
    /// Whether it is the last one and lacks its end, as after a broken write.
    pub torn: bool,
    /// What is wrong, in words.
    pub detail: String,
}

/// One history, read and verified.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever reads")]
pub struct StreamFact {
    /// The item's id, or `_workspace` for the history of the workspace itself.
    pub item: String,
    /// Whether there is a file.
    pub exists: bool,
    /// Number of entries.
    pub entries: usize,
    /// Lines that are no entries.
    pub unreadable: Vec<UnreadableLine>,
    /// What verification found.
    pub findings: Vec<ChainFinding>,
    /// For the history of the workspace: the settings-like files, relative to the tracker root, that do not hold
    /// what was recorded last.
    pub differing_documents: Vec<String>,
}

/// Reports histories that are absent, unreadable or broken, or do not lead to the file. Unknown hash versions and
/// deleted items that are back belong to other checks.
#[must_use]
pub fn history_drift(streams: &[StreamFact], settings: &Settings) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::HistoryDrift.name());
    row.count("streams", streams.len());
    for stream in streams {
        row.add("entries", u64::try_from(stream.entries).unwrap_or(u64::MAX));
        if !stream.exists || (stream.entries == 0 && stream.unreadable.is_empty()) {
            let status =
                if settings.missing_stream_is_error { CheckStatus::Error } else { CheckStatus::Warn };
            let finding = Finding::new("history_missing", "the item has no history");
            row.note(status, finding.of_item(&stream.item).mended_by(Repair::CreateHistory));
            continue;
        }
        for line in &stream.unreadable {
            let code = if line.torn { "history_torn" } else { "history_unreadable" };
            let mut finding = Finding::new(code, format!("line {}: {}", line.line, line.detail));
            if line.torn && stream.unreadable.len() == 1 {
                finding = finding.mended_by(Repair::DropTornLine);
            }
            row.note(CheckStatus::Error, finding.of_item(&stream.item));
        }
        // An entry may only be appended where all that lies before it can be read and holds.
        let sound = stream.unreadable.is_empty()
            && stream.findings.iter().all(|found| found.fault == ChainFault::TipDiffers);
        for found in &stream.findings {
            let Some(mut finding) = drift(found) else { continue };
            if finding.code == TIP_DIFFERS && sound {
                finding = finding.mended_by(Repair::AppendHistoryRepair);
            }
            row.note(CheckStatus::Error, finding.of_item(&stream.item));
        }
        for path in &stream.differing_documents {
            let detail = "the file is not what the workspace's history recorded last";
            let finding = Finding::new("document_differs", detail).of_item(&stream.item);
            row.note(CheckStatus::Warn, finding.at(path));
        }
    }
    row
}

const TIP_DIFFERS: &str = "history_tip_differs";

fn drift(found: &ChainFinding) -> Option<Finding> {
    let detail = match found.version {
        Some(version) => format!("entry {version}: {}", found.fault),
        None => found.fault.to_string(),
    };
    Some(match &found.fault {
        ChainFault::BeforeHash | ChainFault::AfterHash | ChainFault::Patch(_) | ChainFault::RecordHash => {
            Finding::new("history_chain_broken", detail)
        }
        ChainFault::TipDiffers => Finding::new(TIP_DIFFERS, detail),
        ChainFault::FileMissing => Finding::new("item_file_missing", detail),
        ChainFault::UnsupportedVersion(_) | ChainFault::DeletedItemIsBack => return None,
    })
}
