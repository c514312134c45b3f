//! Beginning work on one item.

use std::sync::Arc;

use pm_mcp::{
    ClientCapability, Context, ElicitAction, FormSchema, HandlerFault, InputAnswer, PromptEntry,
    PromptMessage, Question, prompt,
};
use serde_json::{Value, json};

use super::found::{Found, embedded};
use crate::completions;
use crate::reading::{ItemRow, NextQuestion, next};
use crate::resources::{NEXT, next_question, uri};
use crate::tracker::Tracker;

const STEPS: &str = "Then:\n\
    1. Claim it (pm_claim). If somebody else holds it, stop and say so; do not take it over.\n\
    2. Read its description, acceptance criteria, log and linked files. Say in a few sentences what is to be done and \
    how you will know that it is done.\n\
    3. If a blocker is open or a criterion cannot be tested, say so before you change anything.\n\
    4. Do the work in small steps. Record what you did and saw as comments (pm_comments) while you go.\n\
    5. Run the linked tests. When every criterion is met, use the prompt record-evidence-and-close.";

pub(super) fn claim_and_start(tracker: &Arc<Tracker>) -> PromptEntry {
    let (writing, completing) = (Arc::clone(tracker), Arc::clone(tracker));
    prompt(
        "claim-and-start",
        "Claim one item and begin to work on it; without an id, choose among the ready ones.",
    )
    .title("Claim and start")
    .argument("id", "The item's id; leave it out to see which ones are ready.")
    .complete("id", move |_, typed, _| {
        let tracker = Arc::clone(&completing);
        async move {
            let view = tracker.workspace(None).map_err(crate::Problem::from)?.view().await?;
            Ok(completions::ready(&view, typed).await?)
        }
    })
    .handler(move |context, arguments| {
        let tracker = Arc::clone(&writing);
        async move {
            match arguments.get("id").map(|id| id.trim()).filter(|id| !id.is_empty()) {
                Some(id) => start(&tracker, id).await,
                None => choose(&tracker, context).await,
            }
        }
    })
}

async fn start(tracker: &Tracker, id: &str) -> Result<Vec<PromptMessage>, HandlerFault> {
    let found = Found::by_id(tracker, id).await?;
    let text = format!(
        "Begin to work on the item {} ({}). It follows as a resource. {STEPS}",
        found.id, found.title
    );
    Ok(vec![PromptMessage::user(text), found.embedded(tracker).await?])
}

/// Lets the user pick one of the ready items; `None` if the user wants none of them.
async fn picked(request: &Context, ready: &[ItemRow]) -> Result<Option<String>, HandlerFault> {
    let choices: Vec<Value> = ready
        .iter()
        .map(|row| {
            let title = format!("{} (priority {}, {}): {}", row.id, row.priority, row.type_name, row.title);
            json!({"const": row.id, "title": title})
        })
        .collect();
    let schema = FormSchema::new(json!({
        "type": "object",
        "properties": {"item": {"type": "string", "title": "Item", "oneOf": choices}},
        "required": ["item"],
    }));
    let schema = schema.map_err(HandlerFault::internal)?;
    let message = "Which item shall be begun? The best one comes first.".to_owned();
    let answer = request.ask_raw("item", Question::Form { message, schema }, |_| Ok(())).await?;
    Ok(match answer {
        InputAnswer::Elicited { action: ElicitAction::Accept, content } => {
            content.get("item").and_then(Value::as_str).map(str::to_owned)
        }
        InputAnswer::Elicited { .. } | InputAnswer::Sampled(_) | InputAnswer::Roots(_) => None,
    })
}

/// Where the user can be asked, the user picks one of the ready items; elsewhere the model is told which they are.
async fn choose(tracker: &Tracker, request: Context) -> Result<Vec<PromptMessage>, HandlerFault> {
    let view = tracker.workspace(None).map_err(crate::Problem::from)?.view().await?;
    let question = NextQuestion { ready_only: true, ..next_question() };
    let queues = next(&view, question, request.now()).await?;
    if queues.ready.is_empty() {
        let text = "No item is ready: everything is done, waits, is held by somebody or is for a human to decide. Say \
                    so, and use pm_next to tell the user what is in the way. Do not begin anything.";
        return Ok(vec![PromptMessage::user(text)]);
    }
    if request.require(ClientCapability::ElicitationForm).is_ok() {
        return match picked(&request, &queues.ready).await? {
            Some(id) => start(tracker, &id).await,
            None => {
                let text = "The user was shown the ready items and chose none. Ask what to do instead; do not begin \
                            anything.";
                Ok(vec![PromptMessage::user(text)])
            }
        };
    }
    let mut text = format!(
        "Choose one item and begin to work on it. These are ready, best first ({} in all):\n",
        queues.totals.ready
    );
    for row in &queues.ready {
        text.push_str(&format!(
            "\n- {} (priority {}, {}): {}",
            row.id, row.priority, row.type_name, row.title
        ));
    }
    text.push_str("\n\nTake the first unless the user said otherwise, and read it in full with pm_get. ");
    text.push_str(STEPS);
    Ok(vec![PromptMessage::user(text), embedded(uri::uri(tracker, view.workspace(), NEXT), &queues)?])
}
