//! The requirement manifest.

use std::collections::BTreeSet;
use std::fs;

use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::requirements::{faults, field_cases, numbers};
use pm_mcp_architecture::tree::{self, Source};

use crate::{made_up, members, sources};

const TEST_FILE: &str = "/// Why.\n#[tokio::test(flavor = \"current_thread\")]\n// note\nasync fn it_holds() {}\n\nfn helper() {}\n";

/// What is wrong with a manifest of one row, R001, in a tree of one crate with one test and one script.
fn of_row(row: &str) -> String {
    let wanted = BTreeSet::from(["R001".to_owned()]);
    let text = format!("{{\n  \"R001\": {row}\n}}\n");
    let script = Source::made_up("tests/conformance/run.sh", "scenarios='tools-list'\n");
    let sources = [Source::made_up("domain/x/src/a.rs", TEST_FILE), script];
    listing(&faults(&text, &wanted, &[made_up("pm-x", "domain/x", &[])], &sources))
}

fn done(test: &str) -> String {
    of_row(&format!(r#"{{"state": "done", "tests": ["{test}"], "reason": "", "claim": "c"}}"#))
}

#[test]
fn every_requirement_is_accounted_for() {
    let text =
        fs::read_to_string(tree::root().join("docs/requirements.json")).expect("the manifest is there");
    assert_eq!(listing(&faults(&text, &numbers(), &members(), &sources())), "");
}

#[test]
fn every_field_case_is_accounted_for() {
    let place = tree::root().join("tests/acceptance/field-cases.json");
    let text = fs::read_to_string(place).expect("the manifest is there");
    assert_eq!(listing(&faults(&text, &field_cases(), &members(), &sources())), "");
}

#[test]
fn a_test_is_found_in_its_crate_or_file() {
    for test in [
        "pm-x::it_holds",
        "pm_x::a::it_holds",
        "domain/x/src/a.rs::it_holds",
        "domain/x::it_holds",
        "tests/conformance/run.sh::tools-list",
    ] {
        assert_eq!(done(test), "", "{test}");
    }
}

#[test]
fn a_test_that_is_not_there_is_seen() {
    for test in [
        "pm-x::it_hold",
        "pm-x::helper",
        "pm-y::it_holds",
        "domain/y::it_holds",
        "it_holds",
        "tests/conformance/run.sh::tools",
    ] {
        assert_eq!(done(test), format!("R001: names the test `{test}`, which is not there\n"));
    }
}

#[test]
fn a_row_that_claims_without_grounds_is_seen() {
    let none = of_row(r#"{"state": "done", "tests": [], "reason": "", "claim": "c"}"#);
    assert_eq!(none, "R001: is done but names no test\n");
    let open = of_row(r#"{"state": "open", "tests": [], "reason": " ", "claim": "c"}"#);
    assert_eq!(open, "R001: is not done and gives no `reason`\n");
    let state = of_row(r#"{"state": "half", "tests": [], "reason": "r", "claim": "c"}"#);
    assert_eq!(state, "R001: has state `half`; it is done, open or out_of_scope\n");
    let claim = of_row(r#"{"state": "open", "tests": [], "reason": "r"}"#);
    assert_eq!(claim, "R001: has no `claim` that says what is required\n");
}

#[test]
fn missing_unknown_and_repeated_numbers_are_seen() {
    let row = r#"{"state": "open", "tests": [], "reason": "r", "claim": "c"}"#;
    let text = format!("{{\n  \"R999\": {row},\n  \"R999\": {row}\n}}\n");
    let wanted = BTreeSet::from(["R001".to_owned()]);
    let said = "R001: is missing\nR999: has two rows\nR999: is no known number\n";
    assert_eq!(listing(&faults(&text, &wanted, &[], &[])), said);
    assert_eq!(faults("[]", &wanted, &[], &[]).len(), 1);
}
