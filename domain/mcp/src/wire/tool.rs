//! Tools ([Tools](https://modelcontextprotocol.io/specification/2026-07-28/server/tools)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::Value;

use super::content::ContentBlock;
use super::result::ResultBody;
use super::sink::JsonSink;
use crate::schema::CheckedSchema;

/// A tool in a list. Both schemas passed the gate, so a tool whose schema is bad cannot be advertised.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// The name that calls it.
    pub name: String,
    /// The tool's name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What its arguments must be.
    pub input_schema: CheckedSchema,
    /// What its structured content is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<CheckedSchema>,
    /// Hints on its effects.
    #[serde(skip_serializing_if = "ToolAnnotations::is_empty")]
    pub annotations: ToolAnnotations,
}

/// Hints on a tool's effects; a client must not trust them more than it trusts the server.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolAnnotations {
    /// The tool changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may destroy what is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// The same call again changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool reaches beyond what the server owns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// Whether nothing is hinted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The result of `tools/call`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct CallToolResult {
    /// What the model reads.
    pub content: Vec<ContentBlock>,
    /// The same as data, any JSON value. `Some(Value::Null)` is the value null, `None` is no value.
    pub structured_content: Option<Value>,
    /// Whether the operation failed; the content then says why.
    pub is_error: bool,
}

impl ResultBody for CallToolResult {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("content", &self.content)?;
        if let Some(structured) = &self.structured_content {
            map.serialize_entry("structuredContent", structured)?;
        }
        if self.is_error {
            map.serialize_entry("isError", &true)?;
        }
        Ok(())
    }

    fn write_behind<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        sink.text(",\"content\":[");
        for (place, block) in self.content.iter().enumerate() {
            if place > 0 {
                sink.text(",");
            }
            block.write_to(sink)?;
        }
        sink.text("]");
        if let Some(structured) = &self.structured_content {
            sink.text(",\"structuredContent\":");
            sink.value(structured)?;
        }
        if self.is_error {
            sink.text(",\"isError\":true");
        }
        Ok(())
    }
}
