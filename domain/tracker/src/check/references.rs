//! References from item to item, apart from the parent.

use super::lifecycle::exists;
use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding};
use crate::board::Board;
use crate::graph::{Relation, names_an_item};

/// Looks for references that lead nowhere or back to the item itself. One that orders work or hierarchy is wrong, as
/// it holds items up for ever; others should be looked at.
#[must_use]
pub fn dependency_references(board: &Board) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::DependencyReferences.name());
    for item in board.items() {
        let mut look = |field: &str, target: &str, grave: bool| {
            row.add("references", 1);
            let finding = if target.trim() == item.id() {
                Finding::new("reference_to_itself", format!("`{field}` names the item itself"))
            } else if exists(board, target) {
                return;
            } else {
                Finding::new("reference_missing", format!("`{field}` names `{target}`, which does not exist"))
            };
            let status = if grave { CheckStatus::Error } else { CheckStatus::Warn };
            row.note(status, finding.of_item(item.id()));
        };
        if let Some(blocker) = item.blocked_by().filter(|text| names_an_item(text)) {
            look("blocked_by", blocker, true);
        }
        if let Some(original) = item.text("duplicate_of") {
            look("duplicate_of", original, false);
        }
        for edge in item.dependencies() {
            let (kind, _) = Relation::parse(edge.kind).oriented();
            look(edge.kind, edge.id, matches!(kind, Relation::BlockedBy | Relation::Parent));
        }
    }
    row
}
