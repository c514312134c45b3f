//! Linked test commands and their outcomes.

use serde_json::{Map, Value};

use super::{Decision, Document, Next, Refusal, TestCommand};
use crate::Item;

/// How many outcomes an item keeps.
const RUNS_MAX: usize = 20;

fn runs(record: &Value, command: &str) -> bool {
    record.get("command").and_then(Value::as_str).map(str::trim) == Some(command)
}

pub(super) fn add(item: &Item, test: &TestCommand) -> Result<Decision, Refusal> {
    let command = test.command.trim();
    if command.is_empty() {
        return Err(Refusal::field("command", "must not be empty"));
    }
    if test.timeout_seconds == Some(0) {
        return Err(Refusal::field("timeout_seconds", "must be at least 1"));
    }
    let mut after = Document::of(item);
    let mut tests = after.list("tests");
    let known = tests.iter_mut().find(|record| runs(record, command)).and_then(Value::as_object_mut);
    let mut warning = None;
    match known {
        Some(record) => {
            warning = Some("already_linked: the command was linked already".to_owned());
            if let Some(seconds) = test.timeout_seconds {
                record.insert("timeout_seconds".to_owned(), seconds.into());
            }
        }
        None => {
            let mut record = Map::new();
            record.insert("command".to_owned(), command.into());
            record.insert("scope".to_owned(), "project".into());
            if let Some(seconds) = test.timeout_seconds {
                record.insert("timeout_seconds".to_owned(), seconds.into());
            }
            tests.push(Value::Object(record));
        }
    }
    after.set_list("tests", tests);
    Ok(Decision::new("tests_add", Next::Document(after)).warned(warning))
}

pub(super) fn remove(item: &Item, command: &str) -> Result<Decision, Refusal> {
    let mut after = Document::of(item);
    let mut tests = after.list("tests");
    let count = tests.len();
    tests.retain(|record| !runs(record, command.trim()));
    if tests.len() == count {
        return Err(Refusal::field("command", format!("`{}` is not linked", command.trim())));
    }
    after.set_list("tests", tests);
    Ok(Decision::new("tests_remove", Next::Document(after)))
}

pub(super) fn record_run(item: &Item, record: &Value) -> Decision {
    let mut after = Document::of(item);
    let mut list = after.list("test_runs");
    list.push(record.clone());
    let surplus = list.len().saturating_sub(RUNS_MAX);
    list.drain(..surplus);
    after.set_list("test_runs", list);
    Decision::new("test_run_track", Next::Document(after))
}
