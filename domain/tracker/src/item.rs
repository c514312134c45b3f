//! One item as its file holds it: ordered metadata and a body.
//!
//! Decides which metadata an item must have to be usable at all. It refuses to know how items are stored and what
//! a workspace's own types and statuses are; values it has no accessor for are kept untouched.

use serde_json::{Map, Value};
use thiserror::Error;

/// Metadata keys without which an item cannot be read.
pub const REQUIRED_FIELDS: [&str; 9] =
    ["id", "title", "description", "type", "status", "priority", "tags", "created_at", "updated_at"];

/// Highest `pm_format_version` that this server may write; items above it are read only.
pub const WRITABLE_FORMAT_VERSION: u64 = 1;

/// Why metadata do not make an item.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ItemError {
    /// The document is not an object.
    #[error("an item file must hold one object at its top level")]
    NotAnObject,
    /// A required field is absent or null.
    #[error("required field `{field}` is missing")]
    MissingField {
        /// The metadata key.
        field: &'static str,
    },
    /// A field that this server relies on has another type than it must have.
    #[error("field `{field}` must be {expected}")]
    WrongType {
        /// The metadata key.
        field: &'static str,
        /// What the value must be, in words.
        expected: &'static str,
    },
    /// The id cannot name a file of its own.
    #[error("field `id` must be a plain name without blanks, slashes or a leading dot, at most 200 bytes")]
    UnusableId,
}

/// One edge as an item's `dependencies` list holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency<'a> {
    /// The id at the other end, as stored.
    pub id: &'a str,
    /// The kind as stored; kinds have other spellings, see the graph module.
    pub kind: &'a str,
    /// When the edge was made, RFC 3339, empty if the record has none.
    pub created_at: &'a str,
    /// Who made the edge.
    pub author: Option<&'a str>,
    /// What made the edge.
    pub source_kind: Option<&'a str>,
}

/// One item: metadata in file order, and the body.
///
/// A value of this type has every required field with a usable type; optional fields are only as good as the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    metadata: Map<String, Value>,
    body: String,
}

impl Item {
    /// Takes metadata and body as one item.
    ///
    /// # Errors
    /// [`ItemError::MissingField`] or [`ItemError::WrongType`] for a required field, [`ItemError::UnusableId`] for
    /// an id that could not be a file name.
    pub fn new(metadata: Map<String, Value>, body: String) -> Result<Self, ItemError> {
        for field in REQUIRED_FIELDS {
            if metadata.get(field).is_none_or(Value::is_null) {
                return Err(ItemError::MissingField { field });
            }
        }
        for field in ["id", "title", "description", "type", "status", "created_at", "updated_at"] {
            if !metadata.get(field).is_some_and(Value::is_string) {
                return Err(ItemError::WrongType { field, expected: "text" });
            }
        }
        if metadata.get("priority").and_then(priority_of).is_none() {
            return Err(ItemError::WrongType { field: "priority", expected: "a whole number from 0 to 4" });
        }
        let tags = metadata.get("tags").and_then(Value::as_array);
        if !tags.is_some_and(|tags| tags.iter().all(Value::is_string)) {
            return Err(ItemError::WrongType { field: "tags", expected: "a list of texts" });
        }
        let item = Self { metadata, body };
        if is_plain_name(item.id()) { Ok(item) } else { Err(ItemError::UnusableId) }
    }

    /// Splits a decoded item file, whose `body` is one of its keys, into metadata and body.
    ///
    /// # Errors
    /// As [`Item::new`], and [`ItemError::NotAnObject`], and [`ItemError::WrongType`] for a body that is not text.
    pub fn from_file_value(value: Value) -> Result<Self, ItemError> {
        let Value::Object(mut metadata) = value else { return Err(ItemError::NotAnObject) };
        let body = match metadata.shift_remove("body") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(body)) => body,
            Some(_) => return Err(ItemError::WrongType { field: "body", expected: "text" }),
        };
        Self::new(metadata, body)
    }

    /// The full id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.required_text("id")
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &str {
        self.required_text("title")
    }

    /// The description, possibly empty.
    #[must_use]
    pub fn description(&self) -> &str {
        self.required_text("description")
    }

    /// The type's name as stored.
    #[must_use]
    pub fn type_name(&self) -> &str {
        self.required_text("type")
    }

    /// The status as stored, which may be an alias; see [`Statuses::canonical`](crate::Statuses::canonical).
    #[must_use]
    pub fn status(&self) -> &str {
        self.required_text("status")
    }

    /// Priority, 0 (first) to 4 (last).
    #[must_use]
    pub fn priority(&self) -> u8 {
        self.metadata.get("priority").and_then(priority_of).unwrap_or(4)
    }

    /// The tags in stored order.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.list("tags").iter().filter_map(Value::as_str)
    }

    /// The id of the parent, if one is set and not empty.
    #[must_use]
    pub fn parent(&self) -> Option<&str> {
        self.text("parent")
    }

    /// Who holds the item, if anybody.
    #[must_use]
    pub fn assignee(&self) -> Option<&str> {
        self.text("assignee")
    }

    /// When the item was made, RFC 3339.
    #[must_use]
    pub fn created_at(&self) -> &str {
        self.required_text("created_at")
    }

    /// When the item was last changed, RFC 3339.
    #[must_use]
    pub fn updated_at(&self) -> &str {
        self.required_text("updated_at")
    }

    /// The deadline, RFC 3339 or a date.
    #[must_use]
    pub fn deadline(&self) -> Option<&str> {
        self.text("deadline")
    }

    /// The rank among siblings, smaller first.
    #[must_use]
    pub fn order(&self) -> Option<f64> {
        self.metadata.get("order").and_then(Value::as_f64)
    }

    /// The scalar blocker: an item id, free words, or `no-active-blocker`.
    #[must_use]
    pub fn blocked_by(&self) -> Option<&str> {
        self.text("blocked_by")
    }

    /// The `dependencies` records that have an id and a kind, in stored order.
    pub fn dependencies(&self) -> impl Iterator<Item = Dependency<'_>> {
        self.records("dependencies").filter_map(|record| {
            let text = |key: &str| record.get(key).and_then(Value::as_str);
            Some(Dependency {
                id: text("id")?,
                kind: text("kind")?,
                created_at: text("created_at").unwrap_or_default(),
                author: text("author"),
                source_kind: text("source_kind"),
            })
        })
    }

    /// The objects of a list field such as `comments`, in stored order; nothing if the field is not a list.
    pub fn records(&self, field: &str) -> impl Iterator<Item = &Map<String, Value>> {
        self.list(field).iter().filter_map(Value::as_object)
    }

    /// The format version, 1 if the item names none.
    #[must_use]
    pub fn format_version(&self) -> u64 {
        match self.metadata.get("pm_format_version") {
            None | Some(Value::Null) => 1,
            Some(version) => version.as_u64().unwrap_or(u64::MAX),
        }
    }

    /// All metadata, in file order.
    #[must_use]
    pub const fn metadata(&self) -> &Map<String, Value> {
        &self.metadata
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// One metadata value; a stored null reads as absent.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&Value> {
        self.metadata.get(key).filter(|value| !value.is_null())
    }

    /// One metadata value that is text and not empty.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// Gives metadata and body away.
    #[must_use]
    pub fn into_parts(self) -> (Map<String, Value>, String) {
        (self.metadata, self.body)
    }

    fn required_text(&self, key: &str) -> &str {
        self.metadata.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn list(&self, key: &str) -> &[Value] {
        self.metadata.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

fn priority_of(value: &Value) -> Option<u8> {
    u8::try_from(value.as_u64()?).ok().filter(|priority| *priority <= 4)
}

/// Whether a name can be one path segment on every system and never a hidden file.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let forbidden = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && !name.contains(forbidden)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sample() -> Value {
        json!({"id": "demo-a1", "title": "T", "description": "", "type": "Task", "status": "open", "priority": 2,
            "tags": ["x"], "created_at": "2026-01-01T00:00:00.000Z", "updated_at": "2026-01-01T00:00:00.000Z",
            "parent": "", "order": 3, "dependencies": [{"id": "demo-b2", "kind": "blocks"}, {"id": "demo-c3"}],
            "body": "text"})
    }

    #[test]
    fn a_file_value_becomes_metadata_and_body() {
        let item = Item::from_file_value(sample()).unwrap();
        assert_eq!(
            (item.id(), item.priority(), item.body(), item.order()),
            ("demo-a1", 2, "text", Some(3.0))
        );
        assert_eq!(item.parent(), None, "an empty parent is none");
        assert!(!item.metadata().contains_key("body"));
        let edges: Vec<_> = item.dependencies().map(|edge| (edge.id, edge.kind)).collect();
        assert_eq!(edges, [("demo-b2", "blocks")], "a record without a kind is no edge");
    }

    #[test]
    fn every_required_field_is_missed_by_name() {
        for field in REQUIRED_FIELDS {
            let mut value = sample();
            value.as_object_mut().unwrap().shift_remove(field);
            assert_eq!(Item::from_file_value(value), Err(ItemError::MissingField { field }));
        }
    }

    #[test]
    fn wrong_types_and_hostile_ids_are_refused() {
        for (field, bad) in
            [("priority", json!(5)), ("tags", json!("x")), ("title", json!(1)), ("body", json!(1))]
        {
            let mut value = sample();
            value[field] = bad;
            assert!(
                matches!(Item::from_file_value(value), Err(ItemError::WrongType { field: f, .. }) if f == field)
            );
        }
        for id in ["../up", ".hidden", "a b", "a\\b", ""] {
            let mut value = sample();
            value["id"] = json!(id);
            assert_eq!(Item::from_file_value(value), Err(ItemError::UnusableId), "{id}");
        }
    }
}
