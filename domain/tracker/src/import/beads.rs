//! The export of the beads tracker.

use serde_json::{Map, Value};

use super::draft::{Draft, DraftEdge, DraftFault, Drafts};
use super::value::{objects, text, texts};

pub(super) fn read(source: &str) -> Drafts {
    let (found, mut faults) = objects(source);
    let mut drafts = Vec::new();
    for (place, members) in found {
        if text(&members, "status").as_deref() == Some("tombstone") {
            continue;
        }
        match text(&members, "title") {
            Some(title) => drafts.push(draft(place, title, &members)),
            None => faults.push(DraftFault { place, detail: "has no `title`".to_owned() }),
        }
    }
    faults.sort_by_key(|fault| fault.place);
    Drafts { drafts, faults }
}

fn draft(place: usize, title: String, members: &Map<String, Value>) -> Draft {
    let mut draft = Draft {
        place,
        reference: text(members, "id"),
        title,
        type_name: text(members, "issue_type").map(|kind| type_of(&kind)),
        body: text(members, "notes").unwrap_or_default(),
        ..Draft::default()
    };
    for key in ["description", "design", "acceptance_criteria", "assignee"] {
        if let Some(value) = text(members, key) {
            draft.fields.insert(key.to_owned(), value.into());
        }
    }
    if let Some(id) = &draft.reference {
        let reference = text(members, "external_ref").unwrap_or_else(|| id.clone());
        draft.fields.insert("external_ref".to_owned(), reference.into());
    }
    if let Some(priority) = members.get("priority").and_then(Value::as_u64) {
        draft.fields.insert("priority".to_owned(), priority.min(4).into());
    }
    if let Some(minutes) = members.get("estimated_minutes").and_then(Value::as_u64) {
        draft.fields.insert("estimated_minutes".to_owned(), minutes.into());
    }
    let labels = texts(members, "labels");
    if !labels.is_empty() {
        draft.fields.insert("tags".to_owned(), labels.into());
    }
    match text(members, "status").as_deref() {
        Some("closed") => draft.closed = Some(text(members, "close_reason").unwrap_or_default()),
        Some(status @ ("in_progress" | "blocked")) => {
            draft.fields.insert("status".to_owned(), status.into());
        }
        Some(_) | None => {}
    }
    let own = draft.reference.clone();
    let edges = members.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    for edge in edges.filter_map(Value::as_object) {
        let from_here = text(edge, "issue_id").is_none_or(|from| Some(from) == own);
        let Some(to) = text(edge, "depends_on_id").filter(|_| from_here) else { continue };
        match text(edge, "type").as_deref() {
            Some("parent-child") => draft.parent = Some(to),
            Some("discovered-from") => draft.edges.push(DraftEdge { to, kind: "discovered_from".to_owned() }),
            Some("related") => draft.edges.push(DraftEdge { to, kind: "related".to_owned() }),
            Some("blocks") | None => draft.edges.push(DraftEdge { to, kind: "blocked_by".to_owned() }),
            Some(other) => draft.edges.push(DraftEdge { to, kind: other.replace('-', "_") }),
        }
    }
    draft
}

fn type_of(kind: &str) -> String {
    match kind {
        "bug" => "Issue",
        "feature" => "Feature",
        "epic" => "Epic",
        "chore" => "Chore",
        _ => "Task",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_states_labels_and_edges_are_understood() {
        let read = read(concat!(
            r#"{"id":"bd-1","title":"Epic","issue_type":"epic","status":"open","priority":1}"#,
            "\n",
            r#"{"id":"bd-2","title":"Bug","issue_type":"bug","status":"closed","close_reason":"fixed","priority":9,"labels":["ui"],"dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"parent-child"},{"issue_id":"bd-2","depends_on_id":"bd-3","type":"blocks"}]}"#,
            "\n",
            r#"{"id":"bd-9","title":"Gone","status":"tombstone"}"#,
            "\n",
        ));
        assert_eq!(read.drafts.len(), 2);
        let bug = &read.drafts[1];
        assert_eq!((bug.type_name.as_deref(), bug.parent.as_deref()), (Some("Issue"), Some("bd-1")));
        assert_eq!(bug.closed.as_deref(), Some("fixed"));
        assert_eq!((&bug.fields["priority"], &bug.fields["external_ref"]), (&4.into(), &"bd-2".into()));
        assert_eq!(bug.edges, [DraftEdge { to: "bd-3".to_owned(), kind: "blocked_by".to_owned() }]);
    }
}
