//! `tools/call`.

use pm_mcp_domain::fault::{ArgumentFault, Refusal, Rejection};
use pm_mcp_domain::header::validate_param_headers;
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::request::Binding;
use pm_mcp_domain::wire::{CallToolResult, ResultResponse};
use pm_mcp_ports::driving::Answer;
use pm_mcp_ports::feature::{Context, HandlerFault};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::answer::answer;
use crate::catalogue::ToolEntry;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::unwind::guard;

/// How many violations one refusal tells.
const VIOLATIONS: usize = 8;

/// A tool's result breaks the tool's own output schema.
#[derive(Debug, Error)]
#[error("the result of tool {tool:?} does not match its output schema: {violation}")]
struct OutputMismatch {
    tool: String,
    violation: String,
}

impl Engine {
    pub(crate) async fn call_tool(
        &self,
        id: RequestId<'_>,
        name: &str,
        arguments: Option<&RawValue>,
        binding: Binding<'_>,
        context: impl FnOnce() -> Context,
    ) -> Result<Answer, Failure> {
        let entry = self
            .catalogue
            .tool_entries
            .get(name)
            .ok_or_else(|| Refusal::UnknownTool { name: name.to_owned() })?;
        let arguments = match arguments {
            None => Value::Object(Map::new()),
            Some(raw) => serde_json::from_str(raw.get()).map_err(unreadable)?,
        };
        if let Binding::Http(headers) = binding {
            validate_param_headers(&entry.headers, &arguments, headers).map_err(Rejection::HeaderMismatch)?;
        }
        if !entry.input.is_valid(&arguments) {
            return Err(Refusal::InvalidArguments(faults(entry, &arguments)).into());
        }
        let result = guard(entry.handler.call(context(), arguments)).await?;
        check_output(name, entry, &result)?;
        answer(&ResultResponse::complete(id, &self.identity, &result))
    }
}

/// The text is JSON, but it holds what no value can: a number out of range or half a surrogate pair.
pub(crate) fn unreadable(fault: serde_json::Error) -> Refusal {
    Refusal::Unusable(format!("params.arguments cannot be read: {fault}"))
}

fn faults(entry: &ToolEntry, arguments: &Value) -> Vec<ArgumentFault> {
    entry
        .input
        .violations(arguments, VIOLATIONS)
        .into_iter()
        .map(|violation| ArgumentFault { pointer: violation.pointer, message: violation.message })
        .collect()
}

/// A result that breaks the tool's promise never leaves as a success.
fn check_output(name: &str, entry: &ToolEntry, result: &CallToolResult) -> Result<(), HandlerFault> {
    let Some(schema) = &entry.output else { return Ok(()) };
    if result.is_error {
        return Ok(());
    }
    let violation = match &result.structured_content {
        None => "there is no structured content".to_owned(),
        Some(content) if schema.is_valid(content) => return Ok(()),
        Some(content) => schema
            .violations(content, 1)
            .pop()
            .map_or_else(String::new, |violation| format!("{} {}", violation.pointer, violation.message)),
    };
    Err(HandlerFault::internal(OutputMismatch { tool: name.to_owned(), violation }))
}
