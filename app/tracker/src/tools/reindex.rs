//! `pm_reindex`.

use std::sync::Arc;

use pm_mcp::{HandlerFault, ToolEntry};
use pm_tracker_ports::CheckProgress as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use super::call::{Call, long_tool};
use super::name::ToolName;
use crate::failure::Problem;
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReindexArguments {
    full: bool,
}

/// What became of the index.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ReindexReport {
    /// Items in the index now.
    items: usize,
    /// Items whose entries were right already.
    unchanged: usize,
    /// Items that were indexed again.
    rebuilt: usize,
    /// Items that were taken out.
    removed: usize,
    /// How long it took.
    took_ms: u64,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = Arguments::new()
        .flag("full", "Throw the index away first, as if the server had just started.")
        .finish(vocabulary);
    long_tool(tracker, ToolName::Reindex, input, reindex)
}

async fn reindex(call: Call, own: ReindexArguments) -> Result<ReindexReport, Problem> {
    let began = call.context.now();
    let part = call.watch.part("indexing items");
    let name = call.arguments.get("workspace").and_then(serde_json::Value::as_str);
    let workspace = call.tracker.workspace(name)?;
    if own.full {
        workspace.forget();
    }
    let view = workspace.fresh_view().await?;
    let total = view.snapshot().items.len();
    part.advanced(0, total);
    let followed = tokio::task::spawn_blocking(move || view.reindex(own.full)).await;
    let followed = followed.map_err(|fault| Problem::from(HandlerFault::internal(fault)))?;
    part.advanced(total, total);
    let took = call.context.now().as_unix_ms().saturating_sub(began.as_unix_ms()).max(0);
    Ok(ReindexReport {
        items: followed.items,
        unchanged: followed.items.saturating_sub(followed.indexed),
        rebuilt: followed.indexed,
        removed: followed.removed,
        took_ms: u64::try_from(took).unwrap_or_default(),
    })
}
