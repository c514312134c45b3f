//! Resources, templates and their completions.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::session::{Session, project};

/// Adds open tasks that come after all others.
fn fill(project: &Path, prefix: &str, number: usize) {
    let original = fs::read_to_string(project.join(".agents/pm/tasks/demo-screen.toon")).unwrap();
    for at in 0..number {
        let id = format!("demo-{prefix}{at:03}");
        let text = original.replace("demo-screen", &id).replace("priority: 2", "priority: 4");
        fs::write(project.join(format!(".agents/pm/tasks/{id}.toon")), text).unwrap();
    }
}

#[test]
fn every_listed_resource_can_be_read_and_has_its_cache_hint() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let pages = session.pages();
    assert_eq!((pages.len(), pages[0].len()), (1, 6 + 10 + 5));
    for uri in &pages[0] {
        let (text, result) = session.read(uri);
        let skill = uri.starts_with("skill://");
        let guidance = skill || uri.ends_with("/agent-guide");
        let ttl = match guidance || uri.ends_with("/schema") {
            _ if skill => 60_000,
            true => 30_000,
            false => 2_000,
        };
        assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(ttl), &json!("private")), "{uri}");
        assert_eq!(serde_json::from_str::<Value>(&text).is_ok(), !guidance, "{uri}: {text}");
    }
    let items: Vec<&String> = pages[0].iter().filter(|uri| uri.starts_with("pm://items/")).collect();
    assert_eq!(items[..3], ["pm://items/demo-retry1", "pm://items/demo-kiosk1", "pm://items/demo-twice1"]);
    let (claims, _) = session.read("pm://workspace/claims");
    let claims: Value = serde_json::from_str(&claims).unwrap();
    assert_eq!(
        (&claims["claims"][0]["item"]["id"], &claims["claims"][0]["holder"]),
        (&json!("demo-retry1"), &json!("agent-7"))
    );
}

#[test]
fn the_focus_is_an_item_or_null() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    assert_eq!(session.read("pm://workspace/focus").0, "null");
    fs::create_dir_all(folder.path().join(".agents/pm/runtime")).unwrap();
    let file = folder.path().join(".agents/pm/runtime/session.json");
    fs::write(&file, r#"{"focused_item": "demo-return", "other": 1}"#).unwrap();
    let focus: Value = serde_json::from_str(&session.read("pm://workspace/focus").0).unwrap();
    assert_eq!(focus["id"], "demo-return");
}

#[test]
fn a_repository_without_guide_says_so() {
    let folder = project();
    fs::remove_file(folder.path().join("AGENTS.md")).unwrap();
    let (guide, _) = Session::start(folder.path(), &[]).read("pm://workspace/agent-guide");
    assert!(guide.contains("no AGENTS.md") && guide.lines().count() == 1, "{guide}");
}

#[test]
fn pages_hold_fifty_and_show_every_item_of_every_workspace_once() {
    let (main, site) = (project(), project());
    fill(main.path(), "a", 40);
    fill(site.path(), "b", 70);
    let named = format!("main={};site={}", main.path().display(), site.path().display());
    let mut session = Session::start(main.path(), &[("PM_MCP_WORKSPACES", &named)]);
    let pages = session.pages();
    let lengths: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(lengths, [50, 50, 48], "12 fixed ones, 50 items, 80 items and 6 skills");
    let mut all: Vec<&String> = pages.iter().flatten().collect();
    assert_eq!(all[6], "pm://workspace/context?workspace=site");
    assert!(all.iter().any(|uri| *uri == "pm://items/demo-b069?workspace=site"));
    let listed = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), listed);
    let (item, _) = session.read("pm://items/demo-b069?workspace=site");
    assert!(item.contains("\"id\":\"demo-b069\""));
    for uri in
        ["pm://items/demo-b069", "pm://items/demo-a001?workspace=site", "pm://items/demo-a001?workspace=none"]
    {
        assert_eq!(session.answer("resources/read", json!({"uri": uri}))["error"]["code"], -32602, "{uri}");
    }
}

#[test]
fn a_cursor_ends_with_the_item_that_its_page_ended_with() {
    let folder = project();
    fill(folder.path(), "a", 60);
    let mut session = Session::start(folder.path(), &[]);
    let page = session.ask("resources/list", json!({}));
    let (last, cursor) = (page["resources"][49]["name"].as_str().unwrap(), page["nextCursor"].clone());
    let second = session.ask("resources/list", json!({"cursor": cursor}));
    assert_eq!(second["resources"].as_array().unwrap().len(), 26 + 5);
    fs::remove_file(folder.path().join(format!(".agents/pm/tasks/{last}.toon"))).unwrap();
    let mut session = Session::start(folder.path(), &[]);
    let refused = session.answer("resources/list", json!({"cursor": cursor}));
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[test]
fn templates_read_items_bodies_histories_versions_and_lists() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let listed = session.ask("resources/templates/list", json!({}));
    assert_eq!(
        (listed["resourceTemplates"].as_array().unwrap().len(), &listed["ttlMs"]),
        (6, &json!(3_600_000))
    );
    let (body, result) = session.read("pm://items/demo-kiosk1/body");
    assert!(body.starts_with("The kiosk stands") && result["contents"][0]["mimeType"] == "text/markdown");
    let history: Value = serde_json::from_str(&session.read("pm://items/demo-retry1/history").0).unwrap();
    let versions: Vec<&Value> =
        history["events"].as_array().unwrap().iter().map(|event| &event["version"]).collect();
    assert_eq!(versions, [3, 2, 1]);
    let (first, result) = session.read("pm://items/demo-retry1/history/1");
    let first: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(
        (&first["status"], &first["version"], &result["ttlMs"]),
        (&json!("open"), &json!(1), &json!(86_400_000))
    );
    let (gone, _) = session.read("pm://items/demo-lost01/history/1");
    assert!(gone.contains("\"id\":\"demo-lost01\""));
    let list: Value = serde_json::from_str(&session.read("pm://lists/cancelled").0).unwrap();
    assert_eq!(
        (&list["status"], &list["total"], &list["items"][0]["id"]),
        (&json!("canceled"), &json!(1), &json!("demo-stick1"))
    );
}

#[test]
fn what_is_not_there_is_not_found() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    for uri in [
        "pm://items/demo-none",
        "pm://items/retry1",
        "pm://items/DEMO-RETRY1",
        "pm://items/demo-lost01",
        "pm://items/demo-lost01/history/2",
        "pm://items/demo-retry1/history/0",
        "pm://items/demo-retry1/history/01",
        "pm://items/demo-retry1/history/4",
        "pm://items/demo-retry1/history/x",
        "pm://items/..%2Fsettings",
        "pm://lists/nonsense",
        "pm://workspace/nothing",
    ] {
        let answer = session.answer("resources/read", json!({"uri": uri}));
        assert_eq!(answer["error"]["code"], -32602, "{uri}: {answer}");
    }
}

#[test]
fn variables_are_completed() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let of = |template: &str| json!({"type": "ref/resource", "uri": template});
    let item = of("pm://items/{id}{?workspace}");
    assert_eq!(session.complete(&item, "id", "re")[..2], ["demo-retry1", "demo-twice1"]);
    assert_eq!(session.complete(&item, "id", "demo-sc"), ["demo-screen"]);
    assert_eq!(session.complete(&item, "workspace", "d"), ["default"]);
    assert_eq!(
        session.complete(&of("pm://lists/{status}{?workspace}"), "status", "in"),
        ["in_review", "in_progress", "in-progress"]
    );
    let version = of("pm://items/{id}/history/{version}{?workspace}");
    let known = json!({"ref": version, "argument": {"name": "version", "value": ""}, "context": {"arguments": {"id": "demo-retry1"}}});
    let completion = session.ask("completion/complete", known);
    assert_eq!(completion["completion"]["values"], json!(["3", "2", "1"]));
}

#[test]
fn more_than_a_hundred_completions_are_counted() {
    let folder = project();
    fill(folder.path(), "x", 120);
    let mut session = Session::start(folder.path(), &[]);
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "pm://items/{id}{?workspace}"},
        "argument": {"name": "id", "value": "demo-x"},
    });
    let completion = session.ask("completion/complete", params)["completion"].clone();
    assert_eq!((completion["values"].as_array().unwrap().len(), &completion["total"]), (100, &json!(120)));
    assert_eq!(completion["hasMore"], true);
}
