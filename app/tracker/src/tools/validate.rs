//! `pm_validate`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::check::ValidationCheck;
use serde::Deserialize;
use serde_json::json;

use super::arguments::Arguments;
use super::call::{Call, long_tool};
use super::name::ToolName;
use crate::failure::Problem;
use crate::reading::{CheckReport, ValidationQuestion, validation, whole_validation};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, Planned, repair};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ValidateArguments {
    checks: Vec<String>,
    strict: bool,
    fix: bool,
    author: Option<String>,
    force: bool,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let author =
        "With fix: who repairs, for history; where callers sign in, their own name is taken instead.";
    let input = Arguments::new()
        .choices("checks", ValidationCheck::ALL.map(ValidationCheck::name), "Only these checks.")
        .flag("strict", "Count what should be looked at as wrong.")
        .flag("fix", "Ask which mechanical repairs to make, and make those.")
        .with("author", json!({"type": "string", "minLength": 1, "maxLength": 128, "description": author}))
        .flag("force", "With fix: overrule stale locks.")
        .finish(vocabulary);
    long_tool(tracker, ToolName::Validate, input, run)
}

async fn run(call: Call, arguments: ValidateArguments) -> Result<CheckReport, Problem> {
    let checks = arguments.checks.iter().filter_map(|name| ValidationCheck::parse(name)).collect();
    let question = ValidationQuestion { checks, strict: arguments.strict };
    let view = call.view().await?;
    let now = call.context.now();
    if !arguments.fix {
        return validation(&view, question, now, &call.watch).await;
    }
    let CheckReport(mut report) = whole_validation(&view, question, now, &call.watch).await?;
    let planned = report.repairable().map(|(repair, finding)| Planned {
        repair,
        item: finding.item.clone(),
        path: finding.path.clone(),
    });
    let planned: Vec<Planned> = planned.collect();
    let asked = Asked { author: arguments.author, message: None, force: arguments.force };
    let fixes = repair(&call.tracker, &call.context, &view, &asked, planned, &call.watch).await?;
    report.fixes = Some(fixes);
    Ok(CheckReport(report).shortened())
}
