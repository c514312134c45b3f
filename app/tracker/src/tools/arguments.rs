//! Schemas of arguments.

use serde_json::{Map, Value, json};

use crate::vocabulary::Vocabulary;

/// The schema of one tool's arguments: a closed object, with `workspace` as its last member.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl Arguments {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn with(mut self, name: &'static str, schema: Value) -> Self {
        self.properties.insert(name.to_owned(), schema);
        self
    }

    pub(super) fn required(mut self, name: &'static str) -> Self {
        self.required.push(name);
        self
    }

    /// The id of one item.
    pub(super) fn id(self, name: &'static str, description: &str) -> Self {
        let forms = "full id, id without prefix, leading `#`, any letter case";
        self.with(
            name,
            json!({"type": "string", "minLength": 1, "maxLength": 256, "description": format!("{description}: {forms}.")}),
        )
    }

    pub(super) fn text(self, name: &'static str, description: &str) -> Self {
        self.with(name, json!({"type": "string", "maxLength": 1000, "description": description}))
    }

    pub(super) fn texts(self, name: &'static str, description: &str) -> Self {
        let text = json!({"type": "string", "minLength": 1, "maxLength": 256});
        self.with(name, json!({"type": "array", "items": text, "maxItems": 200, "description": description}))
    }

    pub(super) fn flag(self, name: &'static str, description: &str) -> Self {
        self.with(name, json!({"type": "boolean", "default": false, "description": description}))
    }

    pub(super) fn limit(self, least: u64, most: u64, default: u64, description: &str) -> Self {
        let schema = json!({
            "type": "integer", "minimum": least, "maximum": most, "default": default, "description": description
        });
        self.with("limit", schema)
    }

    /// One of some names.
    pub(super) fn choice<N: AsRef<str>>(
        self,
        name: &'static str,
        names: impl IntoIterator<Item = N>,
        description: &str,
    ) -> Self {
        let names: Vec<Value> = names.into_iter().map(|name| Value::from(name.as_ref())).collect();
        self.with(name, json!({"type": "string", "enum": names, "description": description}))
    }

    /// Any of some names.
    pub(super) fn choices<N: AsRef<str>>(
        self,
        name: &'static str,
        names: impl IntoIterator<Item = N>,
        description: &str,
    ) -> Self {
        let names: Vec<Value> = names.into_iter().map(|name| Value::from(name.as_ref())).collect();
        let item = json!({"type": "string", "enum": names});
        self.with(name, json!({"type": "array", "items": item, "maxItems": 200, "description": description}))
    }

    pub(super) fn cursor(self) -> Self {
        let description = "`next_cursor` of the page before, with the same other arguments.";
        self.with("cursor", json!({"type": "string", "maxLength": 4096, "description": description}))
    }

    /// The whole schema.
    pub(super) fn finish(self, vocabulary: &Vocabulary) -> Value {
        let workspace = json!({
            "type": "string",
            "enum": vocabulary.workspaces,
            "x-mcp-header": "Pm-Workspace",
            "description": "A configured workspace; the first one unless told."
        });
        let closed = self.with("workspace", workspace);
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), Value::Object(closed.properties));
        if !closed.required.is_empty() {
            schema.insert("required".to_owned(), closed.required.into());
        }
        schema.insert("additionalProperties".to_owned(), false.into());
        Value::Object(schema)
    }
}
