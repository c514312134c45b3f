//! Items for tests, made from the few fields that a test is about.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::board::Board;
use crate::{Item, WorkspaceSchema};

/// An open task of middle priority with the given fields on top.
pub(crate) fn item(fields: Value) -> Item {
    let mut value = json!({
        "id": "demo-0000", "title": "Untitled", "description": "", "type": "Task", "status": "open", "priority": 2,
        "tags": [], "created_at": "2026-01-01T00:00:00.000Z", "updated_at": "2026-01-01T00:00:00.000Z", "body": "",
    });
    for (key, field) in fields.as_object().unwrap() {
        value[key] = field.clone();
    }
    Item::from_file_value(value).unwrap()
}

/// Several items at once.
pub(crate) fn items(list: Value) -> Vec<Item> {
    list.as_array().unwrap().iter().cloned().map(item).collect()
}

/// The board of some items under the built-in schema.
pub(crate) fn board(items: &[Item]) -> Board {
    Board::new(items.iter().cloned().map(Arc::new), Arc::new(WorkspaceSchema::default()))
}
