//! Schemas of arguments that several writing tools share.

use pm_tracker_domain::change::{FieldShape, SETTABLE_FIELDS};
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use crate::vocabulary::Vocabulary;

/// Longest text of one field, in characters.
const TEXT: usize = 400_000;

impl Arguments {
    /// What every writing tool takes besides its own.
    pub(super) fn writing(self) -> Self {
        let author =
            "Who makes the change, for history; where callers sign in, their own name is taken instead.";
        let force = "Overrule claims of others and stale locks; only if that was agreed.";
        self.with(
            "author",
            json!({"type": "string", "minLength": 1, "maxLength": 128, "description": author}),
        )
        .text("message", "Why, for history.")
        .flag("force", force)
    }

    /// A text of any length that files can bear.
    pub(super) fn long_text(self, name: &'static str, description: &str) -> Self {
        self.with(name, json!({"type": "string", "maxLength": TEXT, "description": description}))
    }

    pub(super) fn edges(self, name: &'static str, description: &str) -> Self {
        self.with(name, edges(description))
    }

    /// Fields by their stored names.
    pub(super) fn fields(self, name: &'static str, description: &str, vocabulary: &Vocabulary) -> Self {
        self.with(name, fields(description, vocabulary))
    }
}

fn edges(description: &str) -> Value {
    let id = json!({"type": "string", "minLength": 1, "maxLength": 256});
    let kind = json!({"type": "string", "minLength": 1, "maxLength": 100,
        "description": "blocked_by unless told; also blocks, parent, child, related, discovered_from, implements, verifies, supersedes."});
    let full = json!({"type": "object", "properties": {"id": id, "kind": kind}, "required": ["id"],
        "additionalProperties": false});
    json!({"type": "array", "items": {"anyOf": [id, full]}, "maxItems": 100, "description": description})
}

fn fields(description: &str, vocabulary: &Vocabulary) -> Value {
    let mut properties: Map<String, Value> = SETTABLE_FIELDS
        .iter()
        .map(|(name, shape)| ((*name).to_owned(), of_shape(*shape, vocabulary)))
        .collect();
    properties.insert("status".to_owned(), json!({"type": "string", "enum": vocabulary.statuses}));
    for (key, schema) in &vocabulary.fields {
        properties.insert(key.clone(), schema.clone());
    }
    json!({"type": "object", "properties": properties, "maxProperties": 100, "description": description})
}

fn of_shape(shape: FieldShape, vocabulary: &Vocabulary) -> Value {
    match shape {
        FieldShape::Text => json!({"type": "string", "maxLength": TEXT}),
        FieldShape::NonEmptyText => json!({"type": "string", "minLength": 1, "maxLength": 1000}),
        FieldShape::Time => json!({"type": "string", "maxLength": 64, "description": "RFC 3339 or a date."}),
        FieldShape::TypeName => json!({"type": "string", "enum": vocabulary.types}),
        FieldShape::Priority => json!({"type": "integer", "minimum": 0, "maximum": 4}),
        FieldShape::Minutes => json!({"type": "integer", "minimum": 0, "maximum": 100_000_000}),
        FieldShape::Number => json!({"type": "number"}),
        FieldShape::Flag => json!({"type": "boolean"}),
        FieldShape::Level => json!({"type": ["string", "number"], "maxLength": 20}),
        FieldShape::Texts => {
            json!({"type": "array", "items": {"type": "string", "maxLength": 256}, "maxItems": 200})
        }
        FieldShape::Options => json!({"type": "object", "maxProperties": 100}),
        FieldShape::Records => json!({"type": "array", "items": {"type": "object"}, "maxItems": 500}),
        FieldShape::Reference => json!({"type": "string", "maxLength": 256, "description": "An item's id."}),
    }
}
