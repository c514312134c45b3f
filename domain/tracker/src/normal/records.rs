//! Normal form of the records inside list fields.

use serde_json::{Map, Number, Value};

use super::{
    dialect::Dialect,
    field::{is_empty, js_trim},
    keys, order,
};
use crate::collation::collate;

/// Copies a record with its known keys first and in order. Nulls of known keys, which old files held in the cells of
/// tables, are dropped; unknown keys are kept as they are.
fn arranged(record: &Map<String, Value>, known: &[&str]) -> Map<String, Value> {
    let mut out = Map::with_capacity(record.len());
    for &key in known {
        if let Some(value) = record.get(key).filter(|value| !value.is_null()) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    for (key, value) in record {
        if !known.contains(&key.as_str()) {
            out.insert(key.clone(), value.clone());
        }
    }
    out
}

fn each(list: &[Value], known: &[&str], change: impl Fn(&mut Map<String, Value>)) -> Vec<Value> {
    list.iter()
        .map(|element| match element {
            Value::Object(record) => {
                let mut record = arranged(record, known);
                change(&mut record);
                Value::Object(record)
            }
            other => other.clone(),
        })
        .collect()
}

fn drop_empty(record: &mut Map<String, Value>, fields: &[&str]) {
    record.retain(|key, value| !(fields.contains(&key.as_str()) && is_empty(value)));
}

fn trim(record: &mut Map<String, Value>, fields: &[&str]) {
    for &key in fields {
        if let Some(Value::String(text)) = record.get_mut(key)
            && js_trim(text).len() != text.len()
        {
            *text = js_trim(text).to_owned();
        }
    }
}

pub(super) fn dependencies(list: &[Value], dialect: Dialect) -> Vec<Value> {
    let mut out = each(list, &keys::DEPENDENCY, |record| {
        if let Some(Value::String(id)) = record.get_mut("id") {
            *id = match dialect {
                Dialect::KeptIdCase => js_trim(id).to_owned(),
                Dialect::SortedTests | Dialect::StoredTests | Dialect::KnownTestKeys => {
                    js_trim(id).to_lowercase()
                }
            };
        }
        drop_empty(record, &["author", "source_kind"]);
    });
    order::sort_by_time(&mut out, "created_at", &["id", "kind", "source_kind"]);
    out
}

pub(super) fn logs(list: &[Value]) -> Vec<Value> {
    let mut out = each(list, &keys::LOG, |_| {});
    order::sort_by_time(&mut out, "created_at", &["text", "author"]);
    out
}

pub(super) fn reminders(list: &[Value]) -> Vec<Value> {
    let mut out = each(list, &keys::REMINDER, |_| {});
    out.retain(|record| !js_trim(order::text(record, "text")).is_empty());
    order::sort_by_time(&mut out, "at", &["text"]);
    out
}

pub(super) fn files(list: &[Value]) -> Vec<Value> {
    each(list, &keys::LINK, |record| {
        if let Some(Value::String(path)) = record.get_mut("path")
            && path.contains('\\')
        {
            *path = path.replace('\\', "/");
        }
        trim(record, &["note"]);
        drop_empty(record, &["note"]);
    })
}

pub(super) fn docs(list: &[Value]) -> Vec<Value> {
    let mut out = files(list);
    order::sort_by_texts(&mut out, &["scope", "path", "note"]);
    out
}

pub(super) fn events(list: &[Value]) -> Vec<Value> {
    const TEXTS: [&str; 6] = ["start_at", "end_at", "title", "description", "location", "timezone"];
    let mut out = each(list, &keys::EVENT, |record| {
        trim(record, &TEXTS);
        drop_empty(record, &["end_at", "title", "description", "location", "timezone"]);
        if let Some(Value::Object(recurrence)) = record.get_mut("recurrence") {
            let mut arranged = arranged(recurrence, &keys::RECURRENCE);
            arranged.retain(|key, value| !(key == "interval" && value.as_f64() == Some(1.0)));
            for key in ["by_weekday", "by_month_day", "exdates"] {
                if let Some(Value::Array(list)) = arranged.get_mut(key) {
                    sort_unique(list);
                }
            }
            drop_empty(&mut arranged, &["by_weekday", "by_month_day", "exdates", "until"]);
            *recurrence = arranged;
        }
    });
    // Sorted by the least significant key first: the sort is stable.
    order::sort_by_texts(&mut out, &["timezone", "location", "description"]);
    out.sort_by_key(|event| event.get("all_day").and_then(Value::as_bool).unwrap_or(false));
    order::sort_by_texts(&mut out, &["title"]);
    order::sort_by_time(&mut out, "end_at", &[]);
    order::sort_by_time(&mut out, "start_at", &[]);
    out
}

pub(super) fn tests(list: &[Value], dialect: Dialect) -> Vec<Value> {
    const LISTS: [&str; 5] = [
        "env_clear",
        "assert_stdout_contains",
        "assert_stdout_regex",
        "assert_stderr_contains",
        "assert_stderr_regex",
    ];
    let mut out = each(list, &keys::TEST, |record| {
        trim(record, &["command", "path", "scope", "pm_context_mode", "note"]);
        for key in LISTS {
            if let Some(Value::Array(list)) = record.get_mut(key) {
                for entry in list.iter_mut() {
                    if let Value::String(text) = entry {
                        *text = js_trim(text).to_owned();
                    }
                }
                list.retain(|entry| !is_empty(entry));
                sort_unique(list);
            }
        }
        record.retain(|key, value| {
            let known = keys::TEST.contains(&key.as_str());
            let unknown_mode =
                key == "pm_context_mode" && !matches!(value.as_str(), Some("schema" | "tracker" | "auto"));
            let dropped = is_empty(value) || *value == Value::Bool(false) || unknown_mode;
            if known { !dropped } else { dialect != Dialect::KnownTestKeys }
        });
    });
    if dialect == Dialect::SortedTests {
        order::sort_tests(&mut out);
    }
    out
}

pub(super) fn test_runs(list: &[Value], dialect: Dialect) -> Vec<Value> {
    let known_only = dialect == Dialect::KnownTestKeys;
    let mut out = each(list, &keys::TEST_RUN, |record| {
        for key in ["attempt", "passed", "failed", "skipped", "items", "linked_tests"] {
            if let Some(value) = record.get_mut(key) {
                make_whole(value);
            }
        }
        if known_only {
            record.retain(|key, _| keys::TEST_RUN.contains(&key.as_str()));
            if let Some(Value::Array(executions)) = record.get_mut("executions") {
                for execution in executions.iter_mut().filter_map(Value::as_object_mut) {
                    execution.retain(|key, _| keys::EXECUTION.contains(&key.as_str()));
                }
            }
        }
    });
    order::sort_by_time(&mut out, "recorded_at", &["run_id", "kind"]);
    out
}

pub(super) fn plan_steps(list: &[Value]) -> Vec<Value> {
    let mut out = list.to_vec();
    order::sort_by_number(&mut out, "order");
    out
}

/// Cuts a count to a whole number; counts beyond what integers hold stay.
fn make_whole(value: &mut Value) {
    if let Value::Number(number) = value
        && let Some(double) = number.as_f64().filter(|_| number.is_f64())
        && let Some(whole) = double_to_whole(double)
    {
        *value = Value::Number(whole);
    }
}

fn double_to_whole(double: f64) -> Option<Number> {
    let text = format!("{:.0}", double.trunc());
    text.parse::<i64>().ok().map(Number::from)
}

/// Sorts numbers by size and everything else by collation, and drops repetitions.
fn sort_unique(list: &mut Vec<Value>) {
    list.sort_by(|a, b| match (a.as_f64(), b.as_f64()) {
        (Some(x), Some(y)) => x.total_cmp(&y),
        (Some(_), None) => core::cmp::Ordering::Less,
        (None, Some(_)) => core::cmp::Ordering::Greater,
        (None, None) => collate(a.as_str().unwrap_or_default(), b.as_str().unwrap_or_default()),
    });
    list.dedup();
}
