//! One call of a tool.

use std::future::Future;
use std::sync::Arc;

use pm_mcp::{Context, HandlerFault, Output, ToolAnnotations, ToolEntry, ToolError, tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::name::ToolName;
use crate::failure::Problem;
use crate::reading::schema_of;
use crate::tracker::Tracker;
use crate::view::View;

/// A call: who asks what of which tracker. `arguments` fit the tool's schema.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) tracker: Arc<Tracker>,
    pub(super) context: Context,
    pub(super) arguments: Value,
}

impl Call {
    /// The workspace that the call names, as it is now.
    pub(super) async fn view(&self) -> Result<View, Problem> {
        let name = self.arguments.get("workspace").and_then(Value::as_str);
        self.tracker.workspace(name)?.view().await
    }
}

/// A tool that reads: its arguments as `A`, its answer as `O`.
pub(super) fn reading_tool<A, O, F, Fut>(
    tracker: &Arc<Tracker>,
    name: ToolName,
    input: Value,
    run: F,
) -> ToolEntry
where
    A: DeserializeOwned,
    O: Serialize + JsonSchema,
    F: Fn(Call, A) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, Problem>> + Send + 'static,
{
    let tracker = Arc::clone(tracker);
    let hints = ToolAnnotations { open_world_hint: Some(false), ..ToolAnnotations::default() };
    tool(name.name(), name.description())
        .title(name.title())
        .annotations(hints)
        .read_only()
        .input_schema(input)
        .output_schema(schema_of::<O>())
        .handler(move |context: Context, arguments: Value| {
            let read = A::deserialize(&arguments);
            let call = Call { tracker: Arc::clone(&tracker), context, arguments };
            let running = read.map(|read| run(call, read));
            async move {
                match running {
                    Ok(running) => running.await.map(Output::json).map_err(Problem::into_tool_error),
                    // The type is narrower than the schema, as for a whole number that is written with a fraction.
                    Err(fault) => Err(ToolError::Fault(HandlerFault::InvalidArgument(fault.to_string()))),
                }
            }
        })
}
