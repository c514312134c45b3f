//! Bytes against the normal form.

use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding, Repair};

/// An item file whose bytes differ from what would be written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever compares")]
pub struct NormalFormFact {
    /// The item's id.
    pub item: String,
    /// The file, relative to the tracker root.
    pub path: String,
}

/// Reports such files, of `compared` in all. For information only: old writers left null cells, and the next change
/// of an item removes them.
#[must_use]
pub fn normal_form(differing: &[NormalFormFact], compared: usize) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::NormalForm.name());
    row.count("files", compared);
    for fact in differing {
        let finding = Finding::new("not_in_normal_form", "the next change of the item rewrites the file");
        row.note(CheckStatus::Ok, finding.of_item(&fact.item).at(&fact.path).mended_by(Repair::Normalize));
    }
    row
}
