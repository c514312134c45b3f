//! The worker's side of the questions of a task.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::continuation::{Answer, InputKey, Question};
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::task::{JsonObject, KeyAssignment, KeyedAnswer, KeyedQuestion, RawJson, TaskRefusal};
use pm_mcp_ports::feature::{CheckAnswer, HandlerFault};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};

/// Carries questions from a worker to its runner, and answers back.
#[derive(Debug, Default)]
pub(crate) struct TaskLink {
    state: Mutex<LinkState>,
    /// Told when the worker asks.
    asked: Notify,
    /// Told when answers may have come, or the work is to stop.
    woken: Notify,
    /// Told when answers were handed over.
    delivered: Notify,
}

#[derive(Debug, Default)]
struct LinkState {
    waiting: Vec<Waiting>,
    open: usize,
    /// Keys of questions that the worker no longer waits for.
    withdrawn: Vec<InputKey>,
    answers: BTreeMap<InputKey, JsonObject>,
    closed: bool,
}

#[derive(Debug)]
struct Waiting {
    question: KeyedQuestion,
    assigned: oneshot::Sender<Assigned>,
}

/// The key under which a question was asked, or why it was not.
type Assigned = Result<InputKey, TaskRefusal>;

impl TaskLink {
    /// Asks, and waits for an answer that fits. One that does not is asked for again, under another key.
    pub(crate) async fn ask(
        &self,
        key: InputKey,
        question: Question,
        check: CheckAnswer<'_>,
    ) -> Result<Answer, HandlerFault> {
        let request = RawJson::of(&question).and_then(JsonObject::new).map_err(HandlerFault::internal)?;
        loop {
            let (assigned, assignment) = oneshot::channel();
            let mut asking = Asking { link: self, key: None, answered: false };
            {
                let mut state = self.lock();
                state.open += 1;
                if state.closed {
                    return Err(ended());
                }
                let question = KeyedQuestion { key: key.clone(), request: request.clone() };
                state.waiting.push(Waiting { question, assigned });
            }
            self.asked.notify_one();
            let assigned = assignment.await.map_err(|_| ended())?.map_err(|refusal| refused(&refusal))?;
            asking.key = Some(assigned.clone());
            let response = self.answer_to(&assigned).await?;
            asking.answered = true;
            drop(asking);
            let value: Value = serde_json::from_str(response.as_str()).map_err(HandlerFault::internal)?;
            match Answer::parse(&question, &value).and_then(|answer| check(&answer).map(|()| answer)) {
                Ok(answer) => return Ok(answer),
                Err(fault) => {
                    tracing::debug!(key = key.as_str(), %fault, "an answer does not fit; asking again")
                }
            }
        }
    }

    async fn answer_to(&self, key: &InputKey) -> Result<JsonObject, HandlerFault> {
        loop {
            let delivered = self.delivered.notified();
            tokio::pin!(delivered);
            delivered.as_mut().enable();
            {
                let mut state = self.lock();
                if let Some(answer) = state.answers.remove(key) {
                    return Ok(answer);
                }
                if state.closed {
                    return Err(ended());
                }
            }
            delivered.await;
        }
    }

    /// The questions that wait to be asked, and those that nobody waits for any more; waits for one. All that the
    /// worker asked in one go come together.
    pub(super) async fn next_questions(&self) -> Questions {
        loop {
            let (waiting, withdrawn) = {
                let mut state = self.lock();
                (std::mem::take(&mut state.waiting), std::mem::take(&mut state.withdrawn))
            };
            let (questions, assigned): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .filter(|waiting| !waiting.assigned.is_closed())
                .map(|waiting| (waiting.question, waiting.assigned))
                .unzip();
            if !questions.is_empty() || !withdrawn.is_empty() {
                return Questions { questions, assigned, withdrawn };
            }
            self.asked.notified().await;
        }
    }

    fn withdraw(&self, key: InputKey) {
        self.lock().withdrawn.push(key);
        self.asked.notify_one();
    }

    /// Whether the worker waits for answers.
    pub(super) fn is_waiting(&self) -> bool {
        self.lock().open > 0
    }

    /// Lets the runner look whether there are answers.
    pub(super) fn wake(&self) {
        self.woken.notify_one();
    }

    pub(super) async fn woken(&self) {
        self.woken.notified().await;
    }

    /// Hands answers to the worker.
    pub(super) fn deliver(&self, answers: Vec<KeyedAnswer>) {
        let mut state = self.lock();
        state.answers.extend(answers.into_iter().map(|answer| (answer.key, answer.response)));
        drop(state);
        self.delivered.notify_waiters();
    }

    /// Nothing is asked any more: the task has ended.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.clear();
        drop(state);
        self.delivered.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, LinkState> {
        // Every change under the lock is whole, so a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ended() -> HandlerFault {
    HandlerFault::internal("the task ended while its work was asking")
}

/// Whoever reads the error of the task can do something about a limit.
fn refused(refusal: &TaskRefusal) -> HandlerFault {
    HandlerFault::Protocol { code: ErrorCode::INTERNAL, message: refusal.to_string(), data: None }
}

/// Questions on their way into the task, and where to tell the keys they get.
#[derive(Debug)]
pub(super) struct Questions {
    pub(super) questions: Vec<KeyedQuestion>,
    assigned: Vec<oneshot::Sender<Assigned>>,
    /// Questions that were asked and need no answer any more.
    pub(super) withdrawn: Vec<InputKey>,
}

impl Questions {
    /// Tells the worker under which keys its questions were asked.
    pub(super) fn tell(self, link: &TaskLink, assignments: Vec<KeyAssignment>) {
        for (assigned, assignment) in self.assigned.into_iter().zip(assignments) {
            // A worker that does not wait for the key has given its question up meanwhile.
            if let Err(Ok(key)) = assigned.send(Ok(assignment.assigned)) {
                link.withdraw(key);
            }
        }
    }

    /// Tells the worker that its questions cannot be asked.
    pub(super) fn refuse(self, refusal: TaskRefusal) {
        for assigned in self.assigned {
            // A worker that does not wait for the key has given its question up meanwhile.
            let _given_up = assigned.send(Err(refusal));
        }
    }
}

/// One question of the worker's, for as long as it waits for the answer.
struct Asking<'a> {
    link: &'a TaskLink,
    key: Option<InputKey>,
    answered: bool,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let mut state = self.link.lock();
        state.open = state.open.saturating_sub(1);
        let closed = state.closed;
        drop(state);
        if let (Some(key), false, false) = (self.key.take(), self.answered, closed) {
            self.link.withdraw(key);
        }
    }
}
