//! One call of a tool.

use std::future::Future;
use std::sync::Arc;

use pm_mcp::{
    ClientCapability, ContentBlock, Context, Execution, HandlerFault, Output, ToolAnnotations, ToolDraft,
    ToolEntry, ToolError, tool,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::name::ToolName;
use crate::failure::{Failure, Problem};
use crate::reading::schema_of;
use crate::scopes::{READ, WRITE};
use crate::tracker::Tracker;
use crate::view::View;
use crate::watch::Watch;

/// A call: who asks what of which tracker. `arguments` fit the tool's schema.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) tracker: Arc<Tracker>,
    pub(super) context: Context,
    pub(super) arguments: Value,
    pub(super) watch: Watch,
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
    draft::<O>(name, input).read_only().handler(move |context: Context, arguments: Value| {
        let running = begin(&tracker, context, arguments, &run);
        async move { finished(running?.await) }
    })
}

/// A tool that reads for long: a task where the caller knows tasks, else for so long as the foreground may take.
pub(super) fn long_tool<A, O, F, Fut>(
    tracker: &Arc<Tracker>,
    name: ToolName,
    input: Value,
    run: F,
) -> ToolEntry
where
    A: DeserializeOwned,
    O: Serialize + JsonSchema + 'static,
    F: Fn(Call, A) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, Problem>> + Send + 'static,
{
    long_tool_with(tracker, name, input, |_| None, run)
}

/// The same, with a block that says the answer in another form.
pub(super) fn long_tool_with<A, O, F, Fut>(
    tracker: &Arc<Tracker>,
    name: ToolName,
    input: Value,
    more: fn(&O) -> Option<ContentBlock>,
    run: F,
) -> ToolEntry
where
    A: DeserializeOwned,
    O: Serialize + JsonSchema + 'static,
    F: Fn(Call, A) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, Problem>> + Send + 'static,
{
    let tracker = Arc::clone(tracker);
    let draft = draft::<O>(name, input).execution(Execution::Task);
    let draft = if name.is_read_only() { draft.read_only() } else { draft };
    draft.handler(move |context: Context, arguments: Value| {
        let limit = context.require(ClientCapability::TASKS).is_err().then_some(tracker.foreground_limit());
        let mut stop = None;
        let running = begin(&tracker, context, arguments, |call: Call, arguments| {
            stop = Some(call.watch.stop_on_drop());
            run(call, arguments)
        });
        async move {
            let _stop = stop;
            let running = running?;
            let Some(limit) = limit else { return finished_with(running.await, more) };
            match tokio::time::timeout(limit, running).await {
                Ok(done) => finished_with(done, more),
                Err(_) => finished::<O>(Err(Failure::ForegroundLimit { limit }.into())),
            }
        }
    })
}

pub(super) fn draft<O: JsonSchema>(name: ToolName, input: Value) -> ToolDraft {
    let hints = ToolAnnotations {
        destructive_hint: (!name.is_read_only()).then_some(name.is_destructive()),
        idempotent_hint: (name == ToolName::Import).then_some(false),
        open_world_hint: Some(false),
        ..ToolAnnotations::default()
    };
    let draft = tool(name.name(), name.description())
        .title(name.title())
        .annotations(hints)
        .input_schema(input)
        .output_schema(schema_of::<O>())
        .scope(READ);
    // What always changes something is not listed for those who may only look.
    match name.always_writes() {
        true => draft.scope(WRITE),
        false => draft.scope_when(WRITE, move |arguments| name.writes(arguments)),
    }
}

pub(super) fn begin<A: DeserializeOwned, Fut>(
    tracker: &Arc<Tracker>,
    context: Context,
    arguments: Value,
    run: impl FnOnce(Call, A) -> Fut,
) -> Result<Fut, ToolError> {
    match A::deserialize(&arguments) {
        Ok(read) => {
            let watch = Watch::of(&context);
            Ok(run(Call { tracker: Arc::clone(tracker), context, arguments, watch }, read))
        }
        // The type is narrower than the schema, as for a whole number that is written with a fraction.
        Err(fault) => Err(ToolError::Fault(HandlerFault::InvalidArgument(fault.to_string()))),
    }
}

fn finished_with<O: Serialize>(
    done: Result<O, Problem>,
    more: fn(&O) -> Option<ContentBlock>,
) -> Result<Output, ToolError> {
    let block = done.as_ref().ok().and_then(more);
    let output = finished(done)?;
    Ok(match block {
        Some(block) => output.with(block),
        None => output,
    })
}

pub(super) fn finished<O: Serialize>(done: Result<O, Problem>) -> Result<Output, ToolError> {
    done.map(Output::json).map_err(Problem::into_tool_error)
}
