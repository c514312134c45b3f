//! Tasks on the wire ([Tasks extension](https://modelcontextprotocol.io/extensions/tasks/overview)).

use alloc::string::ToString;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::result::ResultBody;
use crate::task::{JsonObject, KeyedQuestion, Lifetime, NotJson, RawJson, Task, TaskError, TaskState};

/// The identifier of the extension.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// The members of a `CreateTaskResult`, which hands out a task in place of a result. Its `resultType` is `task`, and it
/// says nothing of questions, results and errors.
#[derive(Clone, Copy, Debug)]
pub struct CreatedTask<'a>(pub &'a Task);

impl ResultBody for CreatedTask<'_> {
    const RESULT_TYPE: &'static str = "task";

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_task(self.0, map)
    }
}

/// The members of a `DetailedTask`: the task with all that its status brings along. It is the result of `tasks/get`,
/// with the `resultType` `complete`, and serialised by itself the parameters of `notifications/tasks`.
#[derive(Clone, Copy, Debug)]
pub struct DetailedTask<'a>(pub &'a Task);

impl ResultBody for DetailedTask<'_> {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_task(self.0, map)?;
        match self.0.state() {
            TaskState::Working | TaskState::Cancelled => Ok(()),
            TaskState::InputRequired { asked } => map.serialize_entry("inputRequests", &InputRequests(asked)),
            TaskState::Completed { result } => map.serialize_entry("result", result),
            TaskState::Failed { error } => map.serialize_entry("error", &WireError(error)),
        }
    }
}

impl Serialize for DetailedTask<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.write(&mut map)?;
        map.end()
    }
}

/// The result of `tasks/update` and `tasks/cancel`: an acknowledgement without members of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Acknowledgement;

impl ResultBody for Acknowledgement {
    fn write<M: SerializeMap>(&self, _map: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

/// The result of an operation as a task keeps it: the members that the operation's own response would have, without the
/// server's identity, which is that of whoever answers `tasks/get`.
///
/// # Errors
///
/// [`NotJson`] when a member cannot be written as JSON.
pub fn task_result(body: &impl ResultBody) -> Result<JsonObject, NotJson> {
    RawJson::of(&Outcome(body)).and_then(JsonObject::new)
}

struct Outcome<'a, B>(&'a B);

impl<B: ResultBody> Serialize for Outcome<'_, B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("resultType", B::RESULT_TYPE)?;
        self.0.write(&mut map)?;
        map.end()
    }
}

fn write_task<M: SerializeMap>(task: &Task, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("taskId", task.id().as_str())?;
    map.serialize_entry("status", task.status().as_str())?;
    if let Some(message) = task.status_message() {
        map.serialize_entry("statusMessage", message)?;
    }
    map.serialize_entry("createdAt", &task.created().to_string())?;
    map.serialize_entry("lastUpdatedAt", &task.updated().to_string())?;
    let ttl = match task.lifetime() {
        Lifetime::For(ttl) => Some(ttl.as_ms()),
        Lifetime::Unlimited => None,
    };
    map.serialize_entry("ttlMs", &ttl)?;
    map.serialize_entry(
        "pollIntervalMs",
        &u64::try_from(task.poll_interval().as_millis()).unwrap_or(u64::MAX),
    )
}

struct InputRequests<'a>(&'a [KeyedQuestion]);

impl Serialize for InputRequests<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|question| (question.key.as_str(), &question.request)))
    }
}

struct WireError<'a>(&'a TaskError);

impl Serialize for WireError<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TaskError { code, message, data } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", code)?;
        map.serialize_entry("message", message)?;
        if let Some(data) = data {
            map.serialize_entry::<_, RawJson>("data", data)?;
        }
        map.end()
    }
}
