//! `pm_context`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use serde::Deserialize;

use super::arguments::Arguments;
use super::call::reading_tool;
use super::name::ToolName;
use crate::reading::{ContextDepth, ContextQuestion, context};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Deserialize)]
struct ContextArguments {
    parent: Option<String>,
    #[serde(default)]
    depth: ContextDepth,
    #[serde(default = "limit")]
    limit: usize,
}

const fn limit() -> usize {
    10
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let depth = "brief: counts, work in progress and blockers; standard (default): also the tree's top and recent \
                 changes; deep: also progress below the top.";
    let input = Arguments::new()
        .id("parent", "Only what lies below this item")
        .choice("depth", ["brief", "standard", "deep"], depth)
        .limit(1, 100, 10, "Most entries of a list.")
        .finish(vocabulary);
    reading_tool(tracker, ToolName::Context, input, |call, arguments: ContextArguments| async move {
        let ContextArguments { parent, depth, limit } = arguments;
        context(&call.view().await?, ContextQuestion { parent, depth, limit }, call.context.now()).await
    })
}
