//! Objects with the fields of items.

use serde_json::{Map, Value};

use super::draft::{Draft, DraftEdge, DraftFault, Drafts};
use super::value::{objects, text};

/// Members of calls, by the stored names that they mean.
const SPELLINGS: [(&str, &str); 2] =
    [("acceptanceCriteria", "acceptance_criteria"), ("estimatedMinutes", "estimated_minutes")];

/// Fields that a tracker sets by itself, or that say nothing without its history.
const OWN: [&str; 12] = [
    "created_at",
    "updated_at",
    "closed_at",
    "completed_at",
    "author",
    "claim_principal",
    "source_owner",
    "pm_format_version",
    "version",
    "comments",
    "notes",
    "learnings",
];

/// Statuses that mean finished work everywhere.
const FINISHED: [&str; 4] = ["closed", "done", "canceled", "cancelled"];

pub(super) fn read(source: &str) -> Drafts {
    let (found, mut faults) = objects(source);
    let mut drafts = Vec::new();
    for (place, members) in found {
        match draft(place, members) {
            Ok(draft) => drafts.push(draft),
            Err(detail) => faults.push(DraftFault { place, detail }),
        }
    }
    faults.sort_by_key(|fault| fault.place);
    Drafts { drafts, faults }
}

fn draft(place: usize, mut members: Map<String, Value>) -> Result<Draft, String> {
    let title = text(&members, "title").ok_or("has no `title`")?;
    let mut draft = Draft {
        place,
        reference: text(&members, "id"),
        title,
        type_name: text(&members, "type"),
        parent: text(&members, "parent"),
        body: members.get("body").and_then(Value::as_str).unwrap_or_default().to_owned(),
        edges: edges(members.get("dependencies"))?,
        ..Draft::default()
    };
    let status = text(&members, "status");
    if status.as_deref().is_some_and(|status| FINISHED.contains(&status.to_lowercase().as_str())) {
        draft.closed = Some(text(&members, "close_reason").unwrap_or_default());
        members.remove("status");
    }
    for key in ["id", "title", "type", "parent", "body", "dependencies", "close_reason"].iter().chain(&OWN) {
        members.remove(*key);
    }
    for (key, value) in members {
        if value.is_null() {
            continue;
        }
        let stored = SPELLINGS
            .iter()
            .find(|(spelling, _)| *spelling == key)
            .map_or(key.as_str(), |(_, stored)| stored);
        draft.fields.insert(stored.to_owned(), value);
    }
    Ok(draft)
}

/// Edges as ids, or as objects with an id and a kind.
fn edges(list: Option<&Value>) -> Result<Vec<DraftEdge>, String> {
    let Some(list) = list.filter(|list| !list.is_null()) else { return Ok(Vec::new()) };
    let list = list.as_array().ok_or("`dependencies` is no list")?;
    list.iter()
        .map(|edge| {
            let named = edge.as_object().and_then(|edge| text(edge, "id"));
            let to = edge.as_str().map(str::to_owned).or(named);
            let kind = edge.as_object().and_then(|edge| text(edge, "kind"));
            let to = to.ok_or("an entry of `dependencies` has no `id`")?;
            Ok(DraftEdge { to, kind: kind.unwrap_or_else(|| "blocked_by".to_owned()) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_taken_by_their_stored_names() {
        let read = read(
            r#"{"id": "a-1", "title": " One ", "type": "Issue", "priority": 1, "acceptanceCriteria": "works",
                "status": "open", "created_at": "2020", "dependencies": ["a-2", {"id": "a-3", "kind": "related"}]}"#,
        );
        let draft = &read.drafts[0];
        assert_eq!((draft.title.as_str(), draft.type_name.as_deref()), ("One", Some("Issue")));
        assert_eq!(
            Value::Object(draft.fields.clone()),
            json!({"priority": 1, "acceptance_criteria": "works", "status": "open"})
        );
        assert_eq!(draft.edges[1], DraftEdge { to: "a-3".to_owned(), kind: "related".to_owned() });
    }

    #[test]
    fn lines_that_are_no_items_are_named_and_hide_nobody() {
        let read = read(
            "{\"title\": \"One\"}\n\nnot json\n{\"title\": \"\"}\n{\"title\": \"Two\", \"status\": \"closed\"}\n",
        );
        assert_eq!(read.drafts.len(), 2);
        assert_eq!(read.drafts[1].closed.as_deref(), Some(""));
        assert_eq!(read.faults.iter().map(|fault| fault.place).collect::<Vec<_>>(), [3, 4]);
    }
}
