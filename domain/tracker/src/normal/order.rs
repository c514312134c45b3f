//! Orders of the lists inside items.

use core::cmp::Ordering;

use serde_json::Value;

use crate::{canonical::canonical_json, collation::collate, time::Timestamp};

/// The text of a member, empty if it has none.
pub(super) fn text<'a>(record: &'a Value, key: &str) -> &'a str {
    record.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Sorts records by a time, then by further texts.
///
/// Times are instants if all of them can be read, else text, so that one unreadable time cannot make the order
/// contradict itself.
pub(super) fn sort_by_time(records: &mut [Value], time_key: &str, then: &[&str]) {
    let readable = records.iter().all(|record| Timestamp::parse(text(record, time_key)).is_some());
    records.sort_by_cached_key(|record| {
        let time = text(record, time_key);
        SortKey {
            instant: readable.then(|| Timestamp::parse(time)).flatten(),
            texts: core::iter::once(time)
                .chain(then.iter().map(|key| text(record, key)))
                .map(str::to_owned)
                .collect(),
        }
    });
}

/// Sorts records by texts.
pub(super) fn sort_by_texts(records: &mut [Value], keys: &[&str]) {
    records.sort_by(|a, b| {
        let mut orders = keys.iter().map(|key| collate(text(a, key), text(b, key)));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
}

/// Sorts linked tests as hash version 1 does.
pub(super) fn sort_tests(tests: &mut [Value]) {
    let json = |record: &Value, key: &str| record.get(key).map(canonical_json).unwrap_or_default();
    let number = |record: &Value, key: &str| record.get(key).and_then(Value::as_f64).unwrap_or(-1.0);
    let flag = |record: &Value, key: &str| record.get(key).and_then(Value::as_bool).unwrap_or(false);
    tests.sort_by(|a, b| {
        let texts = |key: &str| collate(text(a, key), text(b, key));
        let values = |key: &str| collate(&json(a, key), &json(b, key));
        texts("scope")
            .then_with(|| texts("path"))
            .then_with(|| texts("command"))
            .then_with(|| number(a, "timeout_seconds").total_cmp(&number(b, "timeout_seconds")))
            .then_with(|| texts("pm_context_mode"))
            .then_with(|| flag(a, "shared_host_safe").cmp(&flag(b, "shared_host_safe")))
            .then_with(|| values("env_clear"))
            .then_with(|| values("env_set"))
            .then_with(|| values("assert_stdout_contains"))
            .then_with(|| values("assert_stdout_regex"))
            .then_with(|| values("assert_stderr_contains"))
            .then_with(|| values("assert_stderr_regex"))
            .then_with(|| {
                number(a, "assert_stdout_min_lines").total_cmp(&number(b, "assert_stdout_min_lines"))
            })
            .then_with(|| values("assert_json_field_equals"))
            .then_with(|| values("assert_json_field_gte"))
            .then_with(|| texts("note"))
    });
}

/// Sorts records by a number; records without one come last.
pub(super) fn sort_by_number(records: &mut [Value], key: &str) {
    let place = |record: &Value| record.get(key).and_then(Value::as_f64).unwrap_or(f64::INFINITY);
    records.sort_by(|a, b| place(a).total_cmp(&place(b)));
}

struct SortKey {
    instant: Option<Timestamp>,
    texts: Vec<String>,
}

impl Ord for SortKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut texts = self.texts.iter().zip(&other.texts).map(|(a, b)| collate(a, b));
        let by_texts = texts.find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        self.instant.cmp(&other.instant).then(by_texts)
    }
}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SortKey {}
