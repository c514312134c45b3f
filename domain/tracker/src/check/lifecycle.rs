//! Parents, rings and items that wait for nothing.

use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding, severity};
use crate::Settings;
use crate::board::{Board, Standing};
use crate::graph::{EFFORT_DEFAULT, Effort, Steps, cycles, hierarchy_steps, ordering_steps};

/// Looks at how items hang together.
#[must_use]
pub fn lifecycle(board: &Board, settings: &Settings) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::Lifecycle.name());
    row.count("items", board.len());
    for item in board.items() {
        let Some(standing) = board.standing(item.id()) else { continue };
        if let Some(parent) = item.parent().filter(|parent| !exists(board, parent)) {
            let finding = Finding::new("parent_missing", format!("there is no parent `{parent}`"));
            let status = severity(settings.governance.parent_reference).max(CheckStatus::Warn);
            row.note(status, finding.of_item(item.id()));
        }
        if standing == Standing::Terminal {
            let open = board.children(item.id()).into_iter().map(crate::Item::id);
            let open: Vec<&str> =
                open.filter(|child| board.standing(child) != Some(Standing::Terminal)).collect();
            if !open.is_empty() {
                let detail = format!("the item is terminal and has open children: {}", listed(&open));
                row.note(CheckStatus::Warn, Finding::new("open_children", detail).of_item(item.id()));
            }
        }
        if standing == Standing::Blocked
            && board.open_blockers(item.id()).is_empty()
            && item.text("blocked_reason").is_none()
        {
            let detail = "the status says blocked, and nothing says by what";
            row.note(CheckStatus::Warn, Finding::new("blocked_without_blocker", detail).of_item(item.id()));
        }
    }
    rings(&mut row, board, "hierarchy_cycle", &hierarchy_steps());
    rings(&mut row, board, "ordering_cycle", &ordering_steps());
    row
}

fn rings(row: &mut CheckRow, board: &Board, code: &'static str, steps: &Steps) {
    let graph = board.graph();
    for ring in cycles(graph, steps, &mut Effort::bounded(EFFORT_DEFAULT)) {
        let ids = graph.path_ids(&ring);
        let first = ids.first().cloned().unwrap_or_default();
        row.note(CheckStatus::Error, Finding::new(code, ids.join(" → ")).of_item(&first));
    }
}

/// Whether a reference leads to an item, in the letter case written or in lower case.
pub(super) fn exists(board: &Board, id: &str) -> bool {
    let id = id.trim();
    board.item(id).is_some() || board.item(&id.to_lowercase()).is_some()
}

/// Up to five names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().copied().take(5).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
