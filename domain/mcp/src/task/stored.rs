//! Format 1 of the stored form: one JSON object.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use super::id::TaskId;
use super::json::{JsonObject, RawJson};
use super::key::{KeyedAnswer, KeyedQuestion};
use super::lease::{Lease, WorkerId};
use super::lifetime::Lifetime;
use super::operation::Operation;
use super::record::TaskRecord;
use super::state::{TaskError, TaskState};
use super::task::Task;
use crate::continuation::InputKey;
use crate::fault::ErrorCode;
use crate::ident::Principal;
use crate::request::Method;
use crate::time::{TimeToLive, Timestamp};

/// A task in format 1. Instants are milliseconds since the Unix epoch, spans are milliseconds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredTask {
    pub(super) format: u32,
    id: String,
    principal: String,
    method: String,
    name: String,
    scopes: Vec<String>,
    created_ms: i64,
    updated_ms: i64,
    /// Null for an unlimited lifetime.
    lifetime_ms: Option<u64>,
    poll_interval_ms: u64,
    message: Option<String>,
    worker: String,
    lease_until_ms: i64,
    used_keys: Vec<String>,
    untaken: Vec<StoredInput>,
    state: StoredState,
}

/// Tagged from outside, because only then JSON inside comes back letter for letter.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum StoredState {
    Working,
    InputRequired {
        asked: Vec<StoredInput>,
    },
    Completed {
        result: JsonObject,
    },
    Failed {
        code: i64,
        message: String,
        /// Left out for no data; null is data.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        data: Option<RawJson>,
    },
    Cancelled,
}

/// A question or an answer.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredInput {
    key: String,
    json: JsonObject,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawJson>, D::Error> {
    RawJson::deserialize(deserializer).map(Some)
}

impl StoredTask {
    pub(super) fn of(task: &Task) -> Self {
        Self {
            format: TaskRecord::FORMAT,
            id: task.id.to_string(),
            principal: task.principal.to_string(),
            method: task.operation.method.as_str().to_string(),
            name: task.operation.name.clone(),
            scopes: task.operation.scopes.clone(),
            created_ms: task.created.as_unix_ms(),
            updated_ms: task.updated.as_unix_ms(),
            lifetime_ms: match task.lifetime {
                Lifetime::For(ttl) => Some(ttl.as_ms()),
                Lifetime::Unlimited => None,
            },
            poll_interval_ms: u64::try_from(task.poll_interval.as_millis()).unwrap_or(u64::MAX),
            message: task.status_message.clone(),
            worker: task.lease.worker.to_string(),
            lease_until_ms: task.lease.until.as_unix_ms(),
            used_keys: task.used_keys.iter().map(InputKey::to_string).collect(),
            untaken: task
                .untaken
                .iter()
                .map(|answer| StoredInput { key: answer.key.to_string(), json: answer.response.clone() })
                .collect(),
            state: StoredState::of(&task.state),
        }
    }

    /// Neither maps with odd keys nor foreign types are inside, so writing cannot fail.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// `None` when a value is not one that a task can have.
    pub(super) fn into_task(self) -> Option<Task> {
        Some(Task {
            id: TaskId::parse(&self.id)?,
            principal: Principal::from_stored(&self.principal),
            operation: Operation {
                method: Method::parse(&self.method)?,
                name: self.name,
                scopes: self.scopes,
            },
            created: Timestamp::from_unix_ms(self.created_ms),
            updated: Timestamp::from_unix_ms(self.updated_ms),
            lifetime: match self.lifetime_ms {
                Some(0) => return None,
                Some(ms) => Lifetime::For(TimeToLive::from_ms(ms)),
                None => Lifetime::Unlimited,
            },
            poll_interval: Duration::from_millis(self.poll_interval_ms),
            status_message: self.message,
            lease: Lease {
                worker: WorkerId::parse(&self.worker)?,
                until: Timestamp::from_unix_ms(self.lease_until_ms),
            },
            used_keys: self
                .used_keys
                .iter()
                .map(|key| InputKey::parse(key).ok())
                .collect::<Option<BTreeSet<InputKey>>>()?,
            untaken: self
                .untaken
                .into_iter()
                .map(|input| {
                    Some(KeyedAnswer { key: InputKey::parse(&input.key).ok()?, response: input.json })
                })
                .collect::<Option<Vec<_>>>()?,
            state: self.state.into_state()?,
        })
    }
}

impl StoredState {
    fn of(state: &TaskState) -> Self {
        match state {
            TaskState::Working => Self::Working,
            TaskState::InputRequired { asked } => Self::InputRequired {
                asked: asked
                    .iter()
                    .map(|question| StoredInput {
                        key: question.key.to_string(),
                        json: question.request.clone(),
                    })
                    .collect(),
            },
            TaskState::Completed { result } => Self::Completed { result: result.clone() },
            TaskState::Failed { error: TaskError { code, message, data } } => {
                Self::Failed { code: code.0, message: message.clone(), data: data.clone() }
            }
            TaskState::Cancelled => Self::Cancelled,
        }
    }

    fn into_state(self) -> Option<TaskState> {
        Some(match self {
            Self::Working => TaskState::Working,
            Self::InputRequired { asked } if asked.is_empty() => return None,
            Self::InputRequired { asked } => TaskState::InputRequired {
                asked: asked
                    .into_iter()
                    .map(|input| {
                        Some(KeyedQuestion { key: InputKey::parse(&input.key).ok()?, request: input.json })
                    })
                    .collect::<Option<Vec<_>>>()?,
            },
            Self::Completed { result } => TaskState::Completed { result },
            Self::Failed { code, message, data } => {
                TaskState::Failed { error: TaskError { code: ErrorCode(code), message, data } }
            }
            Self::Cancelled => TaskState::Cancelled,
        })
    }
}
