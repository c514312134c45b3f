//! One change of a task: load, decide, store, carry out.

use std::sync::Arc;

use pm_mcp_domain::subscription::{Change, TaskState};
use pm_mcp_domain::task::{Next, RecordError, Task, TaskEffect, TaskEvent, TaskId, TaskRefusal};
use pm_mcp_domain::wire::DetailedTask;
use pm_mcp_ports::driven::{Applied, BackendError, RemoveError, ReplaceError, Stored};
use serde_json::value::to_raw_value;
use thiserror::Error;
use tracing::warn;

use super::running::Tasks;

/// Why an event did not become part of a task.
#[derive(Debug, Error)]
pub(super) enum TransitionError {
    /// There is no such task.
    #[error("there is no such task")]
    Unknown,
    /// The domain says no.
    #[error(transparent)]
    Refused(#[from] TaskRefusal),
    /// The stored record cannot be read.
    #[error("the task's record cannot be read")]
    Record(#[from] RecordError),
    /// The store failed.
    #[error("the task store failed")]
    Backend(#[from] BackendError),
    /// The store refused the record.
    #[error("the task store did not take the record")]
    Store(#[source] ReplaceError),
    /// The process is going down.
    #[error("the server stopped while the task was being changed")]
    Stopped,
    /// Others changed the task again and again.
    #[error("the task changed {0} times while it was being decided on")]
    Contended(usize),
}

/// How often a decision is made anew because somebody else was faster.
const ATTEMPTS: usize = 64;

impl Tasks {
    /// The task as it is stored.
    pub(super) async fn load(&self, id: &TaskId) -> Result<Option<(Task, Stored)>, TransitionError> {
        match self.store.load(id).await? {
            None => Ok(None),
            Some(stored) => Ok(Some((Task::from_record(&stored.record)?, stored))),
        }
    }

    /// Makes an event part of a task. The effects that concern this process are carried out; those for the caller are
    /// given back.
    ///
    /// Whoever is overtaken reads again and decides anew, so that no event is lost and none counts twice. After a write
    /// whose outcome is unknown the task is read again too: the decision on what is found is the same or nothing.
    pub(super) async fn apply(
        &self,
        id: &TaskId,
        event: TaskEvent,
    ) -> Result<Vec<TaskEffect>, TransitionError> {
        // Listeners hear of changes in the order in which they were stored, so that none is left with an older state.
        let _turn = self.turn(id).lock().await;
        for _ in 0..ATTEMPTS {
            let (task, stored) = self.load(id).await?.ok_or(TransitionError::Unknown)?;
            let decided = task.decide(event.clone(), &self.settings.limits, self.clock.now());
            let decision = decided.inspect_err(|refusal| {
                if let Some(limit) = refusal.limit() {
                    self.limit_counts.count(limit);
                }
            })?;
            let next = match decision.next {
                Next::Unchanged => return Ok(decision.effects),
                Next::Replace(next) => match self.store.replace(&next.to_record(), stored.revision).await {
                    Ok(_) => Some(next),
                    Err(ReplaceError::Conflict) => continue,
                    Err(ReplaceError::Backend(fault)) if fault.applied == Applied::Unknown => {
                        warn!(%fault, "a write to the task store may have failed; reading again");
                        continue;
                    }
                    Err(ReplaceError::Backend(fault)) => return Err(fault.into()),
                    Err(refused) => return Err(TransitionError::Store(refused)),
                },
                Next::Remove => match self.store.remove(id, stored.revision).await {
                    Ok(()) => None,
                    Err(RemoveError::Conflict) => continue,
                    Err(RemoveError::Backend(fault)) => return Err(fault.into()),
                },
            };
            self.tally.stored(&task, next.as_deref());
            return Ok(self.carry_out(id, next.as_deref(), decision.effects));
        }
        Err(TransitionError::Contended(ATTEMPTS))
    }

    /// The same, to the end even if whoever asked for it goes away meanwhile: what was stored is also told to the worker
    /// and to those who listen.
    pub(super) async fn apply_in_full(
        self: &Arc<Self>,
        id: TaskId,
        event: TaskEvent,
    ) -> Result<Vec<TaskEffect>, TransitionError> {
        let tasks = Arc::clone(self);
        let applying = tokio::spawn(async move { tasks.apply(&id, event).await });
        applying.await.unwrap_or(Err(TransitionError::Stopped))
    }

    fn carry_out(&self, id: &TaskId, task: Option<&Task>, effects: Vec<TaskEffect>) -> Vec<TaskEffect> {
        let mut rest = Vec::new();
        for effect in effects {
            match effect {
                TaskEffect::Publish => {
                    if let Some(task) = task {
                        self.publish(task);
                    }
                }
                TaskEffect::WakeWorker => {
                    if let Some(running) = self.running(id) {
                        running.link.wake();
                    }
                }
                TaskEffect::StopWork => {
                    if let Some(running) = self.running(id) {
                        running.exchange.cancel();
                        running.link.wake();
                    }
                }
                // Deadlines are found by the sweep, which asks the store what is due.
                TaskEffect::WakeAt(_) => {}
                TaskEffect::AssignKeys(_) | TaskEffect::DeliverInput(_) => rest.push(effect),
            }
        }
        rest
    }

    fn publish(&self, task: &Task) {
        if let Some(change) = told(task) {
            self.hub.publish(&change);
        }
    }
}

/// How a task stands, as listeners hear of it.
pub(super) fn told(task: &Task) -> Option<Change> {
    let state = to_raw_value(&DetailedTask(task)).map(TaskState::new);
    let Ok(Ok(state)) = state else { return None };
    Some(Change::TaskChanged { task: task.id().as_str().into(), principal: task.principal().clone(), state })
}
