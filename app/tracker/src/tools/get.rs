//! `pm_get`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::{Call, reading_tool};
use super::name::ToolName;
use crate::failure::{Failure, Problem};
use crate::reading::{ItemAt, ItemDepth, ItemView, item};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Deserialize)]
struct GetArguments {
    id: String,
    #[serde(default)]
    depth: ItemDepth,
    at: Option<Value>,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let depth = "brief: row and description; standard (default): also all other fields but logs and body; full: \
                 everything.";
    let at = json!({
        "type": ["integer", "string"], "minimum": 1, "maxLength": 64,
        "description": "As it was: a version, or a time (RFC 3339 or a date)."
    });
    let input = Arguments::new()
        .id("id", "The item")
        .required("id")
        .choice("depth", ["brief", "standard", "full"], depth)
        .with("at", at)
        .finish(vocabulary);
    reading_tool(tracker, ToolName::Get, input, get)
}

async fn get(call: Call, arguments: GetArguments) -> Result<ItemView, Problem> {
    let GetArguments { id, depth, at } = arguments;
    let at = at.as_ref().map(point).transpose()?;
    item(&call.view().await?, &id, depth, at).await
}

fn point(at: &Value) -> Result<ItemAt, Failure> {
    let version = match at {
        Value::String(text) => match text.trim().parse() {
            Ok(version) => Some(version),
            Err(_) => return Ok(ItemAt::Time(text.clone())),
        },
        other => other.as_u64().and_then(|version| usize::try_from(version).ok()),
    };
    version.map(ItemAt::Version).ok_or_else(|| Failure::argument("at", "a version is a whole number from 1"))
}
