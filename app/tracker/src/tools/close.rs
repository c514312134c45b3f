//! `pm_close`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_ports::Target;
use serde_json::Value;

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::update::with_id;
use super::write_call::writing_tool;
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, CloseOptions, edit};

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = Arguments::new()
        .id("id", "The item")
        .required("id")
        .long_text("reason", "Why it is finished: what somebody would see who tries it.")
        .long_text("resolution", "What was done.")
        .long_text("expectedResult", "What was expected.")
        .long_text("actualResult", "What is the case.")
        .id("duplicateOf", "The item that this one repeats")
        .text("completedAt", "When the work was done, RFC 3339; now unless told.")
        .writing()
        .finish(vocabulary);
    writing_tool(tracker, ToolName::Close, input, true, |call: Call, asked: Asked, own: Value| async move {
        let (id, options): (String, CloseOptions) = with_id(own)?;
        let view = call.view().await?;
        let target = Target::Item(view.find(&id)?.id().to_owned());
        edit(&call.tracker, &call.context, &view, target, &asked, options.into_change()).await
    })
}
