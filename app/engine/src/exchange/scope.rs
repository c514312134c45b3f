//! The handler's side of a request.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use pm_mcp_domain::continuation::{Answer, InputKey, Question, Questions};
use pm_mcp_domain::cursor::ParamsDigest;
use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::request::Method;
use pm_mcp_domain::subscription::Change;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::CursorSigner;
use pm_mcp_ports::feature::{Caller, CheckAnswer, HandlerFault, RequestScope};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};

use super::progress::{Progress, Report};
use super::rounds::Rounds;
use crate::core::Core;
use crate::tasks::TaskLink;

/// Where a handler's questions go.
#[derive(Debug)]
pub(crate) enum Placement {
    /// Nowhere: it works on a list or a completion.
    Plain,
    /// To the client, which sends the request again with the answers.
    Rounds(Rounds),
    /// To the client, which answers through the task; what the request brought along still counts.
    Task(Arc<TaskLink>, Rounds),
}

/// Something that the handler wants of the engine.
#[derive(Debug)]
pub(crate) enum Event {
    /// Send this report.
    Progress(Report),
    /// Make a task of the work.
    StartTask(TaskWish),
}

/// A handler that waits to become a task.
#[derive(Debug)]
pub(crate) struct TaskWish {
    pub(crate) message: Option<String>,
    /// Tells the handler how it went; it goes on then.
    pub(crate) granted: oneshot::Sender<Result<(), HandlerFault>>,
}

/// One request while its handler works.
pub(crate) struct Exchange {
    core: Arc<Core>,
    caller: Arc<Caller>,
    wants_progress: bool,
    can_start_task: AtomicBool,
    state: Mutex<ExchangeState>,
    event: Notify,
    cancelled: AtomicBool,
    cancel: Notify,
}

#[derive(Debug)]
struct ExchangeState {
    placement: Placement,
    progress: Progress,
    wish: Option<TaskWish>,
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("caller", &self.caller).finish_non_exhaustive()
    }
}

impl Exchange {
    /// Counts a limit that the work has reached.
    pub(super) fn reached(&self, limit: Limit) {
        self.core.limit_counts.count(limit);
    }

    pub(super) fn new(
        core: Arc<Core>,
        caller: Arc<Caller>,
        placement: Placement,
        wants_progress: bool,
    ) -> Self {
        Self {
            core,
            caller,
            wants_progress,
            can_start_task: AtomicBool::new(false),
            state: Mutex::new(ExchangeState { placement, progress: Progress::default(), wish: None }),
            event: Notify::new(),
            cancelled: AtomicBool::new(false),
            cancel: Notify::new(),
        }
    }

    /// Lets the handler become a task when it wishes to.
    pub(crate) fn allow_task(&self) {
        self.can_start_task.store(true, Ordering::Relaxed);
    }

    /// From here on the handler works in a task.
    pub(crate) fn enter_task(&self, link: Arc<TaskLink>) {
        let mut state = self.lock();
        let rounds = match std::mem::replace(&mut state.placement, Placement::Plain) {
            Placement::Rounds(rounds) | Placement::Task(_, rounds) => rounds,
            Placement::Plain => Rounds::default(),
        };
        state.placement = Placement::Task(link, rounds);
    }

    /// Whether the request is a retry, whose result nobody may keep.
    pub(crate) fn is_retry(&self) -> bool {
        matches!(&self.lock().placement, Placement::Rounds(rounds) if rounds.is_retry())
    }

    /// What the handler asked, and the sealed state for the client to bring back.
    pub(super) fn pause(
        &self,
        method: Method,
        digest: &ParamsDigest,
    ) -> Result<(Questions, String), HandlerFault> {
        match &mut self.lock().placement {
            Placement::Rounds(rounds) => rounds.pause(&self.core, &self.caller, method, digest),
            Placement::Plain | Placement::Task(..) => Err(cannot_ask()),
        }
    }

    /// The next thing that the handler wants; waits for one. A report that was held back comes when its time has come,
    /// also from a handler that says no more.
    pub(crate) async fn next_event(&self) -> Event {
        loop {
            let release = match self.pending_event() {
                Ok(event) => return event,
                Err(release) => release,
            };
            match release {
                None => self.event.notified().await,
                Some(instant) => {
                    let clock = &self.core.ports.clock;
                    tokio::select! {
                        () = self.event.notified() => {}
                        () = clock.sleep_until(instant) => self.lock().progress.release(clock.now()),
                    }
                }
            }
        }
    }

    /// What is there now, or when there will be something.
    fn pending_event(&self) -> Result<Event, Option<Timestamp>> {
        let mut state = self.lock();
        match (state.progress.next(), state.wish.take()) {
            (Some(report), wish) => {
                state.wish = wish;
                Ok(Event::Progress(report))
            }
            (None, Some(wish)) => Ok(Event::StartTask(wish)),
            (None, None) => Err(state.progress.release_at()),
        }
    }

    /// Whether the client asked for progress.
    pub(crate) fn wants_progress(&self) -> bool {
        self.wants_progress
    }

    /// The reports that are left when the handler is done.
    pub(crate) fn last_report(&self) -> Option<Report> {
        if self.wants_progress { self.lock().progress.last() } else { None }
    }

    /// Gives the handler's work the signal to stop.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.cancel.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, ExchangeState> {
        // A handler that panics does so outside the lock, and every change under it is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn task_link(&self) -> Option<Arc<TaskLink>> {
        match &self.lock().placement {
            Placement::Task(link, _) => Some(Arc::clone(link)),
            Placement::Plain | Placement::Rounds(_) => None,
        }
    }
}

#[async_trait]
impl RequestScope for Exchange {
    fn caller(&self) -> &Caller {
        &self.caller
    }

    fn now(&self) -> Timestamp {
        self.core.ports.clock.now()
    }

    fn cursors(&self) -> &dyn CursorSigner {
        &*self.core.ports.cursors
    }

    async fn ask(
        &self,
        key: InputKey,
        question: Question,
        check: CheckAnswer<'_>,
    ) -> Result<Answer, HandlerFault> {
        let link = match &mut self.lock().placement {
            Placement::Rounds(_) if !self.caller.capabilities.can_be_asked() => {
                return Err(HandlerFault::CannotAsk);
            }
            Placement::Rounds(rounds) => return rounds.ask(&self.caller, key, question, check),
            Placement::Plain => return Err(cannot_ask()),
            Placement::Task(link, rounds) => match rounds.answer(&key, &question, check) {
                Some(answer) => return Ok(answer),
                None => Arc::clone(link),
            },
        };
        if !self.caller.capabilities.declares(question.needs()) {
            return Err(HandlerFault::MissingCapability(question.needs()));
        }
        link.ask(key, question, check).await
    }

    fn recall(&self, name: &str) -> Option<Value> {
        match &self.lock().placement {
            Placement::Rounds(rounds) | Placement::Task(_, rounds) => rounds.recall(name),
            Placement::Plain => None,
        }
    }

    fn remember(&self, name: &str, value: Value) {
        match &mut self.lock().placement {
            Placement::Rounds(rounds) | Placement::Task(_, rounds) => rounds.remember(name, value),
            Placement::Plain => {}
        }
    }

    fn progress(&self, progress: f64, total: Option<f64>, message: Option<String>) {
        let mut state = self.lock();
        if !self.wants_progress && !matches!(state.placement, Placement::Task(..)) {
            return;
        }
        // JSON has no word for what is no number.
        let total = total.filter(|total| total.is_finite());
        if state.progress.offer(Report { progress, total, message }, self.core.ports.clock.now()) {
            drop(state);
            self.event.notify_one();
        }
    }

    async fn start_task(&self, message: Option<String>) -> Result<(), HandlerFault> {
        if !self.can_start_task.load(Ordering::Relaxed) || self.task_link().is_some() {
            return Ok(());
        }
        let (granted, wait) = oneshot::channel();
        self.lock().wish = Some(TaskWish { message, granted });
        self.event.notify_one();
        match wait.await {
            Ok(result) => result,
            // The engine gave the request up, and this future with it.
            Err(_) => Err(HandlerFault::internal("the request ended before the task began")),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    async fn cancelled(&self) {
        let notified = self.cancel.notified();
        tokio::pin!(notified);
        // Registered before the flag is read, so that a signal in between is not missed.
        notified.as_mut().enable();
        if !self.is_cancelled() {
            notified.await;
        }
    }

    fn publish(&self, change: Change) {
        self.core.hub.publish(&change);
    }
}

/// Lists, completions and discovery are answered at once: a handler that asks there is the host's fault.
fn cannot_ask() -> HandlerFault {
    HandlerFault::internal(
        "a handler asked where nothing can be asked: only tools, prompts and reads of resources ask",
    )
}
