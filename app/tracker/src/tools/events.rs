//! `pm_events`.

use std::sync::Arc;

use pm_mcp::{CursorPosition, HandlerFault, Pages, ToolEntry};
use pm_tracker_domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::arguments::Arguments;
use super::call::{Call, reading_tool};
use super::name::ToolName;
use super::page::asked;
use crate::failure::Problem;
use crate::reading::{Event, EventPosition, EventStart, EventsQuestion, events};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Deserialize)]
struct EventsArguments {
    since: Option<String>,
    #[serde(default)]
    item: Vec<String>,
    #[serde(default)]
    author: Vec<String>,
    #[serde(default)]
    op: Vec<String>,
    #[serde(default = "limit")]
    limit: usize,
    #[serde(default)]
    full: bool,
}

const fn limit() -> usize {
    100
}

/// A page of changes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct EventPage {
    /// Oldest first.
    events: Vec<Event>,
    /// Whether there are more after these.
    has_more: bool,
    /// For `since`, to go on from here, now or later.
    next_cursor: String,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let since = json!({
        "type": "string", "minLength": 1, "maxLength": 4096,
        "description": "`next_cursor` of an earlier answer with the same filters, or a time (RFC 3339 or a date)."
    });
    let input = Arguments::new()
        .with("since", since)
        .texts("item", "Only changes of these items, deleted ones too.")
        .texts("author", "Only changes by these authors.")
        .texts("op", "Only these operations, such as create, update, claim, close, comment_add.")
        .limit(0, 1000, 100, "Most changes of the page.")
        .flag("full", "Show whole history entries with their patches.")
        .finish(vocabulary);
    reading_tool(tracker, ToolName::Events, input, list)
}

async fn list(call: Call, arguments: EventsArguments) -> Result<EventPage, Problem> {
    let view = call.view().await?;
    let EventsArguments { since, item, author, op, limit, full } = arguments;
    let asked = asked(&call, &view, &["since", "limit", "full"]);
    // A position is a time, an id and a version, so it holds whatever happens later and in every process.
    let pages = Pages::of(&call.context, "pm_events", &asked, 0);
    let start = match since.as_deref() {
        None => EventStart::Latest,
        Some(text) => EventStart::After(match Timestamp::parse(text) {
            Some(time) => EventPosition::at(time),
            None => position(pages.start(Some(text))?)?,
        }),
    };
    let question = EventsQuestion { start, items: item, authors: author, ops: op, limit, full };
    let found = events(&view, question).await?;
    let next_cursor = pages.cursor(CursorPosition::After(found.next.encode()));
    Ok(EventPage { events: found.events, has_more: found.has_more, next_cursor })
}

fn position(cursor: Option<CursorPosition>) -> Result<EventPosition, HandlerFault> {
    match cursor {
        Some(CursorPosition::After(key)) => EventPosition::decode(&key).ok_or(HandlerFault::InvalidCursor),
        Some(CursorPosition::Offset(_)) | None => Err(HandlerFault::InvalidCursor),
    }
}
