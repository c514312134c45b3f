//! Changes across items, in the order in which they were made.

use std::collections::BTreeMap;

use pm_mcp::HandlerFault;
use pm_tracker_domain::Timestamp;
use pm_tracker_ports::StreamHeads;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Problem;
use crate::view::View;

/// The stream of settings-like files, which are no items.
const WORKSPACE_STREAM: &str = "_workspace";

/// Separates the parts of a position; no id holds it.
const SEPARATOR: char = '\u{1f}';

/// A place among all changes: after everything made earlier, at the same time by an item with a smaller id, or by the
/// same item up to this version. It stays right whatever is appended later.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a plain key")]
pub struct EventPosition {
    /// Milliseconds since 1970 in UTC.
    pub ms: i64,
    /// The item's id; empty for the very start of the instant.
    pub item: String,
    /// The version that the change made.
    pub version: usize,
}

impl EventPosition {
    /// Before every change.
    #[must_use]
    pub const fn start() -> Self {
        Self { ms: i64::MIN, item: String::new(), version: 0 }
    }

    /// Before every change that was made at an instant or later.
    #[must_use]
    pub const fn at(time: Timestamp) -> Self {
        Self { ms: time.as_unix_ms(), item: String::new(), version: 0 }
    }

    pub(crate) fn encode(&self) -> String {
        format!("{}{SEPARATOR}{}{SEPARATOR}{}", self.ms, self.item, self.version)
    }

    pub(crate) fn decode(text: &str) -> Option<Self> {
        let (ms, rest) = text.split_once(SEPARATOR)?;
        let (item, version) = rest.split_once(SEPARATOR)?;
        Some(Self { ms: ms.parse().ok()?, item: item.to_owned(), version: version.parse().ok()? })
    }
}

/// Where to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a list is read on from a place, or its end is shown")]
pub enum EventStart {
    /// The first changes after a place.
    After(EventPosition),
    /// The last changes that there are.
    Latest,
}

/// Which changes, and how many of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a plain question")]
pub struct EventsQuestion {
    /// Where to begin.
    pub start: EventStart,
    /// Only changes of these items; none means all.
    pub items: Vec<String>,
    /// Only changes by these authors; none means all.
    pub authors: Vec<String>,
    /// Only these operations; none means all.
    pub ops: Vec<String>,
    /// Most changes of the answer.
    pub limit: usize,
    /// Whether to show whole entries.
    pub full: bool,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Event {
    /// Full id.
    pub item_id: String,
    /// The version that the change made.
    pub version: usize,
    /// When, RFC 3339.
    pub ts: String,
    /// Who, as a label.
    pub author: String,
    /// What was done.
    pub op: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Number of patch operations.
    pub patch_count: usize,
    /// The whole entry, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "entry_schema")]
    pub entry: Option<Map<String, Value>>,
}

fn entry_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "The whole history entry, with its RFC 6902 patch.",
        "additionalProperties": super::schema::open_values("A member, as the history holds it.")
    })
}

/// Changes in order, oldest first, and the place after them.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a plain answer")]
pub struct Events {
    /// The changes.
    pub events: Vec<Event>,
    /// Whether there are more after them.
    pub has_more: bool,
    /// Where to go on.
    pub next: EventPosition,
}

/// One change before it is shown: where it stands, and where its head is found.
struct Found {
    position: EventPosition,
    stream: usize,
    head: usize,
}

/// Lists changes.
///
/// # Errors
///
/// [`Failure::ItemNotFound`](crate::Failure::ItemNotFound) for an item of which nothing is left,
/// [`Failure::HistoryUnreadable`](crate::Failure::HistoryUnreadable) if a history cannot be read; faults as they come.
pub async fn events(view: &View, question: EventsQuestion) -> Result<Events, Problem> {
    let mut ids: Vec<String> = Vec::new();
    for id in &question.items {
        ids.push(view.find_with_history(id)?);
    }
    ids.sort_unstable();
    ids.dedup();
    let asked = if ids.is_empty() { None } else { Some(ids.as_slice()) };
    let streams = view.repository().heads(asked).await;
    let streams =
        streams.map_err(|error| Problem::of_history(ids.first().map_or("", String::as_str), error))?;
    let full = question.full;
    let chosen = tokio::task::spawn_blocking(move || choose(&streams, &question)).await;
    let mut chosen = chosen.map_err(HandlerFault::internal)?;
    if full {
        add_entries(view, &mut chosen.events).await?;
    }
    Ok(chosen)
}

fn choose(streams: &[StreamHeads], question: &EventsQuestion) -> Events {
    let mut found = Vec::new();
    for (number, stream) in streams.iter().enumerate().filter(|(_, stream)| stream.id != WORKSPACE_STREAM) {
        gather(&mut found, number, stream, question);
    }
    found.sort_unstable_by(|left, right| left.position.cmp(&right.position));
    let cut = found.len().saturating_sub(question.limit);
    let (taken, has_more, nothing): (&[Found], bool, EventPosition) = match &question.start {
        EventStart::Latest => {
            let end = found.last().map_or_else(EventPosition::start, |last| last.position.clone());
            (found.get(cut..).unwrap_or_default(), false, end)
        }
        EventStart::After(place) => {
            let limit = question.limit.min(found.len());
            (found.get(..limit).unwrap_or_default(), cut > 0, place.clone())
        }
    };
    let next = taken.last().map_or(nothing, |last| last.position.clone());
    Events { events: taken.iter().filter_map(|one| shown(streams, one)).collect(), has_more, next }
}

fn gather(found: &mut Vec<Found>, number: usize, stream: &StreamHeads, question: &EventsQuestion) {
    let wanted = |list: &[String], name: &str| list.is_empty() || list.iter().any(|one| one == name);
    let mut ms = i64::MIN;
    for (at, head) in stream.heads.iter().enumerate() {
        // A time that cannot be read is that of the entry before: its place in the stream is all that is known.
        ms = Timestamp::parse(&head.ts).map_or(ms, Timestamp::as_unix_ms);
        let position = EventPosition { ms, item: stream.id.clone(), version: head.version };
        let after = match &question.start {
            EventStart::Latest => true,
            EventStart::After(place) => position > *place,
        };
        if after && wanted(&question.authors, &head.author) && wanted(&question.ops, &head.op) {
            found.push(Found { position, stream: number, head: at });
        }
    }
}

fn shown(streams: &[StreamHeads], one: &Found) -> Option<Event> {
    let stream = streams.get(one.stream)?;
    let head = stream.heads.get(one.head)?;
    Some(Event {
        item_id: stream.id.clone(),
        version: head.version,
        ts: head.ts.clone(),
        author: head.author.to_string(),
        op: head.op.to_string(),
        message: head.message.clone(),
        patch_count: head.patch_count,
        entry: None,
    })
}

async fn add_entries(view: &View, events: &mut [Event]) -> Result<(), Problem> {
    let mut by_item: BTreeMap<String, Vec<&mut Event>> = BTreeMap::new();
    for event in events {
        by_item.entry(event.item_id.clone()).or_default().push(event);
    }
    for (id, events) in by_item {
        let stream = view.repository().history(&id).await.map_err(|error| Problem::of_history(&id, error))?;
        for event in events {
            let entry = event.version.checked_sub(1).and_then(|at| stream.entries.get(at));
            event.entry = entry.map(|entry| entry.members().clone());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_survives_being_written() {
        for position in [
            EventPosition::start(),
            EventPosition { ms: 1_772_438_970_250, item: "demo-a1.2".to_owned(), version: 7 },
        ] {
            assert_eq!(EventPosition::decode(&position.encode()), Some(position));
        }
        assert_eq!(EventPosition::decode("7"), None);
    }
}
