//! How a change travels: JSON of this adapter's own.

use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::{Change, TaskState};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What one member tells the others. A kind that a version does not know cannot be read by it, and counts as a gap.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Told<'a> {
    /// Changes were lost on the way out.
    Gap,
    Tools,
    Prompts,
    Resources,
    Resource(String),
    Task {
        id: String,
        principal: String,
        #[serde(borrow)]
        state: &'a RawValue,
    },
}

/// What a member has to tell.
#[derive(Clone, Debug)]
pub(crate) enum News {
    Change(Change),
    /// The member has lost changes before they were sent.
    Gap,
}

/// The change as text. It holds no NUL, which the database would refuse: JSON escapes it.
pub(crate) fn encode(change: &Change) -> Result<String, serde_json::Error> {
    let state;
    let told = match change {
        Change::ToolsListChanged => Told::Tools,
        Change::PromptsListChanged => Told::Prompts,
        Change::ResourcesListChanged => Told::Resources,
        Change::ResourceUpdated { uri } => Told::Resource(uri.to_string()),
        Change::TaskChanged { task, principal, state: told } => {
            state = told.as_json();
            Told::Task {
                id: task.to_string(),
                principal: principal.as_str().to_owned(),
                state: serde_json::from_str(state)?,
            }
        }
    };
    serde_json::to_string(&told)
}

/// That changes were lost, as text.
pub(crate) fn encode_gap() -> String {
    "\"gap\"".to_owned()
}

/// What was told; `None` when this version cannot read it.
pub(crate) fn decode(text: &str) -> Option<News> {
    Some(News::Change(match serde_json::from_str(text).ok()? {
        Told::Gap => return Some(News::Gap),
        Told::Tools => Change::ToolsListChanged,
        Told::Prompts => Change::PromptsListChanged,
        Told::Resources => Change::ResourcesListChanged,
        Told::Resource(uri) => Change::ResourceUpdated { uri: uri.into() },
        Told::Task { id, principal, state } => Change::TaskChanged {
            task: Arc::from(id),
            principal: Principal::from_stored(&principal),
            state: TaskState::new(state.to_owned()).ok()?,
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_travels_has_one_form() {
        let task = Change::TaskChanged {
            task: Arc::from("t-1"),
            principal: Principal::from_stored("a\0b"),
            state: TaskState::try_from(r#"{"status":"working"}"#).unwrap(),
        };
        for (change, text) in [
            (Change::ToolsListChanged, r#""tools""#),
            (Change::ResourceUpdated { uri: "a\0b".into() }, r#"{"resource":"a\u0000b"}"#),
            (task, r#"{"task":{"id":"t-1","principal":"a\u0000b","state":{"status":"working"}}}"#),
        ] {
            assert_eq!(encode(&change).unwrap(), text);
            let Some(News::Change(back)) = decode(text) else { panic!("{text} is not read") };
            assert_eq!(format!("{back:?}"), format!("{change:?}"));
        }
        assert!(matches!(decode(&encode_gap()), Some(News::Gap)));
    }

    #[test]
    fn what_another_version_says_is_not_guessed_at() {
        for text in
            ["", "\"weather\"", r#"{"task":{"id":"t"}}"#, r#"{"task":{"id":"t","principal":"p","state":1}}"#]
        {
            assert!(decode(text).is_none(), "{text}");
        }
    }
}
