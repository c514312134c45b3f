//! `pm_focus`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::write_call::writing_tool;
use crate::failure::{Failure, Problem};
use crate::reading::ItemRow;
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::Asked;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FocusArguments {
    id: Option<String>,
    clear: bool,
}

/// What is in focus: the parent of new items that name none.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Focus {
    /// The focused item, or null.
    item: Option<ItemRow>,
    /// Whether this call changed it.
    changed: bool,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input =
        Arguments::new().id("id", "The item to focus").flag("clear", "Focus nothing.").finish(vocabulary);
    writing_tool(tracker, ToolName::Focus, input, true, focus)
}

async fn focus(call: Call, _: Asked, own: FocusArguments) -> Result<Focus, Problem> {
    let view = call.view().await?;
    let problem = |error| Problem::of_workspace(view.workspace().name(), error);
    let session = view.repository().session().await.map_err(problem)?;
    let before = session.focused_item.filter(|id| view.find(id).is_ok());
    let wanted = match (&own.id, own.clear) {
        (Some(_), true) => return Err(Failure::argument("clear", "cannot stand beside `id`").into()),
        (Some(id), false) => Some(view.find(id)?.id().to_owned()),
        (None, true) => None,
        (None, false) => before.clone(),
    };
    let changed = wanted != before;
    if changed {
        let written = view.workspace().writer()?.focus(wanted.as_deref()).await;
        written.map_err(|error| Problem::of_write(&view, error))?;
        view.workspace().written();
    }
    let row = match &wanted {
        Some(id) => view.rows([id.as_str()]).await?.list(std::slice::from_ref(id)).pop(),
        None => None,
    };
    Ok(Focus { item: row, changed })
}
