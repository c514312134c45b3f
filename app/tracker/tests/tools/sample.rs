//! A made-up workspace of fifteen items.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_tracker_domain::{HistoryEntry, Item, SchemaFiles, Settings, WorkspaceSchema};
use pm_tracker_ports::{UnreadableFile, UnreadableReason, WorkspaceSnapshot};
use serde_json::{Map, Value, json};

use crate::memory::{Content, STREAM, file};

/// Items as they are; what is not said is that of an open task of middle priority.
fn items() -> Value {
    json!([
        {"id": "demo-e1", "title": "Uploads that survive", "type": "Epic", "priority": 1},
        {"id": "demo-f1", "title": "Retry with back-off", "type": "Feature", "parent": "demo-e1", "priority": 1},
        {"id": "demo-t1", "title": "Retry uploads", "parent": "demo-f1", "status": "in-progress", "priority": 1,
            "assignee": "agent-7", "tags": ["area:upload", "reliability"], "updated_at": "2026-03-02T08:09:30.250Z",
            "comments": [{"created_at": "2026-03-02T08:09:30.250Z", "author": "agent-7", "text": "Plan: 1s, 2s, 4s"}],
            "files": [{"path": "src/upload.rs", "scope": "project"}, {"path": "src/gone.rs", "scope": "project"}],
            "body": "Seen on slow links.", "story_points": 5},
        {"id": "demo-t2", "title": "Count attempts", "parent": "demo-f1", "priority": 0},
        {"id": "demo-t3", "title": "Show attempts", "parent": "demo-f1", "blocked_by": "demo-t2"},
        {"id": "demo-t4", "title": "Ask the vendor", "status": "blocked", "blocked_by": "the vendor must answer"},
        {"id": "demo-t5", "title": "Some day", "status": "draft"},
        {"id": "demo-t6", "title": "First upload", "status": "closed", "closed_at": "2026-02-01T00:00:00.000Z"},
        {"id": "demo-t7", "title": "Log failures", "priority": 3, "deadline": "2026-04-01"},
        {"id": "demo-d1", "title": "Which library", "type": "Decision"},
        {"id": "demo-i1", "title": "Upload stops at the first error", "type": "Issue", "priority": 2,
            "description": "Network errors end the upload."},
        {"id": "demo-i2", "title": "Progress bar jumps", "type": "Issue", "status": "canceled"},
        {"id": "demo-c1", "title": "Renew certificates", "type": "Chore", "priority": 4, "tags": ["ops"]},
        {"id": "demo-h1", "title": "Write the guide", "assignee": "mira"},
        {"id": "demo-m1", "title": "Beta", "type": "Milestone", "priority": 3,
            "dependencies": [{"id": "demo-t7", "kind": "blocked_by"}, {"id": "demo-nowhere", "kind": "related"}]},
    ])
}

pub(crate) fn item(fields: &Value) -> Item {
    let mut value = json!({
        "id": "demo-0000", "title": "Untitled", "description": "", "type": "Task", "status": "open", "priority": 2,
        "tags": [], "created_at": "2026-03-01T08:00:00.000Z", "updated_at": "2026-03-01T08:00:00.000Z", "body": ""
    });
    for (key, field) in fields.as_object().unwrap() {
        value[key] = field.clone();
    }
    Item::from_file_value(value).unwrap()
}

fn entry(ts: &str, author: &str, op: &str, patch: Value, message: Option<&str>) -> HistoryEntry {
    let mut members =
        json!({"ts": ts, "author": author, "op": op, "patch": patch, "before_hash": "", "after_hash": ""});
    if let Some(message) = message {
        members["message"] = json!(message);
    }
    HistoryEntry::new(members.as_object().unwrap().clone()).unwrap()
}

fn created(metadata: &Map<String, Value>, body: &str) -> HistoryEntry {
    let mut patch = vec![json!({"op": "replace", "path": "/body", "value": body})];
    for (key, value) in metadata {
        patch.push(json!({"op": "add", "path": format!("/metadata/{key}"), "value": value}));
    }
    entry("2026-03-01T08:00:00.000Z", "mira", "create", Value::Array(patch), None)
}

fn history(item: &Item) -> Vec<HistoryEntry> {
    if item.id() != "demo-t1" {
        return vec![created(item.metadata(), item.body())];
    }
    let mut first = item.metadata().clone();
    for later in ["assignee", "comments"] {
        first.shift_remove(later);
    }
    first["status"] = json!("open");
    first["updated_at"] = json!("2026-03-01T08:00:00.000Z");
    let add =
        |key: &str| json!({"op": "add", "path": format!("/metadata/{key}"), "value": item.metadata()[key]});
    let status = json!({"op": "replace", "path": "/metadata/status", "value": "in-progress"});
    vec![
        created(&first, item.body()),
        entry("2026-03-02T08:05:00.000Z", "agent-7", "claim", json!([status, add("assignee")]), None),
        entry(
            "2026-03-02T08:09:30.250Z",
            "agent-7",
            "comment_add",
            json!([add("comments"), add("updated_at")]),
            Some("First plan"),
        ),
    ]
}

/// The fifteen items, one that was deleted, and a file that nobody can read.
pub(crate) fn workspace() -> Content {
    let items: Vec<Item> = items().as_array().unwrap().iter().map(item).collect();
    let mut histories: BTreeMap<String, Vec<HistoryEntry>> =
        items.iter().map(|item| (item.id().to_owned(), history(item))).collect();
    let gone =
        item(&json!({"id": "demo-gone", "title": "Given up", "updated_at": "2026-03-01T08:00:00.000Z"}));
    let deletion = json!([
        {"op": "replace", "path": "/metadata", "value": {}}, {"op": "replace", "path": "/body", "value": ""}
    ]);
    let deletion = entry("2026-03-03T08:00:00.000Z", "mira", "delete", deletion, Some("not needed"));
    histories.insert("demo-gone".to_owned(), vec![created(gone.metadata(), gone.body()), deletion]);

    let types = json!({"definitions": [{"name": "Story", "folder": "stories", "aliases": ["user-story"]}]});
    let statuses = json!({"statuses": [{"id": "review", "aliases": ["in-review"], "roles": ["active"]}]});
    let fields = json!({"fields": [{"key": "story_points", "type": "number", "commands": ["create"]}]});
    let files = SchemaFiles {
        types: Some(&types),
        statuses: Some(&statuses),
        fields: Some(&fields),
        ..SchemaFiles::default()
    };
    let (schema, problems) = WorkspaceSchema::read(files);
    let snapshot = WorkspaceSnapshot {
        revision: 1,
        settings: Arc::new(Settings::read(&json!({"id_prefix": "demo-"}))),
        settings_problem: None,
        schema: Arc::new(schema),
        schema_problems: problems,
        items: items.into_iter().map(file).collect(),
        unreadable: vec![UnreadableFile {
            path: "tasks/demo-torn.toon".to_owned(),
            id: "demo-torn".to_owned(),
            reason: UnreadableReason::MergeConflict { line: 7 },
        }],
        duplicates: Vec::new(),
        streams: histories.keys().map(|id| (id.clone(), STREAM)).collect(),
    };
    Content {
        snapshot,
        histories,
        torn_history: None,
        focused: Some("demo-f1".to_owned()),
        gone: false,
        stuck: false,
    }
}
