//! What an event makes of a task: the lifecycle.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::decision::{Decision, KeyAssignment, Next, TaskEffect};
use super::event::TaskEvent;
use super::json::JsonObject;
use super::key::{KeyedAnswer, KeyedQuestion, first_free};
use super::lease::WorkerId;
use super::limits::TaskLimits;
use super::refusal::TaskRefusal;
use super::state::{TaskError, TaskState};
use super::task::Task;
use crate::continuation::InputKey;
use crate::fault::ErrorCode;
use crate::limit::Limit;
use crate::time::Timestamp;

/// What the client of a task reads whose worker is gone.
pub const WORKER_LOST: &str = "the server process that ran this task stopped before the task ended; its work was lost \
     and is not resumed, and what it had already done is neither undone nor repeated; check what was done, then start \
     a new task by sending the request again";

/// The status message of a task that its client called off.
pub const WORK_CANCELLED: &str = "cancelled at the request of the client";

impl Task {
    /// Decides what `event` makes of the task. What the extension says to ignore is a decision that changes nothing.
    ///
    /// # Errors
    ///
    /// [`TaskRefusal`] when the event cannot happen: the worker's events once the task has ended, every event but
    /// [`Expired`](TaskEvent::Expired) once the lifetime is over, and what is over `limits`.
    pub fn decide(
        &self,
        event: TaskEvent,
        limits: &TaskLimits,
        now: Timestamp,
    ) -> Result<Decision, TaskRefusal> {
        if self.is_expired(now) {
            return if event == TaskEvent::Expired { Ok(self.removed()) } else { Err(TaskRefusal::Expired) };
        }
        match event {
            TaskEvent::InputRequested { questions } => self.live()?.input_requested(questions, limits, now),
            TaskEvent::InputWithdrawn { keys } => Ok(self.live()?.input_withdrawn(&keys, now)),
            TaskEvent::InputSupplied { answers } => Ok(self.input_supplied(answers, now)),
            TaskEvent::InputTaken => Ok(self.live()?.input_taken()),
            TaskEvent::Reported { message } => self.live()?.reported(message, limits, now),
            TaskEvent::Finished { result } => Ok(self.live()?.finished(result, limits, now)),
            TaskEvent::Broke { error } => Ok(self.live()?.broke(error, limits, now)),
            TaskEvent::CancelRequested => Ok(self.cancel_requested(now)),
            TaskEvent::LeaseRenewed { worker, until } => self.live()?.lease_renewed(&worker, until),
            TaskEvent::LeaseRanOut => Ok(self.worker_lost(self.lease.has_run_out(now), now)),
            TaskEvent::WorkerLost { worker } => Ok(self.worker_lost(self.lease.worker == worker, now)),
            TaskEvent::Expired => Ok(Decision::ignored()),
        }
    }

    /// The task, if something can still happen to it.
    fn live(&self) -> Result<&Self, TaskRefusal> {
        match self.status() {
            status if status.is_ended() => Err(TaskRefusal::Ended { status }),
            _ => Ok(self),
        }
    }

    /// The questions that still want an answer.
    pub fn asked(&self) -> &[KeyedQuestion] {
        match &self.state {
            TaskState::InputRequired { asked } => asked,
            TaskState::Working
            | TaskState::Completed { .. }
            | TaskState::Failed { .. }
            | TaskState::Cancelled => &[],
        }
    }

    /// A key is never used for two questions in a task's lifetime, so that a late answer cannot meet the wrong one.
    fn input_requested(
        &self,
        questions: Vec<KeyedQuestion>,
        limits: &TaskLimits,
        now: Timestamp,
    ) -> Result<Decision, TaskRefusal> {
        if questions.is_empty() {
            return Ok(Decision::ignored());
        }
        if self.used_keys.len().saturating_add(questions.len()) > limits.questions {
            return Err(TaskRefusal::TooManyQuestions { limit: limits.questions });
        }
        let mut next = self.clone();
        let mut asked = self.asked().to_vec();
        let mut assignments = Vec::with_capacity(questions.len());
        for KeyedQuestion { key: wished, request } in questions {
            within("question", request.as_str().len(), limits.question_bytes, Limit::TaskQuestionBytes)?;
            let assigned = first_free(&wished, &next.used_keys)
                .ok_or(TaskRefusal::TooManyQuestions { limit: limits.questions })?;
            next.used_keys.insert(assigned.clone());
            asked.push(KeyedQuestion { key: assigned.clone(), request });
            assignments.push(KeyAssignment { wished, assigned });
        }
        next.state = TaskState::InputRequired { asked };
        Ok(self.shown(next, [TaskEffect::AssignKeys(assignments)], now))
    }

    fn input_withdrawn(&self, keys: &[InputKey], now: Timestamp) -> Decision {
        let kept: Vec<KeyedQuestion> =
            self.asked().iter().filter(|question| !keys.contains(&question.key)).cloned().collect();
        if kept.len() == self.asked().len() {
            return Decision::ignored();
        }
        self.shown(Self { state: waiting_for(kept), ..self.clone() }, [], now)
    }

    /// Only answers to open questions count; answers to keys that were never given out or were answered before are
    /// ignored, as the extension asks under "Task Update Requests".
    fn input_supplied(&self, answers: Vec<KeyedAnswer>, now: Timestamp) -> Decision {
        let mut open = self.asked().to_vec();
        let mut accepted = self.untaken.clone();
        for answer in answers {
            if let Some(place) = open.iter().position(|question| question.key == answer.key) {
                open.remove(place);
                accepted.push(answer);
            }
        }
        if open.len() == self.asked().len() {
            return Decision::ignored();
        }
        let next = Self { state: waiting_for(open), untaken: accepted, ..self.clone() };
        self.shown(next, [TaskEffect::WakeWorker], now)
    }

    /// The answers leave the record before the worker sees them, so that nobody can hand them over again.
    fn input_taken(&self) -> Decision {
        if self.untaken.is_empty() {
            return Decision::ignored();
        }
        let next = Self { untaken: Vec::new(), ..self.clone() };
        // No client can see this, so the task counts as unchanged for them.
        self.replaced(next, Vec::from([TaskEffect::DeliverInput(self.untaken.clone())]))
    }

    fn reported(
        &self,
        message: String,
        limits: &TaskLimits,
        now: Timestamp,
    ) -> Result<Decision, TaskRefusal> {
        within("status message", message.len(), limits.message_bytes, Limit::TaskMessageBytes)?;
        if self.status_message.as_ref() == Some(&message) {
            return Ok(Decision::ignored());
        }
        Ok(self.shown(Self { status_message: Some(message), ..self.clone() }, [], now))
    }

    fn finished(&self, result: JsonObject, limits: &TaskLimits, now: Timestamp) -> Decision {
        let state = match within("result", result.as_str().len(), limits.result_bytes, Limit::TaskResultBytes)
        {
            Ok(()) => TaskState::Completed { result },
            Err(refusal) => TaskState::Failed { error: too_long(refusal) },
        };
        self.ended(state, None, [], now)
    }

    fn broke(&self, error: TaskError, limits: &TaskLimits, now: Timestamp) -> Decision {
        let error = match within("error", error.bytes(), limits.result_bytes, Limit::TaskResultBytes) {
            Ok(()) => error,
            Err(refusal) => too_long(refusal),
        };
        self.ended(TaskState::Failed { error }, None, [], now)
    }

    /// Cancelling again, or cancelling what has ended, is acknowledged and changes nothing.
    fn cancel_requested(&self, now: Timestamp) -> Decision {
        if self.status().is_ended() {
            return Decision::ignored();
        }
        let message = Some(String::from(WORK_CANCELLED));
        self.ended(TaskState::Cancelled, message, [TaskEffect::StopWork], now)
    }

    /// A lease is never shortened, so a renewal that arrives late or after the clock stepped back does no harm.
    fn lease_renewed(&self, worker: &WorkerId, until: Timestamp) -> Result<Decision, TaskRefusal> {
        if self.lease.worker != *worker {
            return Err(TaskRefusal::OtherWorker);
        }
        if until <= self.lease.until {
            return Ok(Decision::ignored());
        }
        let mut next = self.clone();
        next.lease.until = until;
        // The deadline is told even where the end of the lifetime comes first and it stays the same: a stored change
        // without an effect would look as if nothing had happened.
        let wake = next.next_deadline().map(TaskEffect::WakeAt);
        Ok(Decision { next: Next::Replace(Box::new(next)), effects: wake.into_iter().collect() })
    }

    /// Nobody else takes the work up: it could do for a second time what it has done already.
    fn worker_lost(&self, is_lost: bool, now: Timestamp) -> Decision {
        if !is_lost || self.status().is_ended() {
            return Decision::ignored();
        }
        let error = TaskError { code: ErrorCode::INTERNAL, message: String::from(WORKER_LOST), data: None };
        // The worker may live after all, cut off or paused; then it is to stop.
        self.ended(TaskState::Failed { error }, None, [TaskEffect::StopWork], now)
    }

    fn removed(&self) -> Decision {
        let effects = if self.status().is_ended() { Vec::new() } else { Vec::from([TaskEffect::StopWork]) };
        Decision { next: Next::Remove, effects }
    }

    /// What only a living task needs is dropped, and with it every way to change the task.
    fn ended<const N: usize>(
        &self,
        state: TaskState,
        status_message: Option<String>,
        effects: [TaskEffect; N],
        now: Timestamp,
    ) -> Decision {
        let mut next = Self { state, status_message, ..self.clone() };
        next.used_keys.clear();
        next.untaken.clear();
        self.shown(next, effects, now)
    }

    /// A change that clients can see.
    fn shown<const N: usize>(&self, mut next: Self, effects: [TaskEffect; N], now: Timestamp) -> Decision {
        // The clock may have stepped back; a change is never older than the one before it.
        next.updated = self.updated.max(now);
        let mut all = Vec::with_capacity(N + 2);
        all.push(TaskEffect::Publish);
        all.extend(effects);
        self.replaced(next, all)
    }

    fn replaced(&self, next: Self, mut effects: Vec<TaskEffect>) -> Decision {
        if next.next_deadline() != self.next_deadline() {
            effects.extend(next.next_deadline().map(TaskEffect::WakeAt));
        }
        Decision { next: Next::Replace(Box::new(next)), effects }
    }
}

/// The state of a task that waits for answers to these questions, or to none.
fn waiting_for(asked: Vec<KeyedQuestion>) -> TaskState {
    if asked.is_empty() { TaskState::Working } else { TaskState::InputRequired { asked } }
}

fn within(what: &'static str, bytes: usize, limit: usize, name: Limit) -> Result<(), TaskRefusal> {
    if bytes <= limit { Ok(()) } else { Err(TaskRefusal::TooLong { what, name, bytes, limit }) }
}

fn too_long(refusal: TaskRefusal) -> TaskError {
    let message = format!("{refusal}; ask for less, or raise the limit");
    TaskError { code: ErrorCode::INTERNAL, message, data: None }
}
