//! A result that may still be changed.

use pm_mcp_domain::extension::ExtensionMethod;
use pm_mcp_domain::wire::{CallToolResult, GetPromptResult, ReadResourceResult};
use serde_json::{Map, Value};

/// What a handler gave, typed, so that whatever becomes of it can be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResultMut<'a> {
    /// Of a tool. Its output schema, if it has one, is matched afterwards.
    Tool(&'a mut CallToolResult),
    /// Of a resource. Without any contents the resource reads as unknown.
    Resource(&'a mut ReadResourceResult),
    /// Of a prompt.
    Prompt(&'a mut GetPromptResult),
    /// Of a method of an extension. Its schema, if it has one, is matched afterwards.
    Extension(ExtensionMethod, &'a mut Map<String, Value>),
}
