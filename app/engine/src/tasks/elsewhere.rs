//! What other processes did to tasks.

use pm_mcp_domain::subscription::Topic;
use pm_mcp_domain::task::TaskId;
use tracing::warn;

use super::running::Tasks;
use super::transition::told;

impl Tasks {
    /// Another process changed the task: whoever works on it here looks, and whoever listens here hears how it stands
    /// now, which is no older than what that process told. Gives whether the task was found, or need not be.
    pub(crate) async fn changed_elsewhere(&self, id: &str) -> bool {
        let Some(id) = TaskId::parse(id) else { return false };
        if let Some(running) = self.running(&id) {
            running.link.wake();
        }
        if !self.hub.is_wanted(&Topic::Task(id.as_str().into())) {
            return true;
        }
        // As long as this is held, no change that is made here is told, so that none is followed by an older one.
        let _turn = self.turn(&id).lock().await;
        match self.load(&id).await {
            Ok(Some((task, _))) => {
                if let Some(change) = told(&task) {
                    self.hub.deliver(&change);
                }
                true
            }
            Ok(None) => false,
            Err(fault) => {
                warn!(task = id.as_str(), %fault, "a task that another process changed cannot be read");
                false
            }
        }
    }

    /// Any task may have been changed by another process: all work here looks.
    pub(crate) fn look_again(&self) {
        for running in self.all_running() {
            running.link.wake();
        }
    }
}
