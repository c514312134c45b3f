//! Ending work on one item.

use std::sync::Arc;

use pm_mcp::{HandlerFault, PromptEntry, PromptMessage, prompt};

use super::found::Found;
use crate::completions;
use crate::tracker::Tracker;

const STEPS: &str = "Work in this order:\n\
    1. Hold the evidence against the acceptance criteria, one by one. A criterion without evidence is not met.\n\
    2. Record the evidence as a comment on the item (pm_comments), with the commands that were run and what they \
    printed.\n\
    3. If every criterion is met, close the item (pm_close) with a reason that says what somebody would see who tries \
    it.\n\
    4. If one is not met, do not close: record what is missing, and say it.\n\
    5. Name items that this one was holding up and that can begin now.";

pub(super) fn record_and_close(tracker: &Arc<Tracker>) -> PromptEntry {
    let (writing, completing) = (Arc::clone(tracker), Arc::clone(tracker));
    prompt(
        "record-evidence-and-close",
        "Record what shows that an item is done, then close it with a reason.",
    )
    .title("Record evidence and close")
    .required_argument("id", "The item's id.")
    .required_argument(
        "evidence",
        "What shows that it is done: tests that ran, what they printed, what was seen.",
    )
    .complete("id", move |_, typed, _| {
        let tracker = Arc::clone(&completing);
        async move {
            let view = tracker.workspace(None).map_err(crate::Problem::from)?.view().await?;
            Ok(completions::in_progress(&view, typed).await?)
        }
    })
    .handler(move |_, arguments| {
        let tracker = Arc::clone(&writing);
        async move {
            let argument = |name: &str| arguments.get(name).map(|text| text.trim()).unwrap_or_default();
            write(&tracker, argument("id"), argument("evidence")).await
        }
    })
}

async fn write(tracker: &Tracker, id: &str, evidence: &str) -> Result<Vec<PromptMessage>, HandlerFault> {
    if evidence.is_empty() {
        return Err(HandlerFault::InvalidArgument(
            "`evidence` is empty; say what shows that the item is done".to_owned(),
        ));
    }
    let found = Found::by_id(tracker, id).await?;
    let text = format!(
        "The work on item {} ({}) may be done. The item follows as a resource. This is the evidence:\n\n{evidence}\n\n\
         {STEPS}",
        found.id, found.title
    );
    Ok(vec![PromptMessage::user(text), found.embedded(tracker).await?])
}
