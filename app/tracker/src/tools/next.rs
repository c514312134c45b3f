//! `pm_next`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use serde::Deserialize;

use super::arguments::Arguments;
use super::call::reading_tool;
use super::name::ToolName;
use crate::reading::{NextQuestion, next};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NextArguments {
    parent: Option<String>,
    #[serde(rename = "type")]
    type_name: Option<String>,
    tag: Option<String>,
    assignee: Option<String>,
    #[serde(default = "limit")]
    limit: usize,
    #[serde(default)]
    ready_only: bool,
}

const fn limit() -> usize {
    5
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let assignee = "Who asks: what this one holds can be ready, what others hold is listed apart.";
    let input = Arguments::new()
        .id("parent", "Only what lies below this item")
        .choice("type", &vocabulary.types, "Only this type.")
        .text("tag", "Only with this tag.")
        .text("assignee", assignee)
        .limit(1, 100, 5, "Most entries of a queue.")
        .flag("readyOnly", "Leave out everything but the ready queue.")
        .finish(vocabulary);
    reading_tool(tracker, ToolName::Next, input, |call, arguments: NextArguments| async move {
        let NextArguments { parent, type_name, tag, assignee, limit, ready_only } = arguments;
        let question = NextQuestion { parent, type_name, tag, asker: assignee, limit, ready_only };
        next(&call.view().await?, question, call.context.now()).await
    })
}
