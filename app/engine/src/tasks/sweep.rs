//! Ending what nobody works on, removing what has expired.

use std::num::NonZeroUsize;

use pm_mcp_domain::task::{Task, TaskEvent};
use pm_mcp_ports::driven::{BackendError, DuePlace, Page};
use tracing::warn;

use super::running::Tasks;
use super::transition::TransitionError;

/// How many records are looked at in one go, so that a sweep never holds much.
pub(super) const PAGE: NonZeroUsize = NonZeroUsize::MIN.saturating_add(99);

impl Tasks {
    /// Looks at every task whose deadline has come: an expired one is removed, one whose worker is gone ends `failed`.
    ///
    /// A record that cannot be read stays where it is and is told in the log, so that it never stops the others.
    pub(crate) async fn sweep(&self) -> Result<(), BackendError> {
        let now = self.clock.now();
        let mut page = Page::first(PAGE);
        loop {
            let due = self.store.due(now, page.clone()).await?;
            let Some(last) = due.last().and_then(|stored| DuePlace::of(&stored.record)) else {
                return Ok(());
            };
            for stored in &due {
                let id = &stored.record.id;
                let event = match Task::from_record(&stored.record) {
                    Ok(task) if task.is_expired(now) => TaskEvent::Expired,
                    Ok(task) if self.works_on(&task) => continue,
                    Ok(_) => TaskEvent::LeaseRanOut,
                    Err(fault) => {
                        warn!(task = id.as_str(), %fault, "a task record cannot be read");
                        continue;
                    }
                };
                match self.apply(id, event).await {
                    Ok(_) | Err(TransitionError::Unknown | TransitionError::Refused(_)) => {}
                    Err(TransitionError::Backend(fault)) => return Err(fault),
                    Err(fault) => warn!(task = id.as_str(), %fault, "a task could not be swept"),
                }
            }
            page = page.following(last);
        }
    }
}
