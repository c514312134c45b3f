//! Ending what a worker left that is known to be gone.

use std::collections::BTreeSet;

use pm_mcp_domain::task::{Task, TaskEvent, WorkerId};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{BackendError, Page};
use tracing::{info, warn};

use super::running::Tasks;
use super::sweep::PAGE;
use super::transition::TransitionError;

impl Tasks {
    pub(crate) fn knows_workers(&self) -> bool {
        self.workers.is_some()
    }

    /// Ends every task whose worker is gone for certain, and forgets the worker when none is left.
    pub(crate) async fn recover(&self) -> Result<(), BackendError> {
        let Some(workers) = &self.workers else { return Ok(()) };
        let gone: BTreeSet<WorkerId> = workers.gone().await?.into_iter().collect();
        if gone.is_empty() {
            return Ok(());
        }
        let (mut page, mut ended, mut left) = (Page::first(PAGE), 0_usize, false);
        loop {
            let unfinished = self.store.unfinished(page.clone()).await?;
            let Some(last) = unfinished.last().map(|stored| stored.record.id.clone()) else { break };
            for stored in &unfinished {
                // What cannot be read is told by the sweep.
                let Ok(task) = Task::from_record(&stored.record) else { continue };
                let worker = task.lease().worker.clone();
                if !gone.contains(&worker) {
                    continue;
                }
                match self.apply(task.id(), TaskEvent::WorkerLost { worker }).await {
                    Ok(_) => ended += 1,
                    Err(TransitionError::Unknown | TransitionError::Refused(_)) => {}
                    Err(TransitionError::Backend(fault)) => return Err(fault),
                    Err(fault) => {
                        warn!(task = task.id().as_str(), %fault, "a task of a lost worker could not be ended");
                        left = true;
                    }
                }
            }
            page = page.following(last);
        }
        if ended > 0 {
            info!(tasks = ended, workers = gone.len(), "ended the tasks of server processes that are gone");
        }
        if !left {
            for worker in &gone {
                workers.forget(worker).await?;
            }
        }
        Ok(())
    }

    /// What shows that nobody works on the task any more, if something does.
    pub(super) async fn end_of_work(&self, task: &Task, now: Timestamp) -> Option<TaskEvent> {
        let lease = task.lease();
        if task.status().is_ended() {
            return None;
        }
        if lease.has_run_out(now) && !self.works_on(task) {
            return Some(TaskEvent::LeaseRanOut);
        }
        let workers = self.workers.as_ref().filter(|_| lease.worker != self.worker)?;
        match workers.gone().await {
            Ok(gone) if gone.contains(&lease.worker) => {
                Some(TaskEvent::WorkerLost { worker: lease.worker.clone() })
            }
            Ok(_) => None,
            Err(fault) => {
                warn!(%fault, "it cannot be told which workers are gone; the lease tells later");
                None
            }
        }
    }

    /// Whether this very process works on the task. Then nothing is lost if the lease ran out: a slow store or a busy
    /// machine holds up the renewal, which is on its way.
    pub(super) fn works_on(&self, task: &Task) -> bool {
        task.lease().worker == self.worker && self.running(task.id()).is_some()
    }
}
