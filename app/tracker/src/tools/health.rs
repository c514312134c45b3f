//! `pm_health`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::check::HealthCheck;
use serde::Deserialize;

use super::arguments::Arguments;
use super::call::long_tool;
use super::name::ToolName;
use crate::reading::{HealthQuestion, health};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HealthArguments {
    skip: Vec<String>,
    brief: bool,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = Arguments::new()
        .choices("skip", HealthCheck::ALL.map(HealthCheck::name), "Leave these checks out.")
        .flag("brief", "Tell counts and no findings.")
        .finish(vocabulary);
    long_tool(tracker, ToolName::Health, input, |call, arguments: HealthArguments| async move {
        let skip = arguments.skip.iter().filter_map(|name| HealthCheck::parse(name)).collect();
        let question = HealthQuestion { skip, brief: arguments.brief };
        let keys = *call.tracker.keys();
        health(&call.view().await?, question, keys, call.context.now(), &call.watch).await
    })
}
