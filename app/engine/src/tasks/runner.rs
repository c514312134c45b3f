//! Letting the work of a task go on.

use std::sync::Arc;

use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::task::{
    JsonObject, RawJson, TaskEffect, TaskError, TaskEvent, TaskId, TaskRefusal, WORKER_LOST,
};
use pm_mcp_domain::wire::CallToolResult;
use pm_mcp_ports::feature::{HandlerFault, Outcome, RequestScope as _};
use tracing::{debug, warn};

use super::create::Work;
use super::link::Questions;
use super::running::{Running, Tasks};
use super::transition::TransitionError;
use crate::answer::describe;
use crate::exchange::Event;

/// Looks at a tool's result and writes it as the task keeps it.
pub(crate) type Finish = Box<dyn FnOnce(CallToolResult) -> Result<JsonObject, HandlerFault> + Send>;

/// A task for as long as it is worked on, also when its runtime ends before it.
struct AtWork<'a> {
    tasks: &'a Tasks,
    id: &'a TaskId,
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.tasks.ended(self.id);
    }
}

impl Tasks {
    /// Works until the handler is done, then ends the task.
    ///
    /// What a cancelled task's handler still gives is dropped by the domain; the handler itself is never stopped by force.
    pub(super) async fn work(self: Arc<Self>, id: TaskId, running: Running, work: Work) {
        let _at_work = AtWork { tasks: &self, id: &id };
        let Work { exchange, mut future, finish, watch } = work;
        let mut tick = self.next_tick(&running);
        let ended = loop {
            tokio::select! {
                biased;
                done = future.as_mut() => break Some(done),
                () = running.give_up.notified() => break None,
                questions = running.link.next_questions() => {
                    self.ask(&id, &running, questions).await;
                    tick = tick.min(self.next_tick(&running));
                }
                () = running.link.woken() => self.take_input(&id, &running).await,
                event = exchange.next_event() => match event {
                    Event::Progress(report) => self.report(&id, &running, report.message).await,
                    Event::StartTask(wish) => wish.granted.send(Ok(())).unwrap_or_default(),
                },
                () = self.clock.sleep_until(tick) => {
                    self.renew(&id, &running).await;
                    tick = self.next_tick(&running);
                }
            }
        };
        running.link.close();
        let finished = match ended {
            None => Err(Self::lost()),
            // What the work of a cancelled task breaks with is nobody's failure, and the task keeps none of it.
            Some(Err(_)) if exchange.is_cancelled() => Err(Self::lost()),
            Some(done) => done.and_then(finish).map_err(|fault| task_error(&fault)),
        };
        let broke = finished.as_ref().err().map(|error| error.code);
        let event = match finished {
            Ok(result) => TaskEvent::Finished { result },
            Err(error) => TaskEvent::Broke { error },
        };
        let broken = self.settings.limits.broken_by(&event);
        let applied = self.apply(&id, event).await;
        if let (Ok(_), Some(limit)) = (&applied, broken) {
            self.limit_counts.count(limit);
        }
        if let Err(fault) = &applied {
            self.note(&id, &running, fault);
        }
        if let Some(watch) = watch {
            // The handler and what it owns go before anyone hears that the work has ended.
            drop(future);
            watch.end(&match broke {
                _ if exchange.is_cancelled() => Outcome::Cancelled,
                Some(code) => Outcome::Failed { code },
                None if applied.is_err() => Outcome::Failed { code: ErrorCode::INTERNAL },
                None => watch.noted(),
            });
        }
    }

    async fn ask(&self, id: &TaskId, running: &Running, mut questions: Questions) {
        let withdrawn = std::mem::take(&mut questions.withdrawn);
        if !withdrawn.is_empty()
            && let Err(fault) = self.apply(id, TaskEvent::InputWithdrawn { keys: withdrawn }).await
        {
            self.note(id, running, &fault);
        }
        match self.apply(id, TaskEvent::InputRequested { questions: questions.questions.clone() }).await {
            Ok(effects) => {
                let assigned = effects.into_iter().find_map(|effect| match effect {
                    TaskEffect::AssignKeys(assignments) => Some(assignments),
                    TaskEffect::Publish
                    | TaskEffect::DeliverInput(_)
                    | TaskEffect::WakeWorker
                    | TaskEffect::StopWork
                    | TaskEffect::WakeAt(_) => None,
                });
                questions.tell(&running.link, assigned.unwrap_or_default());
            }
            Err(TransitionError::Refused(refusal)) if refusal.limit().is_some() => {
                debug!(task = id.as_str(), %refusal, "a question of a task is refused");
                questions.refuse(refusal);
            }
            // The dropped senders tell the worker that nothing can be asked.
            Err(fault) => self.note(id, running, &fault),
        }
    }

    fn lost() -> TaskError {
        TaskError { code: ErrorCode::INTERNAL, message: WORKER_LOST.to_owned(), data: None }
    }

    /// A third of the lease leaves two more tries; while the worker waits for input that may come by way of another
    /// process, the store is asked as often as clients are.
    fn next_tick(&self, running: &Running) -> pm_mcp_domain::time::Timestamp {
        let lease = self.settings.lease / 3;
        let wait = if running.link.is_waiting() { lease.min(self.settings.poll_interval) } else { lease };
        self.clock.now().after(wait)
    }

    async fn renew(&self, id: &TaskId, running: &Running) {
        if running.link.is_waiting() {
            self.take_input(id, running).await;
        }
        let until = self.clock.now().after(self.settings.lease);
        let event = TaskEvent::LeaseRenewed { worker: self.worker.clone(), until };
        if let Err(fault) = self.apply(id, event).await {
            self.note(id, running, &fault);
        }
    }

    async fn report(&self, id: &TaskId, running: &Running, message: Option<String>) {
        let Some(message) = message else { return };
        if let Err(fault) = self.apply(id, TaskEvent::Reported { message }).await {
            self.note(id, running, &fault);
        }
    }

    async fn take_input(&self, id: &TaskId, running: &Running) {
        match self.apply(id, TaskEvent::InputTaken).await {
            Ok(effects) => {
                for effect in effects {
                    if let TaskEffect::DeliverInput(answers) = effect {
                        running.link.deliver(answers);
                    }
                }
            }
            Err(fault) => self.note(id, running, &fault),
        }
    }

    /// A task that ended elsewhere, by a cancellation or its lifetime, gives its worker the signal to stop.
    fn note(&self, id: &TaskId, running: &Running, fault: &TransitionError) {
        match fault {
            TransitionError::Unknown
            | TransitionError::Refused(
                TaskRefusal::Ended { .. } | TaskRefusal::Expired | TaskRefusal::OtherWorker,
            ) => {
                debug!(task = id.as_str(), %fault, "the task has ended before its work");
                running.exchange.cancel();
                running.link.close();
            }
            TransitionError::Refused(TaskRefusal::TooManyQuestions { .. } | TaskRefusal::TooLong { .. })
            | TransitionError::Record(_)
            | TransitionError::Backend(_)
            | TransitionError::Store(_)
            | TransitionError::Stopped
            | TransitionError::Contended(_) => warn!(task = id.as_str(), %fault, "a step of a task is lost"),
        }
    }
}

/// A fault of a handler as its task keeps it.
fn task_error(fault: &HandlerFault) -> TaskError {
    let (code, message, data) = describe(fault);
    TaskError { code, message, data: data.and_then(|data| RawJson::of(&data).ok()) }
}
