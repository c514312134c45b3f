//! One operation between the first `before` and the last `after`.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;
use pm_mcp_ports::feature::{HandlerFault, Interceptor, Operation, Outcome, Pass, ResultMut};
use tracing::error;

use super::deadline::Deadline;
use super::links::Links;
use crate::exchange::HandlerFuture;
use crate::unwind::{catch, guard};

/// One operation, with the interceptors that let it in. Dropping the last of it tells them that it was cancelled, unless
/// they heard of its end already.
pub(crate) struct Watch {
    clock: Arc<dyn Clock>,
    began: Timestamp,
    operation: Operation,
    /// The same operation as a task, once it is one.
    as_task: OnceLock<Operation>,
    entered: Vec<Arc<dyn Interceptor>>,
    of_request: Option<Deadline>,
    of_task: Option<Deadline>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What each that let the operation in asked to have held.
    passes: Vec<Pass>,
    /// What is known of the outcome before the end.
    noted: Option<Outcome>,
    is_over: bool,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("operation", &self.operation).finish_non_exhaustive()
    }
}

impl Watch {
    /// Asks one interceptor after the other, from the outside in; the first that refuses ends the round.
    ///
    /// The watch is given back also then, for those further out have to hear of the end.
    pub(super) async fn enter(links: Links, clock: Arc<dyn Clock>) -> (Self, Result<(), HandlerFault>) {
        let Links { interceptors, operation } = links;
        let mut watch = Self {
            began: clock.now(),
            clock,
            operation,
            as_task: OnceLock::new(),
            entered: Vec::with_capacity(interceptors.len()),
            of_request: None,
            of_task: None,
            state: Mutex::default(),
        };
        for interceptor in interceptors {
            let before = guard("an interceptor", async { interceptor.before(&watch.operation).await });
            let mut pass = match watch.within(before).await {
                Ok(pass) => pass,
                Err(fault) => return (watch, Err(fault)),
            };
            if let Some(bound) = pass.take_bound() {
                let now = watch.clock.now();
                if bound.binds_tasks() {
                    watch.of_task = Some(Deadline::nearer(watch.of_task.take(), &bound, now));
                }
                watch.of_request = Some(Deadline::nearer(watch.of_request.take(), &bound, now));
            }
            watch.lock().passes.push(pass);
            watch.entered.push(interceptor);
        }
        (watch, Ok(()))
    }

    pub(super) fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Lets work of the request go on until its deadline, if it has one.
    pub(super) async fn within<T, E: From<HandlerFault>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        match &self.of_request {
            None => work.await,
            Some(deadline) => deadline.limit(&*self.clock, work).await,
        }
    }

    /// Shows a result to the interceptors, from the inside out.
    pub(crate) fn alter(&self, mut result: ResultMut<'_>) -> Result<(), HandlerFault> {
        let operation = self.as_task.get().unwrap_or(&self.operation);
        for interceptor in self.entered.iter().rev() {
            catch("an interceptor", || interceptor.result(operation, &mut result)).and_then(|seen| seen)?;
        }
        if let ResultMut::Tool(result) = result
            && result.is_error
        {
            self.note(Outcome::ToolFailed);
        }
        Ok(())
    }

    /// Notes what an answer that can be written means.
    pub(crate) fn note(&self, outcome: Outcome) {
        self.lock().noted = Some(outcome);
    }

    /// What was noted of an operation that came to its end.
    pub(crate) fn noted(&self) -> Outcome {
        self.lock().noted.clone().unwrap_or(Outcome::Complete)
    }

    /// The request ends here with the handle of a task; what is held stays held until the task ends.
    pub(crate) fn becomes_task<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        work: HandlerFuture<T>,
    ) -> HandlerFuture<T> {
        if self.as_task.set(self.operation.as_task(id)).is_ok() {
            self.tell(&self.operation, &Outcome::Task { id: id.to_owned() }, Vec::new());
        }
        match self.of_task.clone() {
            None => work,
            Some(deadline) => {
                let clock = Arc::clone(&self.clock);
                Box::pin(async move { deadline.limit(&*clock, work).await })
            }
        }
    }

    /// The request has ended; nothing, if it ended with a task.
    pub(super) fn end_request(&self, outcome: &Outcome) {
        if self.as_task.get().is_none() {
            self.end(outcome);
        }
    }

    /// The operation has ended, as a whole.
    pub(crate) fn end(&self, outcome: &Outcome) {
        let passes = {
            let mut state = self.lock();
            if std::mem::replace(&mut state.is_over, true) {
                return;
            }
            std::mem::take(&mut state.passes)
        };
        self.tell(self.as_task.get().unwrap_or(&self.operation), outcome, passes);
    }

    /// Tells everyone, from the inside out, and lets go of each one's pass right after.
    fn tell(&self, operation: &Operation, outcome: &Outcome, mut passes: Vec<Pass>) {
        let took = self.clock.now().since(self.began);
        for interceptor in self.entered.iter().rev() {
            let pass = passes.pop();
            let told = catch("an interceptor", || {
                interceptor.after(operation, outcome, took);
                drop(pass);
            });
            if let Err(fault) = told {
                let cause = std::error::Error::source(&fault).map(ToString::to_string).unwrap_or_default();
                error!(method = operation.method.as_str(), cause, "an interceptor failed at the end");
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is one assignment or push, so a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end(&Outcome::Cancelled);
    }
}
