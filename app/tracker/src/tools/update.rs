//! `pm_update`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_ports::Target;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::write_call::writing_tool;
use crate::failure::Failure;
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, UpdateOptions, edit};

/// The schema of what is to be different.
pub(super) fn arguments(vocabulary: &Vocabulary) -> Arguments {
    Arguments::new()
        .fields("set", "Fields to set, by their stored names.", vocabulary)
        .texts("unset", "Fields to take out.")
        .texts("addTags", "Tags to add.")
        .texts("removeTags", "Tags to take out.")
        .edges("addDependencies", "Edges to add: ids it waits for, or ids with kinds.")
        .edges("removeDependencies", "Edges to take out: ids for all edges to them, or ids with kinds.")
        .choice("status", &vocabulary.statuses, "New status; to finish the item, use pm_close.")
        .long_text("body", "New body.")
        .long_text("appendBody", "A paragraph to add to the body.")
        .with("ifVersion", json!({"type": "integer", "minimum": 0, "description": "Only if the item still has this version."}))
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = arguments(vocabulary).id("id", "The item").required("id").writing().finish(vocabulary);
    writing_tool(tracker, ToolName::Update, input, true, |call: Call, asked: Asked, own: Value| async move {
        let (id, options): (String, UpdateOptions) = with_id(own)?;
        let view = call.view().await?;
        let target = Target::Item(view.find(&id)?.id().to_owned());
        edit(&call.tracker, &call.context, &view, target, &asked, options.into_change()).await
    })
}

/// Parts the id from the other arguments.
pub(super) fn with_id<O: for<'de> Deserialize<'de>>(mut own: Value) -> Result<(String, O), Failure> {
    let id = own.as_object_mut().and_then(|members| members.shift_remove("id"));
    let id = id.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let rest = O::deserialize(own).map_err(|error| Failure::argument("id", error.to_string()))?;
    Ok((id, rest))
}
