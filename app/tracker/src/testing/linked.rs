//! The commands that a run is about.

use std::time::Duration;

use pm_tracker_domain::{Item, canonical_hash};
use pm_tracker_ports::{CommandEnd, CommandOrder, CommandOutcome};
use serde_json::{Map, Value, json};

use super::report::{TestReport, TestRun};
use crate::failure::Failure;

/// The linked commands of an item that are to run.
#[derive(Debug, Clone)]
pub(crate) struct LinkedTests {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) tests: Vec<LinkedTest>,
}

/// One linked test.
#[derive(Debug, Clone)]
pub(super) struct LinkedTest {
    /// `None` for a test that names a path alone.
    pub(super) order: Option<CommandOrder>,
    pub(super) name: String,
    stdout_contains: Vec<String>,
    stderr_contains: Vec<String>,
    stdout_min_lines: Option<u64>,
    /// Conditions that this server does not look at.
    unknown: Vec<String>,
}

impl LinkedTests {
    /// Those of the item that `only` names, or all. `seconds` goes before what is stored with a command.
    pub(crate) fn of(item: &Item, only: &[String], seconds: Option<u64>) -> Result<Self, Failure> {
        let mut tests: Vec<LinkedTest> =
            item.records("tests").map(|record| LinkedTest::of(record, seconds)).collect();
        if tests.is_empty() {
            return Err(Failure::argument("id", "the item has no linked test commands; add one first"));
        }
        if let Some(unknown) = only.iter().find(|name| !tests.iter().any(|test| test.name == name.trim())) {
            return Err(Failure::argument("only", format!("`{unknown}` is not linked; list shows what is")));
        }
        if !only.is_empty() {
            tests.retain(|test| only.iter().any(|name| name.trim() == test.name));
        }
        Ok(Self { id: item.id().to_owned(), title: item.title().to_owned(), tests })
    }

    /// Stands for exactly these commands in this order.
    pub(super) fn digest(&self) -> String {
        let told = |test: &LinkedTest| {
            json!({
                "name": test.name,
                "seconds": test.order.as_ref().map(|order| order.time_limit.as_secs()),
                "set": test.order.as_ref().map(|order| &order.env_set),
                "clear": test.order.as_ref().map(|order| &order.env_clear),
            })
        };
        canonical_hash(&json!({"item": self.id, "tests": self.tests.iter().map(told).collect::<Vec<_>>()}))
    }

    /// None of them ran, as the user did not want it.
    pub(crate) fn declined(&self) -> TestReport {
        let run = |test: &LinkedTest| TestRun::without_output(&test.name, "declined", None);
        TestReport::new(&self.id, self.tests.iter().map(run).collect())
    }
}

impl LinkedTest {
    fn of(record: &Map<String, Value>, seconds: Option<u64>) -> Self {
        let text = |key: &str| {
            record.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
        };
        let texts = |key: &str| match record.get(key) {
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(_) | None => Vec::new(),
        };
        let known = ["assert_stdout_contains", "assert_stderr_contains", "assert_stdout_min_lines"];
        let unknown =
            record.keys().filter(|key| key.starts_with("assert_") && !known.contains(&key.as_str()));
        let seconds = seconds.or_else(|| record.get("timeout_seconds").and_then(Value::as_u64));
        let order = text("command").map(|command| {
            let mut order = CommandOrder::of(command);
            if let Some(seconds) = seconds.filter(|seconds| *seconds > 0) {
                order.time_limit = Duration::from_secs(seconds);
            }
            let set = record.get("env_set").and_then(Value::as_object).into_iter().flatten();
            order.env_set =
                set.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect();
            order.env_clear = texts("env_clear");
            order
        });
        Self {
            name: text("command").or_else(|| text("path")).unwrap_or_default().to_owned(),
            order,
            stdout_contains: texts("assert_stdout_contains"),
            stderr_contains: texts("assert_stderr_contains"),
            stdout_min_lines: record.get("assert_stdout_min_lines").and_then(Value::as_u64),
            unknown: unknown.cloned().collect(),
        }
    }

    /// What the end of the command means.
    pub(super) fn judge(&self, end: CommandEnd) -> TestRun {
        let (status, exit_code, note) = match end.outcome {
            CommandOutcome::Exited { code: 0 } => match self.unmet(&end) {
                Some(unmet) => ("failed", Some(0), Some(unmet)),
                None => ("passed", Some(0), self.unlooked()),
            },
            CommandOutcome::Exited { code } => ("failed", Some(code), None),
            CommandOutcome::Signalled { signal } => {
                ("failed", None, Some(format!("ended by signal {signal}")))
            }
            CommandOutcome::TimedOut => {
                let limit = self.order.as_ref().map_or(0, |order| order.time_limit.as_secs());
                ("timed_out", None, Some(format!("ran longer than {limit} s")))
            }
            CommandOutcome::NotStarted { ref detail } => ("not_started", None, Some(detail.clone())),
        };
        TestRun {
            command: self.name.clone(),
            status,
            exit_code,
            took_ms: u64::try_from(end.took.as_millis()).unwrap_or(u64::MAX),
            stdout_tail: end.stdout_tail,
            stderr_tail: end.stderr_tail,
            note,
        }
    }

    /// The first stored condition on the output that is not met.
    fn unmet(&self, end: &CommandEnd) -> Option<String> {
        let missing =
            |wanted: &[String], text: &str| wanted.iter().find(|part| !text.contains(*part)).cloned();
        if let Some(part) = missing(&self.stdout_contains, &end.stdout_tail) {
            return Some(format!("standard output does not end with a part that contains {part:?}"));
        }
        if let Some(part) = missing(&self.stderr_contains, &end.stderr_tail) {
            return Some(format!("standard error does not end with a part that contains {part:?}"));
        }
        let lines = u64::try_from(end.stdout_tail.lines().count()).unwrap_or(u64::MAX);
        let wanted = self.stdout_min_lines.filter(|wanted| lines < *wanted)?;
        Some(format!("standard output has {lines} lines, not {wanted}"))
    }

    fn unlooked(&self) -> Option<String> {
        (!self.unknown.is_empty()).then(|| format!("not looked at: {}", self.unknown.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(record: Value) -> LinkedTest {
        LinkedTest::of(record.as_object().unwrap(), None)
    }

    fn end(code: i32, out: &str) -> CommandEnd {
        CommandEnd {
            outcome: CommandOutcome::Exited { code },
            took: Duration::from_millis(5),
            stdout_tail: out.to_owned(),
            stderr_tail: String::new(),
        }
    }

    #[test]
    fn stored_conditions_decide_beside_the_exit_status() {
        let plain = test(json!({"command": "make test"}));
        assert_eq!(plain.judge(end(0, "")).status, "passed");
        assert_eq!(plain.judge(end(2, "")).status, "failed");
        let picky =
            test(json!({"command": "x", "assert_stdout_contains": ["ok"], "assert_stdout_min_lines": 2}));
        assert_eq!(picky.judge(end(0, "ok\nok\n")).status, "passed");
        assert!(picky.judge(end(0, "no\n")).note.unwrap().contains("\"ok\""));
        assert!(picky.judge(end(0, "ok\n")).note.unwrap().contains("1 lines"));
        let more = test(json!({"command": "x", "assert_stdout_regex": ["^a"]}));
        assert_eq!(more.judge(end(0, "")).note.as_deref(), Some("not looked at: assert_stdout_regex"));
    }

    #[test]
    fn stored_limits_and_variables_are_used() {
        let test = test(json!({
            "command": " x ", "timeout_seconds": 7, "env_set": {"A": "1"}, "env_clear": ["B"]
        }));
        let order = test.order.unwrap();
        assert_eq!((order.command.as_str(), order.time_limit), ("x", Duration::from_secs(7)));
        assert_eq!((order.env_set.len(), order.env_clear.len()), (1, 1));
    }
}
