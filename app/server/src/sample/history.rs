//! From steps to an item and its history stream.

use pm_tracker_domain::{Dialect, Item, ItemError, Statuses, canonical_hash, normal_body, normal_metadata};
use serde_json::{Map, Value, json};

use super::step::{SampleItem, Step};

/// What the files of one item hold.
pub(super) struct Recorded {
    /// The item as it is at the end; none if it was deleted.
    pub(super) item: Option<Item>,
    /// The lines of its stream.
    pub(super) lines: Vec<Value>,
}

/// A document as histories see it.
#[derive(Default)]
struct Document {
    metadata: Map<String, Value>,
    body: String,
}

impl Document {
    fn hash(&self) -> String {
        canonical_hash(&json!({"front_matter": self.metadata, "body": self.body}))
    }

    fn after(&self, id: &str, step: &Step, statuses: &Statuses) -> Self {
        if step.op == "delete" {
            return Self::default();
        }
        let (mut metadata, mut body) = (self.metadata.clone(), self.body.clone());
        for (key, value) in &step.set {
            match (key.as_str(), value) {
                ("body", Value::String(text)) => body.clone_from(text),
                _ => {
                    metadata.insert(key.clone(), value.clone());
                }
            }
        }
        for (key, value) in [("id", id), ("created_at", &step.timestamp()), ("author", &step.author)] {
            metadata.entry(key).or_insert_with(|| value.into());
        }
        metadata.insert("updated_at".to_owned(), step.timestamp().into());
        Self {
            metadata: normal_metadata(&metadata, statuses, Dialect::StoredTests),
            body: normal_body(&body).to_owned(),
        }
    }

    fn patch_to(&self, next: &Self) -> Vec<Value> {
        let mut patch = Vec::new();
        if self.body != next.body {
            patch.push(json!({"op": "replace", "path": "/body", "value": next.body}));
        }
        for key in self.metadata.keys().filter(|key| !next.metadata.contains_key(*key)) {
            patch.push(json!({"op": "remove", "path": format!("/metadata/{key}")}));
        }
        for (key, value) in &next.metadata {
            let op = match self.metadata.get(key) {
                Some(before) if before == value => continue,
                Some(_) => "replace",
                None => "add",
            };
            patch.push(json!({"op": op, "path": format!("/metadata/{key}"), "value": value}));
        }
        patch
    }
}

/// Plays the steps of one item.
pub(super) fn record(sample: &SampleItem, statuses: &Statuses) -> Result<Recorded, ItemError> {
    let mut document = Document::default();
    let mut lines = Vec::new();
    for step in &sample.steps {
        let next = document.after(&sample.id, step, statuses);
        let mut line = json!({
            "ts": step.timestamp(),
            "author": step.author,
            "author_source": "asserted",
            "op": step.op,
            "patch": document.patch_to(&next),
            "before_hash": document.hash(),
            "after_hash": next.hash(),
            "item_hash_version": 2,
        });
        if let (Some(message), Some(members)) = (&step.message, line.as_object_mut()) {
            members.insert("message".to_owned(), message.as_str().into());
        }
        lines.push(line);
        document = next;
    }
    let item = match document.metadata.is_empty() {
        true => None,
        false => Some(Item::new(document.metadata, document.body)?),
    };
    Ok(Recorded { item, lines })
}
