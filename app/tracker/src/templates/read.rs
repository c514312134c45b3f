//! What the templates' resources hold.

use pm_mcp::HandlerFault;
use pm_tracker_domain::board::ItemFilter;
use serde_json::json;

use crate::failure::{Failure, Problem};
use crate::reading::{EventStart, EventsQuestion, ItemAt, ItemDepth, ItemRow, ItemView, events, item};
use crate::resources::json as json_text;
use crate::view::View;

/// Most changes of an item's history, and most rows of a list.
const CHANGES_MAX: usize = 100;
const ROWS_MAX: usize = 200;

/// An item at full depth, by its full id.
pub(crate) async fn full_item(view: &View, id: &str) -> Result<ItemView, Problem> {
    exact(view, id)?;
    item(view, id, ItemDepth::Full, None).await
}

/// The body of an item.
pub(super) fn body(view: &View, id: &str) -> Result<String, Problem> {
    exact(view, id)?;
    Ok(view.find(id)?.body().to_owned())
}

/// The changes of one item, newest first. What is left of a deleted one counts, too.
pub(super) async fn history(view: &View, id: &str) -> Result<String, Problem> {
    exact(view, id)?;
    let question = EventsQuestion {
        start: EventStart::Latest,
        items: vec![id.to_owned()],
        authors: Vec::new(),
        ops: Vec::new(),
        limit: CHANGES_MAX,
        full: false,
    };
    let mut changes = events(view, question).await?.events;
    changes.reverse();
    let total = view.repository().version(id).await.map_err(|error| Problem::of_history(id, error))?;
    json_text(&json!({"id": id, "total": total, "events": changes}))
}

/// An item as it was at a version.
pub(super) async fn version(view: &View, id: &str, version: &str) -> Result<String, Problem> {
    exact(view, id)?;
    let number: usize = version.parse().map_err(|_| HandlerFault::NotFound)?;
    if number.to_string() != version {
        return Err(HandlerFault::NotFound.into());
    }
    let was = item(view, id, ItemDepth::Full, Some(ItemAt::Version(number))).await;
    let was = was.map_err(|problem| match problem {
        // A version that the history does not have is a resource that is not there.
        Problem::Failed(Failure::InvalidArgument { .. }) => HandlerFault::NotFound.into(),
        other => other,
    })?;
    json_text(&was)
}

/// The first rows with a status, in ranking order, and how many there are.
pub(super) async fn list(view: &View, status: &str) -> Result<String, Problem> {
    let known = view.snapshot().schema.statuses().canonical(status).map(str::to_owned);
    let status = known.ok_or(HandlerFault::NotFound)?;
    let mut filter = ItemFilter::default();
    filter.statuses.push(status.clone());
    let (ids, total) = view
        .on_board(move |board, _| {
            let found = board.filtered(&filter);
            let first = found.iter().take(ROWS_MAX).map(|item| item.id().to_owned());
            (first.collect::<Vec<String>>(), found.len())
        })
        .await?;
    let items: Vec<ItemRow> = view.rows(ids.iter().map(String::as_str)).await?.list(&ids);
    json_text(&json!({"status": status, "total": total, "items": items}))
}

/// Other spellings of an id are other URIs, of which there is nothing.
fn exact(view: &View, id: &str) -> Result<(), Problem> {
    match view.find_with_history(id)? == id {
        true => Ok(()),
        false => Err(HandlerFault::NotFound.into()),
    }
}
