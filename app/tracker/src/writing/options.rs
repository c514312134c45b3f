//! Arguments of changes, as callers write them, and what they mean.

use pm_tracker_domain::change::{Change, Closing, Edge, FieldEdits, NewItem};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// An edge: an id, or an id with a kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum EdgeOption {
    Id(String),
    Full { id: String, kind: Option<String> },
}

impl From<EdgeOption> for Edge {
    fn from(option: EdgeOption) -> Self {
        match option {
            EdgeOption::Id(id) => Self { id, kind: None },
            EdgeOption::Full { id, kind } => Self { id, kind },
        }
    }
}

/// What a new item is made of.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct CreateOptions {
    title: String,
    #[serde(rename = "type")]
    type_name: Option<String>,
    description: Option<String>,
    body: Option<String>,
    priority: Option<u8>,
    tags: Option<Vec<String>>,
    pub(crate) parent: Option<String>,
    acceptance_criteria: Option<String>,
    deadline: Option<String>,
    estimated_minutes: Option<u64>,
    dependencies: Vec<EdgeOption>,
    fields: Map<String, Value>,
    allow_duplicate: bool,
}

impl CreateOptions {
    pub(crate) fn into_change(self) -> Result<Change, Failure> {
        let mut fields = self.fields;
        let named: [(&str, Option<Value>); 7] = [
            ("description", self.description.map(Value::from)),
            ("priority", self.priority.map(Value::from)),
            ("tags", self.tags.map(Value::from)),
            ("parent", self.parent.map(Value::from)),
            ("acceptance_criteria", self.acceptance_criteria.map(Value::from)),
            ("deadline", self.deadline.map(Value::from)),
            ("estimated_minutes", self.estimated_minutes.map(Value::from)),
        ];
        for (key, value) in named {
            if let Some(value) = value
                && fields.insert(key.to_owned(), value).is_some()
            {
                return Err(Failure::argument("fields", format!("`{key}` is given twice")));
            }
        }
        for own in ["title", "type", "body"] {
            if fields.contains_key(own) {
                return Err(Failure::argument("fields", format!("`{own}` is an argument of its own")));
            }
        }
        Ok(Change::Create(Box::new(NewItem {
            title: self.title,
            type_name: self.type_name,
            fields,
            body: self.body.unwrap_or_default(),
            dependencies: self.dependencies.into_iter().map(Into::into).collect(),
            allow_duplicate: self.allow_duplicate,
        })))
    }
}

/// What is to be different.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct UpdateOptions {
    set: Map<String, Value>,
    unset: Vec<String>,
    add_tags: Vec<String>,
    remove_tags: Vec<String>,
    add_dependencies: Vec<EdgeOption>,
    remove_dependencies: Vec<EdgeOption>,
    status: Option<String>,
    body: Option<String>,
    append_body: Option<String>,
    if_version: Option<usize>,
}

impl UpdateOptions {
    pub(crate) fn into_change(self) -> Change {
        Change::Update(Box::new(FieldEdits {
            set: self.set,
            unset: self.unset,
            add_tags: self.add_tags,
            remove_tags: self.remove_tags,
            add_dependencies: self.add_dependencies.into_iter().map(Into::into).collect(),
            remove_dependencies: self.remove_dependencies.into_iter().map(Into::into).collect(),
            status: self.status,
            body: self.body,
            append_body: self.append_body,
            if_version: self.if_version,
        }))
    }
}

/// How an item is finished.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct CloseOptions {
    pub(crate) reason: Option<String>,
    resolution: Option<String>,
    expected_result: Option<String>,
    actual_result: Option<String>,
    duplicate_of: Option<String>,
    completed_at: Option<String>,
}

impl CloseOptions {
    pub(crate) fn into_change(self) -> Change {
        Change::Close(Box::new(Closing {
            reason: self.reason,
            resolution: self.resolution,
            expected_result: self.expected_result,
            actual_result: self.actual_result,
            duplicate_of: self.duplicate_of,
            completed_at: self.completed_at,
        }))
    }
}

/// The options of reopening.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct ReopenOptions {
    pub(crate) status: Option<String>,
}

/// The options of restoring.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct RestoreOptions {
    pub(crate) version: Option<usize>,
}

/// The options of an operation that has none.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoOptions {}
