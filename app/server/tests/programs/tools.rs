//! Focus, links, linked tests, imports and the index, over real files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::session::{Session, project};

fn forms() -> Value {
    json!({"elicitation": {"form": {}}})
}

fn tasks() -> Value {
    json!({"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}})
}

fn call(session: &mut Session, tool: &str, arguments: Value) -> Value {
    session.answer_with("tools/call", json!({"name": tool, "arguments": arguments}), forms())
}

fn made(session: &mut Session, tool: &str, arguments: Value) -> Value {
    let answer = call(session, tool, arguments);
    assert!(answer["result"]["structuredContent"].is_object(), "{tool}: {answer}");
    answer["result"]["structuredContent"].clone()
}

fn failure(session: &mut Session, tool: &str, arguments: Value) -> Value {
    let answer = call(session, tool, arguments);
    assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
    serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
}

/// Sends a call again with the answer to each question that it asked.
fn again(session: &mut Session, tool: &str, arguments: Value, asked: &Value, answer: &Value) -> Value {
    let questions = asked["result"]["inputRequests"].as_object().unwrap();
    let answers: serde_json::Map<String, Value> =
        questions.keys().map(|key| (key.clone(), answer.clone())).collect();
    let params = json!({
        "name": tool, "arguments": arguments, "requestState": asked["result"]["requestState"],
        "inputResponses": answers,
    });
    session.answer_with("tools/call", params, forms())
}

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

#[test]
fn the_focus_is_set_shown_and_cleared_and_other_keys_stay() {
    let project = project();
    let file = project.path().join(".agents/pm/runtime/session.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, r#"{"other": [1]}"#).unwrap();
    let mut session = Session::start(project.path(), &[]);
    assert_eq!(made(&mut session, "pm_focus", json!({})), json!({"item": null, "changed": false}));
    let focus = made(&mut session, "pm_focus", json!({"id": "#RETURN"}));
    assert_eq!((&focus["item"]["id"], &focus["changed"]), (&json!("demo-return"), &json!(true)));
    let kept: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(kept, json!({"other": [1], "focused_item": "demo-return"}));
    let child = made(&mut session, "pm_create", json!({"title": "Count the returned photos"}));
    assert_eq!(made(&mut session, "pm_get", json!({"id": child["id"]}))["parent"], "demo-return");
    assert_eq!(made(&mut session, "pm_focus", json!({"clear": true}))["item"], Value::Null);
    assert_eq!(failure(&mut session, "pm_focus", json!({"id": "nothing"}))["code"], "item_not_found");
}

#[test]
fn files_are_linked_inside_the_repository_alone() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let page = made(&mut session, "pm_files", json!({"id": "retry1"}));
    assert_eq!((&page["total"], &page["links"][0]["leads_to"]), (&json!(1), &json!("file")));
    let add =
        json!({"id": "retry1", "action": "add", "path": "docs/retry.md", "kind": "doc", "note": "design"});
    let receipt = made(&mut session, "pm_files", add);
    assert_eq!((&receipt["op"], &receipt["changed_fields"]), (&json!("docs_add"), &json!(["docs"])));
    let warnings = receipt["warnings"].to_string();
    assert!(warnings.contains("file_missing: there is nothing at `docs/retry.md` yet"), "{receipt}");
    let outside = failure(&mut session, "pm_files", json!({"id": "retry1", "action": "add", "path": "../x"}));
    assert_eq!(
        (&outside["code"], &outside["details"]["argument"]),
        (&json!("invalid_argument"), &json!("path"))
    );
    made(
        &mut session,
        "pm_files",
        json!({"id": "retry1", "action": "remove", "path": "docs/retry.md", "kind": "doc"}),
    );
    assert_eq!(made(&mut session, "pm_files", json!({"id": "retry1", "kind": "doc"}))["total"], 0);
}

fn with_test(session: &mut Session, command: &str) -> String {
    let item = made(session, "pm_create", json!({"title": format!("Try {command}")}));
    let id = item["id"].as_str().unwrap().to_owned();
    made(session, "pm_test", json!({"id": id, "action": "add", "command": command, "timeoutSeconds": 60}));
    id
}

#[test]
fn linked_commands_run_only_after_the_user_saw_them() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let id = with_test(&mut session, "echo ran >> ran; echo fine; echo odd >&2; exit 0");
    let listed = made(&mut session, "pm_test", json!({"id": id}));
    assert_eq!((&listed["runs"][0]["status"], &listed["skipped"]), (&json!("not_run"), &json!(1)));
    let run = json!({"id": id, "action": "run"});
    let asked = call(&mut session, "pm_test", run.clone());
    let message = asked["result"]["inputRequests"]["confirmation"]["params"]["message"].as_str().unwrap();
    assert!(message.contains("echo ran >> ran; echo fine; echo odd >&2; exit 0 (at most 60 s)"), "{message}");
    let declined = again(&mut session, "pm_test", run.clone(), &asked, &json!({"action": "decline"}));
    assert_eq!(declined["result"]["structuredContent"]["runs"][0]["status"], "declined");
    assert!(!project.path().join("ran").exists());

    let asked = call(&mut session, "pm_test", run.clone());
    let done = again(&mut session, "pm_test", run.clone(), &asked, &accept(json!({"approved": true})));
    let report = &done["result"]["structuredContent"];
    assert_eq!((&report["passed"], &report["failed"]), (&json!(1), &json!(0)), "{done}");
    assert_eq!(
        (&report["runs"][0]["stdout_tail"], &report["runs"][0]["stderr_tail"]),
        (&json!("fine\n"), &json!("odd\n"))
    );
    assert_eq!(fs::read_to_string(project.path().join("ran")).unwrap(), "ran\n");

    // Another command than the one that was shown is shown anew.
    let asked = call(&mut session, "pm_test", run.clone());
    made(&mut session, "pm_test", json!({"id": id, "action": "add", "command": "rm ran"}));
    let once_more = again(&mut session, "pm_test", run, &asked, &accept(json!({"approved": true})));
    assert_eq!(once_more["result"]["resultType"], "input_required", "{once_more}");
    assert!(project.path().join("ran").exists());
}

#[test]
fn a_run_becomes_a_task_after_consent_for_clients_that_know_tasks() {
    let project = project();
    let mut session = Session::start(project.path(), &[("PM_MCP_CONFIRM", "never")]);
    let id = with_test(&mut session, "false");
    let params = json!({"name": "pm_test", "arguments": {"id": id, "action": "run"}});
    let answer = session.answer_with("tools/call", params, tasks());
    assert_eq!(answer["result"]["resultType"], "task", "{answer}");
    let task = answer["result"]["taskId"].clone();
    let result = loop {
        let state = session.answer_with("tasks/get", json!({"taskId": task}), tasks());
        match state["result"]["status"].as_str().unwrap() {
            "working" => std::thread::yield_now(),
            "completed" => break state["result"]["result"]["structuredContent"].clone(),
            other => panic!("{other}: {state}"),
        }
    };
    assert_eq!((&result["failed"], &result["runs"][0]["exit_code"]), (&json!(1), &json!(1)), "{result}");
}

#[test]
fn where_commands_may_not_run_nothing_is_asked() {
    let project = project();
    let mut session = Session::start(project.path(), &[("PM_MCP_ALLOW_TEST_RUN", "0")]);
    let id = with_test(&mut session, "touch ran");
    let refused = failure(&mut session, "pm_test", json!({"id": id, "action": "run"}));
    assert_eq!(refused["code"], "test_run_disabled");
    assert!(!project.path().join("ran").exists());
}

fn items(project: &Path) -> usize {
    let folder = project.join(".agents/pm");
    ["tasks", "issues", "epics", "features"]
        .iter()
        .filter_map(|name| fs::read_dir(folder.join(name)).ok())
        .map(Iterator::count)
        .sum()
}

#[test]
fn lists_are_brought_in_once_with_their_tree() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let text = "- [ ] Clean the lens #care p1\n  - [x] Buy cloth\n  - [ ] Wipe weekly\n";
    fs::write(project.path().join("chores.md"), text).unwrap();
    let wanted = json!({"format": "todos", "source": "chores.md"});
    let before = items(project.path());
    let mut dry = wanted.clone();
    dry["dryRun"] = json!(true);
    let dry = made(&mut session, "pm_import", dry);
    assert_eq!((dry["created"].as_array().unwrap().len(), items(project.path())), (3, before));

    let report = made(&mut session, "pm_import", wanted.clone());
    assert_eq!((&report["read"], &report["errors"]), (&json!(3), &json!([])), "{report}");
    let ids: Vec<&str> =
        report["created"].as_array().unwrap().iter().map(|made| made["id"].as_str().unwrap()).collect();
    let cloth = made(&mut session, "pm_get", json!({"id": ids[1]}));
    assert_eq!((&cloth["parent"], &cloth["status"]), (&json!(ids[0]), &json!("closed")), "{report}");
    let lens = made(&mut session, "pm_get", json!({"id": ids[0]}));
    assert_eq!((&lens["tags"], &lens["priority"]), (&json!(["care"]), &json!(1)));

    // The open ones are there already, so the user is asked about each of them.
    let asked = call(&mut session, "pm_import", wanted.clone());
    assert_eq!(asked["result"]["inputRequests"].as_object().unwrap().len(), 2, "{asked}");
    let again = again(&mut session, "pm_import", wanted.clone(), &asked, &accept(json!({"create": false})));
    let report = &again["result"]["structuredContent"];
    assert_eq!(report["duplicates"].as_array().unwrap().len(), 2, "{again}");
    let mut skipping = wanted;
    skipping["duplicates"] = json!("skip");
    let skipped = made(&mut session, "pm_import", skipping);
    assert_eq!(skipped["skipped"].as_array().unwrap().len(), 2, "{skipped}");
}

#[test]
fn beads_keep_their_edges_and_are_known_again() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let content = concat!(
        r#"{"id":"bd-2","title":"Sort the shelves","issue_type":"bug","status":"closed","close_reason":"sorted","dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"parent-child"},{"issue_id":"bd-2","depends_on_id":"bd-3","type":"related"}]}"#,
        "\n",
        r#"{"id":"bd-1","title":"Tidy the store","issue_type":"epic","status":"open"}"#,
        "\nbroken\n",
        r#"{"id":"bd-3","title":"Label boxes","issue_type":"task","status":"open"}"#,
        "\n",
    );
    let wanted = json!({"format": "beads", "content": content});
    let report = made(&mut session, "pm_import", wanted.clone());
    assert_eq!(report["created"].as_array().unwrap().len(), 3, "{report}");
    assert_eq!(report["errors"].as_array().unwrap().len(), 1, "{report}");
    let id = |title: &str| {
        let made = report["created"].as_array().unwrap().iter().find(|made| made["title"] == title).unwrap();
        made["id"].as_str().unwrap().to_owned()
    };
    let shelves = made(&mut session, "pm_get", json!({"id": id("Sort the shelves"), "depth": "full"}));
    assert_eq!(
        (&shelves["type"], &shelves["parent"], &shelves["close_reason"], &shelves["dependencies"][0]["id"]),
        (&json!("Issue"), &json!(id("Tidy the store")), &json!("sorted"), &json!(id("Label boxes")))
    );
    let again = made(&mut session, "pm_import", wanted);
    assert_eq!(
        (again["created"].as_array().unwrap().len(), again["skipped"].as_array().unwrap().len()),
        (0, 3)
    );
    let checks =
        json!({"checks": ["history_drift", "normal_form", "storage_integrity", "dependency_references"]});
    assert_eq!(made(&mut session, "pm_validate", checks)["ok"], true);
}

#[test]
fn the_index_can_be_thrown_away_at_any_time() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let hits = made(&mut session, "pm_search", json!({"query": "upload"}));
    let kept = made(&mut session, "pm_reindex", json!({}));
    assert_eq!((&kept["rebuilt"], &kept["removed"]), (&json!(0), &json!(0)), "{kept}");
    let full = made(&mut session, "pm_reindex", json!({"full": true}));
    assert_eq!(full["rebuilt"], full["items"], "{full}");
    assert_eq!(made(&mut session, "pm_search", json!({"query": "upload"})), hits);
}

#[test]
fn six_operations_return_tasks_and_no_other_tool_does() {
    let project = project();
    let mut session = Session::start(project.path(), &[("PM_MCP_CONFIRM", "never")]);
    let id = with_test(&mut session, "true");
    let plain = [
        ("pm_context", json!({})),
        ("pm_next", json!({})),
        ("pm_list", json!({})),
        ("pm_search", json!({"query": "upload"})),
        ("pm_get", json!({"id": id})),
        ("pm_events", json!({})),
        ("pm_create", json!({"title": "Water the plants"})),
        ("pm_update", json!({"id": id, "set": {"priority": 3}})),
        ("pm_claim", json!({"id": id})),
        ("pm_comments", json!({"id": id, "action": "add", "text": "begun"})),
        ("pm_files", json!({"id": id})),
        ("pm_focus", json!({})),
        ("pm_release", json!({"id": id})),
        ("pm_test", json!({"id": id})),
        (
            "pm_mutate",
            json!({"transactionId": "t", "mutations": [{"op": "close", "id": id, "reason": "x"}], "dryRun": true}),
        ),
        ("pm_close", json!({"id": id, "reason": "watered"})),
    ];
    let long = [
        ("pm_validate", json!({})),
        ("pm_health", json!({})),
        ("pm_graph", json!({"query": "cycles"})),
        ("pm_import", json!({"format": "todos", "content": "- [ ] x", "dryRun": true})),
        ("pm_reindex", json!({})),
        ("pm_test", json!({"id": id, "action": "run"})),
    ];
    let mut outcome = |tool: &str, arguments: &Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = session.answer_with("tools/call", params, tasks());
        assert!(answer["result"].get("isError").is_none(), "{tool}: {answer}");
        answer["result"]["resultType"].as_str().unwrap_or_else(|| panic!("{tool}: {answer}")).to_owned()
    };
    for (tool, arguments) in &plain {
        assert_eq!(outcome(tool, arguments), "complete", "{tool}");
    }
    for (tool, arguments) in &long {
        assert_eq!(outcome(tool, arguments), "task", "{tool}");
    }
}

#[test]
fn the_id_of_a_kept_test_run_is_no_task() {
    let project = project();
    let settings = project.path().join(".agents/pm/settings.json");
    let mut kept: Value = serde_json::from_str(&fs::read_to_string(&settings).unwrap()).unwrap();
    kept["testing"] = json!({"record_results_to_items": true});
    fs::write(&settings, kept.to_string()).unwrap();
    let mut session = Session::start(project.path(), &[("PM_MCP_CONFIRM", "never")]);
    let id = with_test(&mut session, "true");
    made(&mut session, "pm_test", json!({"id": id, "action": "run"}));
    let item = made(&mut session, "pm_get", json!({"id": id, "depth": "full"}));
    let run = &item["test_runs"][0];
    assert_eq!((&run["status"], &run["passed"]), (&json!("passed"), &json!(1)), "{item}");
    let answer = session.answer_with("tasks/get", json!({"taskId": run["run_id"]}), tasks());
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}
