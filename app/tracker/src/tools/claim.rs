//! `pm_claim` and `pm_release`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::change::Change;
use pm_tracker_ports::Target;
use serde::Deserialize;
use serde_json::json;

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::write_call::writing_tool;
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, ClaimNext, Receipt, claim_next, edit};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClaimArguments {
    id: Option<String>,
    #[serde(default)]
    next: bool,
    parent: Option<String>,
    #[serde(rename = "type")]
    type_name: Option<String>,
    tag: Option<String>,
    assignee: Option<String>,
    #[serde(default)]
    if_available: bool,
    #[serde(default = "attempts")]
    max_attempts: usize,
}

const fn attempts() -> usize {
    10
}

pub(super) fn claim(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let attempts = json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 10,
        "description": "With next: how many ready items are tried at most."});
    let input = Arguments::new()
        .id("id", "The item to take")
        .flag("next", "Take the first ready item that is free instead.")
        .id("parent", "With next: only what lies below this item")
        .choice("type", &vocabulary.types, "With next: only this type.")
        .text("tag", "With next: only with this tag.")
        .text(
            "assignee",
            "With next: as in pm_next, what this one holds counts as ready; held by another, it takes force.",
        )
        .flag("ifAvailable", "If somebody else holds it, change nothing and say so in a warning.")
        .with("maxAttempts", attempts)
        .writing()
        .finish(vocabulary);
    writing_tool(tracker, ToolName::Claim, input, true, take)
}

async fn take(call: Call, asked: Asked, arguments: ClaimArguments) -> Result<Receipt, Problem> {
    let ClaimArguments { id, next, parent, type_name, tag, assignee, if_available, max_attempts } = arguments;
    let view = call.view().await?;
    match (id, next) {
        (Some(id), false) => {
            let target = Target::Item(view.find(&id)?.id().to_owned());
            let change = Change::Claim { if_available };
            edit(&call.tracker, &call.context, &view, target, &asked, change).await
        }
        (None, true) => {
            let wanted = ClaimNext { parent, type_name, tag, assignee, max_attempts };
            claim_next(&call.tracker, &call.context, &view, &asked, wanted).await
        }
        (Some(_), true) => Err(Failure::argument("next", "give either `id` or `next`, not both").into()),
        (None, false) => {
            Err(Failure::argument("id", "give an `id`, or `next: true` for the first free item").into())
        }
    }
}

#[derive(Debug, Deserialize)]
struct ReleaseArguments {
    id: String,
}

pub(super) fn release(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = Arguments::new().id("id", "The item").required("id").writing().finish(vocabulary);
    writing_tool(
        tracker,
        ToolName::Release,
        input,
        true,
        |call: Call, asked: Asked, own: ReleaseArguments| async move {
            let view = call.view().await?;
            let target = Target::Item(view.find(&own.id)?.id().to_owned());
            edit(&call.tracker, &call.context, &view, target, &asked, Change::Release).await
        },
    )
}
