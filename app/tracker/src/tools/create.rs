//! `pm_create`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_ports::Target;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::write_call::writing_tool;
use crate::failure::Problem;
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, CreateOptions, Receipt, edit};

/// The schema of what a new item is made of.
pub(super) fn arguments(vocabulary: &Vocabulary) -> Arguments {
    Arguments::new()
        .with("title", json!({"type": "string", "minLength": 1, "maxLength": 1000, "description": "What it is about, in one line."}))
        .required("title")
        .choice("type", &vocabulary.types, "What it is; the workspace's default type unless told.")
        .long_text("description", "What is the matter or to be done, and why.")
        .long_text("body", "Longer text, in Markdown.")
        .with("priority", json!({"type": "integer", "minimum": 0, "maximum": 4, "description": "0 (first) to 4 (last); 2 unless told."}))
        .texts("tags", "Tags.")
        .id("parent", "The item that this one lies below; the focused item unless told")
        .long_text("acceptanceCriteria", "How one can tell that it is done.")
        .text("deadline", "RFC 3339 or a date.")
        .with("estimatedMinutes", json!({"type": "integer", "minimum": 0, "maximum": 100_000_000, "description": "How long the work is likely to take."}))
        .edges("dependencies", "Other items that this one has to do with: ids it waits for, or ids with kinds.")
        .fields("fields", "Further fields by their stored names, the workspace's own among them.", vocabulary)
        .flag("allowDuplicate", "Make it even if it seems to repeat another item.")
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = arguments(vocabulary).writing().finish(vocabulary);
    writing_tool(tracker, ToolName::Create, input, false, create)
}

async fn create(call: Call, asked: Asked, mut options: CreateOptions) -> Result<Receipt, Problem> {
    let view = call.view().await?;
    let mut focused = None;
    if options.parent.is_none() && !call.arguments.pointer("/fields/parent").is_some_and(Value::is_string) {
        let session = view.repository().session().await;
        let focus = session.ok().and_then(|session| session.focused_item);
        focused = focus.and_then(|id| view.snapshot().find(&id).map(|item| item.id().to_owned()));
        options.parent.clone_from(&focused);
    }
    let change = options.into_change()?;
    let mut receipt = edit(&call.tracker, &call.context, &view, Target::New, &asked, change).await?;
    if let Some(focused) = focused {
        receipt.warnings.push(format!("focused_parent: the focused item `{focused}` became the parent"));
    }
    Ok(receipt)
}
