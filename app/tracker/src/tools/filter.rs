//! The filter that lists and searches share.

use pm_tracker_domain::Timestamp;
use pm_tracker_domain::board::{Assignment, ItemFilter};
use serde::Deserialize;

use super::arguments::Arguments;
use crate::failure::Failure;
use crate::view::View;
use crate::vocabulary::Vocabulary;

/// The arguments of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct FilterArguments {
    status: Vec<String>,
    #[serde(rename = "type")]
    types: Vec<String>,
    tag: Vec<String>,
    priority: Vec<u8>,
    parent: Option<String>,
    assignee: Option<String>,
    updated_after: Option<String>,
}

impl FilterArguments {
    /// Adds the filter to a schema.
    pub(super) fn describe(arguments: Arguments, vocabulary: &Vocabulary) -> Arguments {
        let priority = serde_json::json!({
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": 4},
            "maxItems": 5,
            "description": "Any of these priorities, 0 (first) to 4 (last)."
        });
        arguments
            .choices("status", &vocabulary.statuses, "Any of these statuses.")
            .choices("type", &vocabulary.types, "Any of these types.")
            .texts("tag", "Any of these tags.")
            .with("priority", priority)
            .id("parent", "Only direct children of this item")
            .text("assignee", "Only what this one holds; empty: what nobody holds.")
            .text("updatedAfter", "Only what changed later, RFC 3339 or a date.")
    }

    pub(super) fn read(self, view: &View) -> Result<ItemFilter, Failure> {
        let mut filter = ItemFilter::default();
        filter.parent = match &self.parent {
            Some(parent) => Some(view.find(parent)?.id().to_owned()),
            None => None,
        };
        filter.updated_after = match &self.updated_after {
            Some(text) => Some(Timestamp::parse(text).ok_or_else(|| {
                Failure::argument("updatedAfter", "give a time such as 2026-03-02T08:09:30Z, or a date")
            })?),
            None => None,
        };
        filter.assignee = self.assignee.map(|name| match name.trim() {
            "" => Assignment::Nobody,
            name => Assignment::To(name.to_owned()),
        });
        filter.statuses = self.status;
        filter.types = self.types;
        filter.tags = self.tag;
        filter.priorities = self.priority;
        Ok(filter)
    }
}
