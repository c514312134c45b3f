//! Closing texts.

use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding, severity};
use crate::{Item, Settings, WorkspaceSchema};

/// Any of these says why an item was closed.
const REASONS: [&str; 3] = ["close_reason", "duplicate_of", "resolution"];
const TEXTS: [&str; 3] = ["resolution", "expected_result", "actual_result"];

/// Looks at terminal items. Whether missing texts matter is the workspace's rule on closing; if it has none, they are
/// reported for information.
#[must_use]
pub fn resolution<'i>(
    items: impl IntoIterator<Item = &'i Item>,
    schema: &WorkspaceSchema,
    settings: &Settings,
) -> CheckRow {
    let statuses = schema.statuses();
    let mut row = CheckRow::new(ValidationCheck::Resolution.name());
    for item in items.into_iter().filter(|item| statuses.is_terminal(item.status())) {
        row.add("terminal", 1);
        let of_item = |finding: Finding| finding.of_item(item.id());
        if item.text("closed_at").is_none() {
            let finding = Finding::new("closed_at_missing", "the item is terminal without `closed_at`");
            // Older writers did not set it.
            row.note(CheckStatus::Ok, of_item(finding));
        }
        if settings.governance.require_close_reason && REASONS.iter().all(|field| item.text(field).is_none())
        {
            let finding = Finding::new("close_reason_missing", "nothing says why the item was closed");
            row.note(CheckStatus::Warn, of_item(finding));
        }
        let missing: Vec<&str> = TEXTS.into_iter().filter(|field| item.text(field).is_none()).collect();
        if !missing.is_empty() && !statuses.is_canceled(item.status()) && item.text("duplicate_of").is_none()
        {
            let detail = format!("closing texts are missing: {}", missing.join(", "));
            row.note(
                severity(settings.governance.close_validation),
                of_item(Finding::new("closing_texts_missing", detail)),
            );
        }
    }
    row
}
