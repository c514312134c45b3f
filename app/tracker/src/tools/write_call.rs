//! One call of a tool that changes items.

use std::future::Future;
use std::sync::Arc;

use pm_mcp::{HandlerFault, ToolAnnotations, ToolEntry};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::{Call, begin, draft, finished};
use super::name::ToolName;
use crate::failure::Problem;
use crate::tracker::Tracker;
use crate::writing::Asked;

/// The arguments that every writing tool takes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Common {
    author: Option<String>,
    message: Option<String>,
    force: bool,
}

/// Names of arguments that are no matter of the change itself.
const COMMON: [&str; 4] = ["workspace", "author", "message", "force"];

/// A tool that changes items: its own arguments as `A`, its answer as `O`. `again` says whether the same call again has
/// no further effect.
pub(super) fn writing_tool<A, O, F, Fut>(
    tracker: &Arc<Tracker>,
    name: ToolName,
    input: Value,
    again: bool,
    run: F,
) -> ToolEntry
where
    A: DeserializeOwned,
    O: Serialize + JsonSchema,
    F: Fn(Call, Asked, A) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, Problem>> + Send + 'static,
{
    let tracker = Arc::clone(tracker);
    let hints = ToolAnnotations {
        destructive_hint: Some(name.is_destructive()),
        idempotent_hint: Some(again),
        open_world_hint: Some(false),
        ..ToolAnnotations::default()
    };
    draft::<O>(name, input).annotations(hints).handler(move |context, arguments: Value| {
        let running = begin(&tracker, context, arguments, |call, arguments: Value| {
            let (asked, own) = split(arguments)?;
            Ok::<_, HandlerFault>(run(call, asked, own))
        });
        async move { finished(running??.await) }
    })
}

/// Parts the common arguments from the tool's own.
pub(super) fn split<A: DeserializeOwned>(mut arguments: Value) -> Result<(Asked, A), HandlerFault> {
    let unreadable = |fault: serde_json::Error| HandlerFault::InvalidArgument(fault.to_string());
    let Common { author, message, force } = Common::deserialize(&arguments).map_err(unreadable)?;
    if let Value::Object(members) = &mut arguments {
        members.retain(|key, _| !COMMON.contains(&key.as_str()));
    }
    Ok((Asked { author, message, force }, A::deserialize(arguments).map_err(unreadable)?))
}
