//! Required fields and values that can be used.

use serde_json::Value;

use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding, severity};
use crate::{Enforcement, Item, Settings, TOP_LEVEL_KEYS, Timestamp, WorkspaceSchema};

/// How much an item must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "callers choose among exactly these")]
pub enum MetadataProfile {
    /// What the format requires.
    #[default]
    Core,
    /// Also a description and an author.
    Standard,
    /// Also acceptance criteria and an estimate.
    Strict,
}

impl MetadataProfile {
    const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Core => &[],
            Self::Standard => &["description", "author"],
            Self::Strict => &["description", "author", "acceptance_criteria", "estimated_minutes"],
        }
    }
}

const TIMES: [&str; 5] = ["created_at", "updated_at", "deadline", "closed_at", "completed_at"];

/// Looks at every item by itself. Items that cannot be read at all are no concern of this check.
#[must_use]
pub fn metadata<'i>(
    items: impl IntoIterator<Item = &'i Item>,
    schema: &WorkspaceSchema,
    settings: &Settings,
    profile: MetadataProfile,
) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::Metadata.name());
    for item in items {
        row.add("items", 1);
        let mut warn = |code, detail: String| {
            row.note(CheckStatus::Warn, Finding::new(code, detail).of_item(item.id()));
        };
        if item.title().trim().is_empty() {
            warn("title_empty", "the title is empty".to_owned());
        }
        if schema.item_type(item.type_name()).is_none() {
            warn("type_unknown", format!("the workspace has no type `{}`", item.type_name()));
        }
        if schema.statuses().canonical(item.status()).is_none() {
            warn("status_unknown", format!("the workspace has no status `{}`", item.status()));
        }
        for field in TIMES {
            if let Some(text) = item.text(field)
                && Timestamp::parse(text).is_none()
            {
                warn("time_unreadable", format!("`{field}` is no RFC 3339 time: `{text}`"));
            }
        }
        let times = Timestamp::parse(item.created_at()).zip(Timestamp::parse(item.updated_at()));
        if times.is_some_and(|(created, updated)| updated < created) {
            warn("times_reversed", "`updated_at` is earlier than `created_at`".to_owned());
        }
        if !schema.statuses().is_terminal(item.status()) {
            for field in profile.fields().iter().filter(|field| is_absent(item, field)) {
                warn("field_missing", format!("`{field}` is missing"));
            }
            let required = schema.fields().iter().filter(|field| field.is_required_for(item.type_name()));
            for field in required.filter(|field| is_absent(item, &field.key)) {
                warn("custom_field_missing", format!("the workspace requires `{}`", field.key));
            }
        }
        if settings.unknown_fields != Enforcement::Off {
            let known = |key: &str| TOP_LEVEL_KEYS.contains(&key) || schema.field(key).is_some();
            for key in item.metadata().keys().filter(|key| !known(key)) {
                let finding = Finding::new("field_unknown", format!("nobody knows the field `{key}`"));
                row.note(severity(settings.unknown_fields), finding.of_item(item.id()));
            }
        }
    }
    row
}

fn is_absent(item: &Item, key: &str) -> bool {
    match item.field(key) {
        None => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) => false,
    }
}
