//! Normal form of one metadata value.

use serde_json::{Map, Value};

use super::{dialect::Dialect, keys, records};
use crate::{collation::collate, schema::Statuses};

/// What normal form depends on besides the item.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) statuses: &'a Statuses,
    pub(crate) dialect: Dialect,
}

impl Rules<'_> {
    /// The normal form of one metadata value; `None` if normal form leaves it out.
    pub(crate) fn normal(&self, key: &str, value: &Value) -> Option<Value> {
        match key {
            "id" | "title" | "description" | "type" | "priority" | "created_at" | "updated_at"
            | "estimated_minutes" | "order" | "regression" => Some(value.clone()),
            "tags" => Some(tags(value)),
            "status" => Some(self.status(value)),
            "pm_format_version" => (value.as_u64() != Some(1) && !value.is_null()).then(|| value.clone()),
            "deadline" | "closed_at" | "completed_at" | "author" | "close_reason" => {
                (!is_empty(value)).then(|| value.clone())
            }
            "acceptance_criteria" | "design" | "external_ref" | "risk" | "duplicate_of" => {
                (!value.is_null()).then(|| value.clone())
            }
            "confidence" | "severity" => level(key, value),
            "type_options" => type_options(value),
            "dependencies" => filled(value, |list| records::dependencies(list, self.dialect)),
            "comments" | "notes" | "learnings" => filled(value, records::logs),
            "reminders" => filled(value, records::reminders),
            "events" => filled(value, records::events),
            "files" => filled(value, records::files),
            "docs" => filled(value, records::docs),
            "tests" => filled(value, |list| records::tests(list, self.dialect)),
            "test_runs" => filled(value, |list| records::test_runs(list, self.dialect)),
            "plan_steps" => filled(value, records::plan_steps),
            "plan_decisions" | "plan_discoveries" | "plan_validation" => filled(value, <[Value]>::to_vec),
            trimmed if keys::TRIMMED.contains(&trimmed) => text(value),
            _unknown => Some(value.clone()),
        }
    }

    /// Whether a field's normal form differs between dialects.
    pub(crate) fn depends_on_dialect(key: &str) -> bool {
        matches!(key, "dependencies" | "tests" | "test_runs")
    }

    fn status(&self, value: &Value) -> Value {
        match value.as_str().and_then(|status| self.statuses.canonical(status)) {
            Some(id) => Value::String(id.to_owned()),
            None => value.clone(),
        }
    }
}

/// Whether a value counts as unset: null, empty text, empty list, empty map.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Trims what JavaScript's `trim` trims, which differs from Rust's by two characters.
pub(super) fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_blank)
}

pub(super) fn is_js_blank(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

fn tags(value: &Value) -> Value {
    let Value::Array(list) = value else { return value.clone() };
    let mut tags: Vec<String> = list
        .iter()
        .filter_map(Value::as_str)
        .map(|tag| js_trim(tag).to_lowercase())
        .filter(|t| !t.is_empty())
        .collect();
    tags.sort_by(|a, b| collate(a, b));
    tags.dedup();
    Value::Array(tags.into_iter().map(Value::String).collect())
}

fn text(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => {
            let trimmed = js_trim(text);
            (!trimmed.is_empty()).then(|| Value::String(trimmed.to_owned()))
        }
        other => (!other.is_null()).then(|| other.clone()),
    }
}

fn level(key: &str, value: &Value) -> Option<Value> {
    let word = match value {
        Value::String(word) => js_trim(word).to_lowercase(),
        Value::Number(_) => return Some(value.clone()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    match (key, word.as_str()) {
        (_, "med" | "medium") => Some(Value::String("medium".to_owned())),
        (_, "low" | "high") | ("severity", "critical") => Some(Value::String(word)),
        _ => None,
    }
}

fn type_options(value: &Value) -> Option<Value> {
    let Value::Object(options) = value else { return (!value.is_null()).then(|| value.clone()) };
    let mut kept: Vec<(String, Value)> = options
        .iter()
        .filter_map(|(key, value)| Some((js_trim(key).to_owned(), text(value)?)))
        .filter(|(key, _)| !key.is_empty())
        .collect();
    kept.sort_by(|(a, _), (b, _)| collate(a, b));
    (!kept.is_empty()).then(|| Value::Object(kept.into_iter().collect::<Map<_, _>>()))
}

fn filled(value: &Value, normal: impl Fn(&[Value]) -> Vec<Value>) -> Option<Value> {
    let Value::Array(list) = value else { return (!is_empty(value)).then(|| value.clone()) };
    let list = normal(list);
    (!list.is_empty()).then_some(Value::Array(list))
}
