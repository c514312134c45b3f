//! Fields that a workspace adds to its items.

use serde_json::{Map, Value, json};

use super::{status::texts, value_schema::to_json_schema};

/// What a custom field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the format has exactly these kinds")]
pub enum FieldKind {
    /// Text.
    String,
    /// A number.
    Number,
    /// A truth value.
    Boolean,
    /// A list of texts.
    StringArray,
    /// A list of anything.
    Array,
    /// An object.
    Object,
}

impl FieldKind {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "string" => Self::String,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            "string_array" => Self::StringArray,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    /// The spelling of schema files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::StringArray => "string_array",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// One custom field of a workspace.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CustomField {
    /// The metadata key.
    pub key: String,
    /// What it holds.
    pub kind: FieldKind,
    /// The commands that offer it, such as `create` and `update`.
    pub commands: Vec<String>,
    /// Whether every new item must have it.
    pub required: bool,
    /// The types whose new items must have it.
    pub required_types: Vec<String>,
    /// What it is for; empty if the schema does not say.
    pub description: String,
    /// What its values must satisfy, as JSON Schema 2020-12.
    pub value_schema: Option<Value>,
}

impl CustomField {
    pub(super) fn parse(entry: &Value, report: &mut dyn FnMut(String)) -> Option<Self> {
        let Some(key) = entry.get("key").and_then(Value::as_str).filter(|key| !key.is_empty()) else {
            report("a custom field has no `key`".to_owned());
            return None;
        };
        let named = entry.get("type").and_then(Value::as_str).unwrap_or("string");
        let Some(kind) = FieldKind::parse(named) else {
            report(format!("custom field `{key}` has the unknown type `{named}`"));
            return None;
        };
        Some(Self {
            key: key.to_owned(),
            kind,
            commands: texts(entry.get("commands")).map(str::to_owned).collect(),
            required: entry.get("required").and_then(Value::as_bool).unwrap_or(false),
            required_types: texts(entry.get("required_types")).map(str::to_owned).collect(),
            description: entry.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            value_schema: entry.get("value_schema").filter(|v| v.is_object()).map(to_json_schema),
        })
    }

    /// Whether new items of a type must have this field.
    #[must_use]
    pub fn is_required_for(&self, type_name: &str) -> bool {
        let named = self.required_types.iter().any(|name| name.eq_ignore_ascii_case(type_name));
        named || (self.required && self.required_types.is_empty())
    }

    /// The JSON Schema 2020-12 of a value of this field: its kind, and what the workspace asks beyond that.
    #[must_use]
    pub fn json_schema(&self) -> Value {
        let mut schema = match self.kind {
            FieldKind::StringArray => json!({"type": "array", "items": {"type": "string"}}),
            FieldKind::String
            | FieldKind::Number
            | FieldKind::Boolean
            | FieldKind::Array
            | FieldKind::Object => {
                json!({"type": self.kind.as_str()})
            }
        };
        if let Some(object) = schema.as_object_mut() {
            if let Some(Value::Object(asked)) = &self.value_schema {
                object.extend(
                    asked.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>(),
                );
            }
            if !self.description.is_empty() {
                object.entry("description").or_insert_with(|| Value::String(self.description.clone()));
            }
        }
        schema
    }
}
