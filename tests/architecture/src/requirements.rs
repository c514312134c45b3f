//! The requirement manifest, `docs/requirements.json`: one row a number, each either done and shown by tests,
//! open, or out of scope for a reason.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::cargo::Member;
use crate::fault::Fault;
use crate::tests::Tests;
use crate::tree::Source;

/// Numbered requirements: R001 up to this.
pub const LAST_REQUIREMENT: usize = 251;

/// Numbered decisions between sources: D1 up to this.
pub const LAST_DECISION: usize = 12;

/// Every number that the manifest must have.
#[must_use]
pub fn numbers() -> BTreeSet<String> {
    let requirements = (1..=LAST_REQUIREMENT).map(|number| format!("R{number:03}"));
    requirements.chain((1..=LAST_DECISION).map(|number| format!("D{number}"))).collect()
}

/// Situations that servers meet in practice: C01 up to this.
pub const LAST_FIELD_CASE: usize = 92;

/// Every number that the manifest of field cases, `tests/acceptance/field-cases.json`, must have.
#[must_use]
pub fn field_cases() -> BTreeSet<String> {
    (1..=LAST_FIELD_CASE).map(|number| format!("C{number:02}")).collect()
}

/// What is wrong with the manifest `text`.
///
/// `wanted` are the numbers it must have, `members` and `sources` what its tests are looked up in.
#[must_use]
pub fn faults(text: &str, wanted: &BTreeSet<String>, members: &[Member], sources: &[Source]) -> Vec<Fault> {
    let rows: Map<String, Value> = match serde_json::from_str(text) {
        Ok(rows) => rows,
        Err(error) => return vec![Fault::new("requirements", format!("is no JSON object: {error}"))],
    };
    let tests = Tests::of(members, sources);
    let missing = wanted.iter().filter(|number| !rows.contains_key(*number));
    let mut faults: Vec<Fault> = missing.map(|number| Fault::new(number, "is missing")).collect();
    faults.extend(repeated(text));
    for (number, row) in &rows {
        if !wanted.contains(number) {
            faults.push(Fault::new(number, "is no known number"));
        }
        faults.extend(row_faults(row, &tests).into_iter().map(|what| Fault::new(number, what)));
    }
    faults
}

/// Numbers with two rows, which a JSON reader would silently make one of. Rows stand one a line.
fn repeated(text: &str) -> Vec<Fault> {
    let mut seen = BTreeSet::new();
    let keys = text.lines().filter_map(|line| line.trim_start().strip_prefix('"')?.split('"').next());
    keys.filter(|key| !seen.insert(*key)).map(|key| Fault::new(key, "has two rows")).collect()
}

fn row_faults(row: &Value, there: &Tests<'_>) -> Vec<String> {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().trim();
    let tests: Vec<&str> = match row.get("tests").and_then(Value::as_array) {
        Some(tests) => tests.iter().map(|test| test.as_str().unwrap_or_default()).collect(),
        None => return vec!["has no list `tests`".to_owned()],
    };
    let mut faults = Vec::new();
    if text("claim").is_empty() {
        faults.push("has no `claim` that says what is required".to_owned());
    }
    match text("state") {
        "done" if tests.is_empty() => faults.push("is done but names no test".to_owned()),
        "done" => {}
        "open" | "out_of_scope" if text("reason").is_empty() => {
            faults.push("is not done and gives no `reason`".to_owned());
        }
        "open" | "out_of_scope" => {}
        other => faults.push(format!("has state `{other}`; it is done, open or out_of_scope")),
    }
    let unknown = tests.iter().filter(|test| !there.has(test));
    faults.extend(unknown.map(|test| format!("names the test `{test}`, which is not there")));
    faults
}
