//! What happened.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use thiserror::Error;

use super::topic::Topic;
use crate::ident::Principal;

/// Something happened that a subscription may have asked for.
#[derive(Clone, Debug)]
pub enum Change {
    /// Tools came, went or changed.
    ToolsListChanged,
    /// Prompts came, went or changed.
    PromptsListChanged,
    /// Resources came, went or changed.
    ResourcesListChanged,
    /// The content of one resource changed.
    ResourceUpdated {
        /// Its URI, spelled as it is listed.
        uri: Arc<str>,
    },
    /// A task reached another state.
    TaskChanged {
        /// The task's id.
        task: Arc<str>,
        /// Whose task it is; nobody else hears of it.
        principal: Principal,
        /// What `tasks/get` would answer at this moment.
        state: TaskState,
    },
}

impl Change {
    /// What the change is about.
    pub fn topic(&self) -> Topic {
        match self {
            Self::ToolsListChanged => Topic::Tools,
            Self::PromptsListChanged => Topic::Prompts,
            Self::ResourcesListChanged => Topic::Resources,
            Self::ResourceUpdated { uri } => Topic::Resource(Arc::clone(uri)),
            Self::TaskChanged { task, .. } => Topic::Task(Arc::clone(task)),
        }
    }

    /// Whether `principal` may hear of the change.
    pub fn concerns(&self, principal: &Principal) -> bool {
        match self {
            Self::ToolsListChanged
            | Self::PromptsListChanged
            | Self::ResourcesListChanged
            | Self::ResourceUpdated { .. } => true,
            Self::TaskChanged { principal: owner, .. } => owner == principal,
        }
    }
}

/// The whole state of a task, serialised: a JSON object on one line, without `_meta`.
#[derive(Clone, Debug)]
pub struct TaskState(Box<RawValue>);

impl TaskState {
    /// Takes a serialised `DetailedTask`
    /// ([Tasks](https://modelcontextprotocol.io/extensions/tasks/overview)).
    ///
    /// # Errors
    ///
    /// When it is no object, or has a `_meta` of its own: that member says on which stream the state travels.
    pub fn new(json: Box<RawValue>) -> Result<Self, TaskStateError> {
        let Members { meta } = serde_json::from_str(json.get()).map_err(|_| TaskStateError::NotAnObject)?;
        if meta {
            return Err(TaskStateError::Meta);
        }
        if !json.get().contains(['\n', '\r']) {
            return Ok(Self(json));
        }
        // Inside strings JSON escapes line breaks, so that these only stand between tokens.
        let line: String = json.get().replace(['\n', '\r'], " ");
        RawValue::from_string(line).map(Self).map_err(|_| TaskStateError::NotAnObject)
    }

    /// The state as JSON text, an object on one line; what carries a change to another process sends it.
    pub fn as_json(&self) -> &str {
        self.0.get()
    }

    /// The members' JSON text, without the braces around them.
    pub(super) fn members(&self) -> &str {
        let text = self.0.get();
        text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text).trim_ascii()
    }
}

/// A text is not the state of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TaskStateError {
    /// It is no JSON object.
    #[error("the state of a task must be a JSON object")]
    NotAnObject,
    /// It has a member `_meta`.
    #[error("the state of a task must not have a member `_meta`; the stream that carries it sets one")]
    Meta,
}

/// What is asked of an object's member names.
struct Members {
    meta: bool,
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut meta = false;
                while let Some((name, _)) = map.next_entry::<String, IgnoredAny>()? {
                    meta |= name == "_meta";
                }
                Ok(Members { meta })
            }
        }
        deserializer.deserialize_map(Names)
    }
}

impl TryFrom<&str> for TaskState {
    type Error = TaskStateError;

    /// Takes the JSON text of a task's state.
    fn try_from(json: &str) -> Result<Self, TaskStateError> {
        let raw = RawValue::from_string(json.to_owned()).map_err(|_| TaskStateError::NotAnObject)?;
        Self::new(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_without_meta_are_states_of_tasks() {
        for (json, wanted) in [
            ("{}", Ok("")),
            (r#"{"taskId":"t","status":"working"}"#, Ok(r#""taskId":"t","status":"working""#)),
            ("{\n  \"taskId\": \"t\\n\"\r\n}", Ok(r#""taskId": "t\n""#)),
            (r#"{"a":{"_meta":{}}}"#, Ok(r#""a":{"_meta":{}}"#)),
            (r#"{"_meta":{}}"#, Err(TaskStateError::Meta)),
            (r#"{"a":1,"\u005fmeta":1}"#, Err(TaskStateError::Meta)),
            ("[]", Err(TaskStateError::NotAnObject)),
            ("null", Err(TaskStateError::NotAnObject)),
            ("{", Err(TaskStateError::NotAnObject)),
        ] {
            let state = TaskState::try_from(json);
            assert_eq!(state.as_ref().map(TaskState::members), wanted.as_ref().copied(), "{json}");
        }
    }
}
