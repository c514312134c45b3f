//! The item that a prompt speaks of.

use pm_mcp::{ContentBlock, HandlerFault, PromptMessage, ResourceContents, Role};
use serde::Serialize;

use crate::failure::{Failure, Problem};
use crate::resources::{json, uri};
use crate::templates::full_item;
use crate::tracker::Tracker;
use crate::view::View;

/// An item and the workspace that it is in.
pub(super) struct Found {
    pub(super) view: View,
    pub(super) id: String,
    pub(super) title: String,
}

impl Found {
    /// The item of an id, in the default workspace or else in the first other one that has it.
    pub(super) async fn by_id(tracker: &Tracker, id: &str) -> Result<Self, HandlerFault> {
        let mut first = None;
        for workspace in tracker.workspaces() {
            let problem = match workspace.view().await {
                Ok(view) => match view.find(id) {
                    Ok(item) => {
                        let (id, title) = (item.id().to_owned(), item.title().to_owned());
                        return Ok(Self { view, id, title });
                    }
                    Err(failure) => failure.into(),
                },
                Err(problem) => problem,
            };
            first.get_or_insert(problem);
        }
        Err(first.map_or(HandlerFault::NotFound, as_argument))
    }

    /// The item in full, as a message.
    pub(super) async fn embedded(&self, tracker: &Tracker) -> Result<PromptMessage, HandlerFault> {
        let uri = uri::item_uri(tracker, self.view.workspace(), &self.id);
        Ok(embedded(uri, &full_item(&self.view, &self.id).await?)?)
    }
}

/// Data as a message that embeds them as a resource.
pub(super) fn embedded(uri: String, value: &impl Serialize) -> Result<PromptMessage, Problem> {
    let contents = ResourceContents::text(uri, "application/json", json(value)?);
    Ok(PromptMessage { role: Role::User, content: ContentBlock::resource(contents) })
}

/// An id that a prompt was given is an argument, so what is not there is a wrong one.
fn as_argument(problem: Problem) -> HandlerFault {
    match problem {
        Problem::Failed(failure @ Failure::ItemNotFound { .. }) => {
            let hint = failure.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            HandlerFault::InvalidArgument(format!("{failure}{hint}"))
        }
        other => other.into(),
    }
}
