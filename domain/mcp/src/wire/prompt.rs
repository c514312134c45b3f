//! Prompts ([Prompts](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde::ser::SerializeMap;

use super::content::{ContentBlock, Role};
use super::result::ResultBody;

/// A prompt in a list.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// The name that fetches it.
    pub name: String,
    /// The prompt's name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<PromptArgument>,
}

/// An argument of a prompt; its value is always a string.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptArgument {
    /// The argument's name.
    pub name: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the prompt cannot do without it.
    pub required: bool,
}

/// One message of a prompt.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

impl PromptMessage {
    /// A text that the user says.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, content: ContentBlock::text(text) }
    }
}

/// The result of `prompts/get`.
#[derive(Clone, PartialEq, Debug)]
pub struct GetPromptResult {
    /// What the prompt is for.
    pub description: Option<String>,
    /// The messages, in order.
    pub messages: Vec<PromptMessage>,
}

impl ResultBody for GetPromptResult {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if let Some(description) = &self.description {
            map.serialize_entry("description", description)?;
        }
        map.serialize_entry("messages", &self.messages)
    }
}
