//! Publishing changes that can be told apart, and reading them.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use pm_mcp_domain::subscription::Change;
use pm_mcp_ports::driven::{ChangeFeed, Heard};
use serde_json::Value;

use crate::law::Violation;

/// How long a change may be under way. What takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(10);

/// A small change with a number.
pub(super) fn numbered(number: usize) -> Change {
    Change::ResourceUpdated { uri: format!("bus:{number}").into() }
}

/// What a feed yields next.
pub(super) async fn hear(feed: &mut dyn ChangeFeed) -> Result<Heard, Violation> {
    let heard = tokio::time::timeout(PATIENCE, feed.next()).await;
    heard
        .map_err(|_| Violation::new(format!("nothing was heard for {} s", PATIENCE.as_secs())))?
        .map_err(Violation::from)
}

/// The change that a feed yields next; it must not have lagged.
pub(super) async fn hear_change(feed: &mut dyn ChangeFeed) -> Result<Change, Violation> {
    match hear(feed).await? {
        Heard::Change(change) => Ok(change),
        Heard::Lagged => Err(Violation::new("a feed says that it lagged, with few changes waiting")),
    }
}

/// The number of the change that a feed yields next.
pub(super) async fn hear_number(feed: &mut dyn ChangeFeed) -> Result<usize, Violation> {
    number_of(&hear_change(feed).await?)
}

/// The number that the change was given.
pub(super) fn number_of(change: &Change) -> Result<usize, Violation> {
    if let Change::ResourceUpdated { uri } = change
        && let Some(number) = uri.strip_prefix("bus:")
    {
        return number.parse().map_err(Violation::from);
    }
    Err(Violation::new(format!("{} was heard, and only numbers were published", told(change))))
}

/// Asks once for what comes next, and drops the future whether or not it is ready.
pub(super) async fn glance(feed: &mut dyn ChangeFeed) -> Result<Option<Heard>, Violation> {
    let mut next = pin!(feed.next());
    let glanced = poll_fn(|context| {
        Poll::Ready(match next.as_mut().poll(context) {
            Poll::Ready(heard) => Some(heard),
            Poll::Pending => None,
        })
    });
    Ok(glanced.await.transpose()?)
}

/// All that a change says, as text that equal changes have in common.
pub(super) fn told(change: &Change) -> String {
    match change {
        Change::ToolsListChanged => "tools".to_owned(),
        Change::PromptsListChanged => "prompts".to_owned(),
        Change::ResourcesListChanged => "resources".to_owned(),
        Change::ResourceUpdated { uri } => format!("resource {uri}"),
        Change::TaskChanged { task, principal, state } => {
            match serde_json::from_str::<Value>(state.as_json()) {
                Ok(state) => format!("task {task} of {principal}: {state}"),
                Err(fault) => format!("task {task} of {principal}, whose state is no JSON: {fault}"),
            }
        }
    }
}
