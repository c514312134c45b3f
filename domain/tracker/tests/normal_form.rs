//! Normal form, field by field.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

use pm_tracker_domain::{Dialect, Statuses, TOP_LEVEL_KEYS, normal_body, normal_metadata};
use serde_json::{Map, Value, json};

fn normal_in(field: &str, value: Value, dialect: Dialect) -> Option<Value> {
    let metadata: Map<String, Value> = [(field.to_owned(), value)].into_iter().collect();
    let once = normal_metadata(&metadata, &Statuses::default(), dialect);
    let twice = normal_metadata(&once, &Statuses::default(), dialect);
    assert_eq!(once, twice, "normal form of `{field}` is normal");
    once.get(field).cloned()
}

fn normal(field: &str, value: Value) -> Option<Value> {
    normal_in(field, value, Dialect::StoredTests)
}

#[test]
fn texts_are_trimmed_kept_or_dropped_by_field() {
    for field in ["assignee", "parent", "blocked_by", "plan_mode", "customer_impact", "resolution"] {
        assert_eq!(normal(field, json!(" \u{feff}x\t\n")), Some(json!("x")), "{field}");
        assert_eq!(normal(field, json!(" \n ")), None, "{field}");
        assert_eq!(normal(field, json!(null)), None, "{field}");
    }
    for field in ["deadline", "closed_at", "completed_at", "author", "close_reason"] {
        assert_eq!(normal(field, json!(" x ")), Some(json!(" x ")), "{field}");
        assert_eq!((normal(field, json!("")), normal(field, json!(null))), (None, None), "{field}");
    }
    for field in ["acceptance_criteria", "design", "external_ref", "risk"] {
        assert_eq!(normal(field, json!("")), Some(json!("")), "{field}");
        assert_eq!(normal(field, json!(null)), None, "{field}");
    }
    for field in ["id", "title", "description", "type", "created_at"] {
        assert_eq!(normal(field, json!(" x ")), Some(json!(" x ")), "{field}");
    }
    assert_eq!(normal("unheard_of", json!({"a": [null, {}, ""]})), Some(json!({"a": [null, {}, ""]})));
}

#[test]
fn tags_status_and_levels_are_brought_into_form() {
    assert_eq!(
        normal("tags", json!([" B", "a_b", "A-b", "b", "a", ""])),
        Some(json!(["a", "a_b", "a-b", "b"]))
    );
    assert_eq!(normal("tags", json!([])), Some(json!([])), "tags stay when empty");
    assert_eq!(normal("status", json!("cancelled")), Some(json!("canceled")));
    assert_eq!(normal("status", json!("own-word")), Some(json!("own-word")));
    assert_eq!(normal("confidence", json!("Med")), Some(json!("medium")));
    assert_eq!(normal("confidence", json!(80)), Some(json!(80)));
    assert_eq!(
        (normal("confidence", json!("sure")), normal("severity", json!("CRITICAL"))),
        (None, Some(json!("critical")))
    );
    assert_eq!(normal("pm_format_version", json!(1)), None);
    assert_eq!(normal("pm_format_version", json!(2)), Some(json!(2)));
    let options = json!({" b ": " x ", "a": "y", "": "z", "c": "  "});
    let options = normal("type_options", options).unwrap();
    assert_eq!(serde_json::to_string(&options).unwrap(), r#"{"a":"y","b":"x"}"#);
}

#[test]
fn dependencies_are_sorted_by_instant_and_lose_empty_cells() {
    let edges = json!([
        {"id": " Demo-B ", "kind": "blocks", "created_at": "2026-01-01T02:00:00+02:00", "author": "", "x": null},
        {"kind": "related", "id": "demo-a", "created_at": "2025-12-31T23:59:59Z", "source_kind": null},
    ]);
    let expected = r#"[{"id":"demo-a","kind":"related","created_at":"2025-12-31T23:59:59Z"},{"id":"demo-b","kind":"blocks","created_at":"2026-01-01T02:00:00+02:00","x":null}]"#;
    let in_form = normal("dependencies", edges.clone()).unwrap();
    assert_eq!(serde_json::to_string(&in_form).unwrap(), expected);
    let kept = normal_in("dependencies", edges, Dialect::KeptIdCase).unwrap();
    assert_eq!(kept[1]["id"], json!("Demo-B"));
}

#[test]
fn logs_links_and_reminders_follow_their_rules() {
    let log = |text: &str| json!({"created_at": "2026-01-01T00:00:00Z", "author": "m", "text": text});
    assert_eq!(
        normal("notes", json!([log("b"), log("B"), log("a_"), log("a")])),
        Some(json!([log("a"), log("a_"), log("b"), log("B")]))
    );
    let links = json!([{"path": "b\\c", "scope": "project", "note": "  "}, {"path": "a", "scope": "project", "note": " n "}]);
    let b = json!({"path": "b/c", "scope": "project"});
    let a = json!({"path": "a", "scope": "project", "note": "n"});
    assert_eq!(normal("files", links.clone()), Some(json!([b, a])));
    assert_eq!(normal("docs", links), Some(json!([a, b])));
    let reminders = json!([{"at": "2026-02-01", "text": "x"}, {"at": "2026-01-01", "text": " "}, {"at": "2026-01-01", "text": "y"}]);
    assert_eq!(
        normal("reminders", reminders),
        Some(json!([{"at": "2026-01-01", "text": "y"}, {"at": "2026-02-01", "text": "x"}]))
    );
    for field in ["dependencies", "comments", "files", "tests", "plan_steps", "plan_decisions", "events"] {
        assert_eq!(normal(field, json!([])), None, "{field}");
    }
}

#[test]
fn events_lose_what_says_nothing() {
    let events = json!([
        {"start_at": "2026-02-01T00:00:00Z", "title": " late "},
        {"start_at": "2026-01-01T00:00:00Z", "location": "", "recurrence":
            {"interval": 1, "freq": "weekly", "by_month_day": [10, 9, 10], "exdates": []}},
    ]);
    let expected = json!([
        {"start_at": "2026-01-01T00:00:00Z", "recurrence": {"freq": "weekly", "by_month_day": [9, 10]}},
        {"start_at": "2026-02-01T00:00:00Z", "title": "late"},
    ]);
    assert_eq!(normal("events", events), Some(expected));
}

#[test]
fn tests_and_runs_differ_by_dialect() {
    let tests = json!([
        {"command": " zz ", "scope": "project", "shared_host_safe": false, "pm_context_mode": "odd", "env_set": {},
            "assert_stdout_contains": [" b", "a", "b"], "provenance": {"author": "m"}},
        {"command": "aa", "scope": "project"},
    ]);
    let zz = json!({"command": "zz", "scope": "project", "assert_stdout_contains": ["a", "b"]});
    let mut newer = zz.clone();
    newer["provenance"] = json!({"author": "m"});
    let aa = json!({"command": "aa", "scope": "project"});
    assert_eq!(normal_in("tests", tests.clone(), Dialect::StoredTests), Some(json!([newer, aa])));
    assert_eq!(normal_in("tests", tests.clone(), Dialect::KnownTestKeys), Some(json!([zz, aa])));
    assert_eq!(normal_in("tests", tests, Dialect::SortedTests), Some(json!([aa, newer])));
    let runs = json!([{"run_id": "r", "recorded_at": "2026-01-01", "passed": 3.0, "failed": 0.9, "new": 1}]);
    assert_eq!(
        normal("test_runs", runs.clone()),
        Some(json!([{"run_id": "r", "recorded_at": "2026-01-01", "passed": 3, "failed": 0, "new": 1}]))
    );
    assert!(normal_in("test_runs", runs, Dialect::KnownTestKeys).unwrap()[0].get("new").is_none());
}

#[test]
fn keys_come_in_file_order_and_unknown_ones_by_collation() {
    let metadata: Map<String, Value> = ["b_b", "zeta", "b-b", "B", "b", "title", "close_reason", "id"]
        .map(|key| (key.to_owned(), json!("x")))
        .into_iter()
        .collect();
    let in_form = normal_metadata(&metadata, &Statuses::default(), Dialect::StoredTests);
    let keys: Vec<&str> = in_form.keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "title", "close_reason", "b", "B", "b_b", "b-b", "zeta"]);
    assert_eq!(TOP_LEVEL_KEYS.len(), 72);
}

#[test]
fn bodies_lose_leading_line_feeds_and_trailing_blanks() {
    assert_eq!(normal_body("\n\n  a\n\nb \t\n\u{a0}"), "  a\n\nb");
    assert_eq!(normal_body("\r\na"), "\r\na");
    assert_eq!(normal_body(" \n "), "");
}
