//! `pm_validate`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::check::ValidationCheck;
use serde::Deserialize;

use super::arguments::Arguments;
use super::call::long_tool;
use super::name::ToolName;
use crate::reading::{ValidationQuestion, validation};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ValidateArguments {
    checks: Vec<String>,
    strict: bool,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = Arguments::new()
        .choices("checks", ValidationCheck::ALL.map(ValidationCheck::name), "Only these checks.")
        .flag("strict", "Count what should be looked at as wrong.")
        .finish(vocabulary);
    long_tool(tracker, ToolName::Validate, input, |call, arguments: ValidateArguments| async move {
        let checks = arguments.checks.iter().filter_map(|name| ValidationCheck::parse(name)).collect();
        let question = ValidationQuestion { checks, strict: arguments.strict };
        validation(&call.view().await?, question, call.context.now(), &call.watch).await
    })
}
