//! What running test commands came to.

use pm_tracker_domain::Item;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The linked test commands of an item, and what came of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct TestReport {
    /// Full id of the item.
    pub id: String,
    /// One entry a command, in stored order.
    pub runs: Vec<TestRun>,
    /// Commands that passed.
    pub passed: usize,
    /// Commands that failed, timed out or did not start.
    pub failed: usize,
    /// Commands that did not run.
    pub skipped: usize,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct TestRun {
    /// The command, or the path of a linked test without one.
    pub command: String,
    /// `passed`, `failed`, `timed_out`, `not_started`, `stopped`, `declined`, or `not_run`.
    pub status: &'static str,
    /// The exit status, if it ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How long it ran.
    pub took_ms: u64,
    /// The end of what it wrote to standard output.
    pub stdout_tail: String,
    /// The end of what it wrote to standard error.
    pub stderr_tail: String,
    /// What else there is to know, such as which condition was not met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl TestRun {
    pub(super) fn without_output(command: &str, status: &'static str, note: Option<String>) -> Self {
        Self {
            command: command.to_owned(),
            status,
            exit_code: None,
            took_ms: 0,
            stdout_tail: String::new(),
            stderr_tail: String::new(),
            note,
        }
    }
}

impl TestReport {
    pub(super) fn new(id: &str, runs: Vec<TestRun>) -> Self {
        let count = |statuses: &[&str]| runs.iter().filter(|run| statuses.contains(&run.status)).count();
        let (passed, failed) = (count(&["passed"]), count(&["failed", "timed_out", "not_started"]));
        let skipped = runs.len() - passed - failed;
        Self { id: id.to_owned(), runs, passed, failed, skipped }
    }
}

/// The linked commands of an item, not run.
pub(crate) fn listed(item: &Item) -> TestReport {
    let text = |test: &serde_json::Map<String, Value>, key: &str| {
        test.get(key).and_then(Value::as_str).map(str::to_owned)
    };
    let runs = item.records("tests").map(|test| {
        let seconds = test.get("timeout_seconds").and_then(Value::as_u64);
        let note = [text(test, "note"), seconds.map(|seconds| format!("at most {seconds} s"))];
        let note = note.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let command = text(test, "command").or_else(|| text(test, "path")).unwrap_or_default();
        TestRun::without_output(&command, "not_run", Some(note).filter(|note| !note.is_empty()))
    });
    TestReport::new(item.id(), runs.collect())
}
