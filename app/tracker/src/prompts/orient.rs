//! Finding one's way before work begins.

use std::sync::Arc;

use pm_mcp::{Context, HandlerFault, PromptEntry, PromptMessage, prompt};

use super::found::{Found, embedded};
use crate::completions;
use crate::reading::{ContextQuestion, NextQuestion, context, next};
use crate::resources::{CONTEXT, NEXT, context_question, next_question, uri};
use crate::tracker::Tracker;

const STEPS: &str = "Work in this order:\n\
    1. Say in two or three sentences where things stand, as far as the request is concerned.\n\
    2. Look for items that already cover the request (pm_search); name them by id.\n\
    3. Name the one item to work on, and why. If there is none, say which item should be created, with title, type \
    and acceptance criteria.\n\
    4. Name what is in the way: blockers, items that others hold, decisions that a human must take.\n\
    Do not change anything yet.";

pub(super) fn orient(tracker: &Arc<Tracker>) -> PromptEntry {
    let (writing, completing) = (Arc::clone(tracker), Arc::clone(tracker));
    prompt("orient", "Find out where things stand and what to do, before any work.")
        .title("Orient")
        .required_argument("request", "What the user wants.")
        .argument("scope", "A tag, or the id of an item, such as an epic, below which to look.")
        .complete("scope", move |_, typed, _| {
            let tracker = Arc::clone(&completing);
            async move {
                let view = tracker.workspace(None).map_err(crate::Problem::from)?.view().await?;
                Ok(completions::scopes(&view, typed).await?)
            }
        })
        .handler(move |context, arguments| {
            let tracker = Arc::clone(&writing);
            async move {
                let argument = |name: &str| arguments.get(name).map(|text| text.trim()).unwrap_or_default();
                write(&tracker, context, argument("request"), argument("scope")).await
            }
        })
}

async fn write(
    tracker: &Tracker,
    request: Context,
    wanted: &str,
    scope: &str,
) -> Result<Vec<PromptMessage>, HandlerFault> {
    if wanted.is_empty() {
        return Err(HandlerFault::InvalidArgument("`request` is empty; say what the user wants".to_owned()));
    }
    let scope = Scope::of(tracker, scope).await?;
    let view = match &scope {
        Scope::Below(found) => found.view.clone(),
        Scope::All | Scope::Tag(_) => tracker.workspace(None).map_err(crate::Problem::from)?.view().await?,
    };
    let (parent, tag, words) = match &scope {
        Scope::All => (None, None, String::new()),
        Scope::Tag(tag) => (None, Some(tag.clone()), format!("\n\nLook at items with the tag {tag:?} only.")),
        Scope::Below(found) => {
            (Some(found.id.clone()), None, format!("\n\nLook only below {} ({}).", found.id, found.title))
        }
    };
    let text = format!(
        "Get your bearings in the work tracker for this request:\n\n{wanted}{words}\n\nThe state of the workspace and \
         its queues follow as resources. {STEPS}"
    );
    let now = request.now();
    let orientation =
        context(&view, ContextQuestion { parent: parent.clone(), ..context_question() }, now).await?;
    let queues = next(&view, NextQuestion { parent, tag, ..next_question() }, now).await?;
    let mut messages = vec![
        PromptMessage::user(text),
        embedded(uri::uri(tracker, view.workspace(), CONTEXT), &orientation)?,
        embedded(uri::uri(tracker, view.workspace(), NEXT), &queues)?,
    ];
    if let Scope::Below(found) = &scope {
        messages.push(found.embedded(tracker).await?);
    }
    Ok(messages)
}

enum Scope {
    All,
    Tag(String),
    Below(Box<Found>),
}

impl Scope {
    /// A tag that is in use wins over an id, as ids carry the workspace's prefix.
    async fn of(tracker: &Tracker, scope: &str) -> Result<Self, HandlerFault> {
        if scope.is_empty() {
            return Ok(Self::All);
        }
        let view = tracker.workspace(None).map_err(crate::Problem::from)?.view().await?;
        let wanted = scope.to_lowercase();
        let used = view.snapshot().iter().any(|item| item.tags().any(|tag| tag.to_lowercase() == wanted));
        match used {
            true => Ok(Self::Tag(wanted)),
            false => match Found::by_id(tracker, scope).await {
                Ok(found) => Ok(Self::Below(Box::new(found))),
                Err(HandlerFault::InvalidArgument(_)) => Err(HandlerFault::InvalidArgument(format!(
                    "`scope` {scope:?} is neither a tag in use nor the id of an item; leave it out to look at everything"
                ))),
                Err(other) => Err(other),
            },
        }
    }
}
