//! Tasks and events to try.

use core::time::Duration;

use pm_mcp_domain::continuation::InputKey;
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{
    Decision, JsonObject, KeyedAnswer, KeyedQuestion, Lease, Lifetime, NewTask, Next, Operation, RawJson,
    Task, TaskError, TaskEvent, TaskId, TaskLimits, TaskRefusal, WorkerId,
};
use pm_mcp_domain::time::{TimeToLive, Timestamp};

/// When tasks are created here, and how long they and their first lease last.
pub(crate) const CREATED: i64 = 1_785_231_000_000;
pub(crate) const LIFETIME: i64 = 60_000;
pub(crate) const LEASE: i64 = 10_000;

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(CREATED + ms)
}

pub(crate) fn ann() -> Principal {
    Principal::local("ann")
}

pub(crate) fn worker(number: u8) -> WorkerId {
    WorkerId::from_random(&[number; 16])
}

pub(crate) fn key(text: &str) -> InputKey {
    InputKey::parse(text).unwrap()
}

pub(crate) fn object(text: &str) -> JsonObject {
    JsonObject::parse(text).unwrap()
}

pub(crate) fn question(name: &str) -> KeyedQuestion {
    KeyedQuestion { key: key(name), request: object(r#"{"method":"roots/list"}"#) }
}

pub(crate) fn answer(name: &str) -> KeyedAnswer {
    KeyedAnswer { key: key(name), response: object(r#"{"roots":[]}"#) }
}

pub(crate) fn new_task() -> NewTask {
    NewTask {
        id: TaskId::from_random(&[7; 20]),
        principal: ann(),
        operation: Operation::call_tool("deploy", ["deploy:write".to_owned()]),
        lifetime: Lifetime::For(TimeToLive::from_ms(LIFETIME.unsigned_abs())),
        poll_interval: Duration::from_millis(500),
        status_message: Some("building".to_owned()),
        lease: Lease { worker: worker(1), until: at(LEASE) },
    }
}

pub(crate) fn task() -> Task {
    Task::create(new_task(), at(0))
}

pub(crate) fn ask(names: &[&str]) -> TaskEvent {
    TaskEvent::InputRequested { questions: names.iter().map(|name| question(name)).collect() }
}

pub(crate) fn supply(names: &[&str]) -> TaskEvent {
    TaskEvent::InputSupplied { answers: names.iter().map(|name| answer(name)).collect() }
}

pub(crate) fn withdraw(names: &[&str]) -> TaskEvent {
    TaskEvent::InputWithdrawn { keys: names.iter().map(|name| key(name)).collect() }
}

pub(crate) fn report(message: &str) -> TaskEvent {
    TaskEvent::Reported { message: message.to_owned() }
}

pub(crate) fn finish() -> TaskEvent {
    TaskEvent::Finished { result: object(r#"{"content":[{"type":"text","text":"done"}],"isError":true}"#) }
}

pub(crate) fn error() -> TaskError {
    TaskError {
        code: ErrorCode::INTERNAL,
        message: "no such region".to_owned(),
        data: Some(RawJson::parse("null").unwrap()),
    }
}

pub(crate) fn broke() -> TaskEvent {
    TaskEvent::Broke { error: error() }
}

pub(crate) fn renew(number: u8, until: i64) -> TaskEvent {
    TaskEvent::LeaseRenewed { worker: worker(number), until: at(until) }
}

pub(crate) fn lost(number: u8) -> TaskEvent {
    TaskEvent::WorkerLost { worker: worker(number) }
}

pub(crate) fn decide(task: &Task, event: TaskEvent, now: i64) -> Result<Decision, TaskRefusal> {
    task.decide(event, &TaskLimits::default(), at(now))
}

/// The task that an event leaves behind.
pub(crate) fn after(task: &Task, event: TaskEvent, now: i64) -> Task {
    match decide(task, event, now).unwrap().next {
        Next::Unchanged => task.clone(),
        Next::Replace(next) => *next,
        Next::Remove => panic!("the task was removed"),
    }
}

/// A task in each state, by the state's name. The two that live have an answer that the worker has not taken.
pub(crate) fn in_every_state() -> [(&'static str, Task); 5] {
    let working = after(&after(&task(), ask(&["name"]), 1_000), supply(&["name"]), 2_000);
    let asking = after(&after(&task(), ask(&["name", "size"]), 1_000), supply(&["size"]), 2_000);
    [
        ("completed", after(&working, finish(), 3_000)),
        ("failed", after(&working, broke(), 3_000)),
        ("cancelled", after(&working, TaskEvent::CancelRequested, 3_000)),
        ("working", working),
        ("input_required", asking),
    ]
}
