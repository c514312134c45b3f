//! The tools that change items, over real files.

use serde_json::{Value, json};

use crate::session::{Session, project};

/// What a client says that can be asked with forms.
fn forms() -> Value {
    json!({"elicitation": {"form": {}}})
}

fn called(session: &mut Session, tool: &str, arguments: Value, more: Value, capabilities: Value) -> Value {
    let mut params = json!({"name": tool, "arguments": arguments});
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    session.answer_with("tools/call", params, capabilities)
}

fn made(session: &mut Session, tool: &str, arguments: Value) -> Value {
    let answer = called(session, tool, arguments, json!({}), forms());
    assert!(answer["result"]["structuredContent"].is_object(), "{tool}: {answer}");
    answer["result"]["structuredContent"].clone()
}

fn failure(session: &mut Session, tool: &str, arguments: Value) -> Value {
    let answer = called(session, tool, arguments, json!({}), forms());
    assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
    serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
}

fn answered(asked: &Value, key: &str, response: Value) -> Value {
    json!({"requestState": asked["result"]["requestState"], "inputResponses": {key: response}})
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"approved": true}})
}

#[test]
fn an_item_lives_from_its_making_to_its_end() {
    let project = project();
    let mut session = Session::start(project.path(), &[("PM_AUTHOR", "operator")]);
    let new = json!({"title": "Count sheep", "type": "Task", "tags": ["Night"], "fields": {"goal": "sleep"}, "priority": 1});
    let made_item = made(&mut session, "pm_create", new);
    let id = made_item["id"].as_str().unwrap().to_owned();
    assert_eq!((&made_item["version"], &made_item["status"]), (&json!(1), &json!("open")));
    let repeated = failure(&mut session, "pm_create", json!({"title": "count: SHEEP"}));
    assert_eq!(
        (&repeated["code"], &repeated["details"]["candidates"][0]["id"]),
        (&json!("duplicate_suspected"), &json!(id))
    );
    let changed = made(
        &mut session,
        "pm_update",
        json!({"id": id, "set": {"deadline": "2027-01-01"}, "addTags": ["wool"], "ifVersion": 1}),
    );
    assert_eq!((&changed["version"], &changed["changed_fields"]), (&json!(2), &json!(["tags", "deadline"])));
    let stale = failure(&mut session, "pm_update", json!({"id": id, "set": {"priority": 4}, "ifVersion": 1}));
    assert_eq!((&stale["code"], &stale["details"]["current"]), (&json!("stale_write"), &json!(2)));
    made(&mut session, "pm_claim", json!({"id": id}));
    let held = failure(&mut session, "pm_claim", json!({"id": id, "author": "zoe"}));
    assert_eq!((&held["code"], &held["details"]["holder"]), (&json!("already_claimed"), &json!("operator")));
    let skipped = made(&mut session, "pm_claim", json!({"id": id, "author": "zoe", "ifAvailable": true}));
    assert_eq!(skipped["changed_fields"], json!([]));
    made(&mut session, "pm_comments", json!({"id": id, "action": "add", "text": "up to 300"}));
    made(&mut session, "pm_comments", json!({"id": id, "action": "edit", "index": 1, "text": "up to 400"}));
    let log = made(&mut session, "pm_comments", json!({"id": id}));
    assert_eq!((&log["total"], &log["entries"][0]["text"]), (&json!(1), &json!("up to 400")));
    assert_eq!(failure(&mut session, "pm_close", json!({"id": id}))["code"], "reason_required");
    let closed = made(&mut session, "pm_close", json!({"id": id, "reason": "asleep"}));
    assert_eq!((&closed["status"], &closed["version"]), (&json!("closed"), &json!(6)));
    let item = made(&mut session, "pm_get", json!({"id": id, "depth": "full"}));
    assert_eq!(
        (&item["close_reason"], &item["goal"], &item["assignee"]),
        (&json!("asleep"), &json!("sleep"), &Value::Null)
    );
    let events = made(&mut session, "pm_events", json!({"item": [id]}));
    let ops: Vec<&str> =
        events["events"].as_array().unwrap().iter().map(|event| event["op"].as_str().unwrap()).collect();
    assert_eq!(ops, ["create", "update", "claim", "comment_add", "comment_edit", "close"]);
    let report = made(
        &mut session,
        "pm_validate",
        json!({"checks": ["history_drift", "normal_form", "storage_integrity"]}),
    );
    for check in report["checks"].as_array().unwrap() {
        assert_eq!(check["findings"], json!([]), "{check}");
    }
}

#[test]
fn closing_sets_free_what_waited_for_nothing_else() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let blocker =
        made(&mut session, "pm_create", json!({"title": "Dig the hole"}))["id"].as_str().unwrap().to_owned();
    let waiting =
        json!({"title": "Plant a tree", "dependencies": [blocker], "fields": {"status": "blocked"}});
    let waiting = made(&mut session, "pm_create", waiting)["id"].as_str().unwrap().to_owned();
    let closed = made(&mut session, "pm_close", json!({"id": blocker, "reason": "dug"}));
    assert_eq!(closed["side_effects"], json!([{"id": waiting, "op": "update"}]));
    assert_eq!(made(&mut session, "pm_get", json!({"id": waiting}))["status"], "open");
}

#[test]
fn several_clients_take_different_items() {
    let project = project();
    let mut first = Session::start(project.path(), &[("PM_AUTHOR", "one")]);
    let mut second = Session::start(project.path(), &[("PM_AUTHOR", "two")]);
    let taken = made(&mut first, "pm_claim", json!({"next": true}));
    let other = made(&mut second, "pm_claim", json!({"next": true}));
    assert_ne!(taken["id"], other["id"]);
    let none = failure(&mut second, "pm_claim", json!({"next": true, "tag": "no-such-tag"}));
    assert_eq!(none["code"], "item_not_found");
}

#[test]
fn what_somebody_holds_is_next_for_whoever_asks_for_it() {
    let project = project();
    let mut session = Session::start(project.path(), &[("PM_AUTHOR", "one")]);
    let ready = |session: &mut Session, name: &str| {
        let next = made(session, "pm_next", json!({"assignee": name, "readyOnly": true, "limit": 100}));
        next["recommended"]["item"]["id"].clone()
    };
    let own = made(&mut session, "pm_claim", json!({"next": true}))["id"].clone();
    let tagged = json!({"id": own, "addTags": ["handed-over"], "author": "one"});
    made(&mut session, "pm_update", tagged);
    // Nothing else has the tag: what the asker holds already is no new work, but can be asked for.
    let within = |more: Value| {
        let mut arguments = json!({"next": true, "tag": "handed-over"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    assert_eq!(failure(&mut session, "pm_claim", within(json!({})))["code"], "item_not_found");
    let again = made(&mut session, "pm_claim", within(json!({"assignee": "one"})));
    assert_eq!(again["id"], own);
    assert!(again["warnings"][0].as_str().unwrap().starts_with("claim_held"), "{again}");
    // Somebody else's takes force, and is then the first that pm_next shows for them.
    let other = |more: Value| {
        let mut arguments = within(more);
        arguments
            .as_object_mut()
            .unwrap()
            .extend(json!({"author": "two", "assignee": "one"}).as_object().unwrap().clone());
        arguments
    };
    assert_eq!(failure(&mut session, "pm_claim", other(json!({})))["code"], "already_claimed");
    assert_eq!(ready(&mut session, "one"), own, "pm_next names the same one");
    assert_eq!(made(&mut session, "pm_claim", other(json!({"force": true})))["id"], own);
    assert_ne!(ready(&mut session, "one"), own);
}

#[test]
fn a_batch_is_shown_first_and_made_as_shown() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let old =
        made(&mut session, "pm_create", json!({"title": "Old matter"}))["id"].as_str().unwrap().to_owned();
    let arguments = json!({"transactionId": "tx-1", "mutations": [
        {"op": "create", "ref": "tree", "options": {"title": "Plant a tree"}},
        {"op": "create", "options": {"title": "Water the tree", "parent": "@tree"}},
        {"op": "delete", "id": old, "reason": "not needed"},
    ]});
    let call = |session: &mut Session, more: Value, capabilities: Value| {
        called(session, "pm_mutate", arguments.clone(), more, capabilities)
    };
    assert_eq!(call(&mut session, json!({}), json!({}))["error"]["code"], -32021);
    let asked = call(&mut session, json!({}), forms());
    let question = &asked["result"]["inputRequests"]["confirmation"]["params"];
    assert!(question["message"].as_str().unwrap().contains(&format!("3. delete {old}")), "{question}");
    assert_eq!(question["requestedSchema"]["properties"]["approved"]["type"], "boolean");
    let declined =
        call(&mut session, answered(&asked, "confirmation", json!({"action": "decline"})), forms());
    let declined = &declined["result"]["structuredContent"];
    assert_eq!((&declined["applied"], &declined["reason"]), (&json!(false), &json!("declined")));
    let again = call(&mut session, answered(&asked, "confirmation", yes()), forms());
    assert!(again["error"].is_object(), "a state is good for one use: {again}");

    let asked = call(&mut session, json!({}), forms());
    made(&mut session, "pm_comments", json!({"id": old, "action": "add", "text": "wait"}));
    let asked = call(&mut session, answered(&asked, "confirmation", yes()), forms());
    let question = &asked["result"]["inputRequests"]["confirmation-2"]["params"]["message"];
    assert!(
        question
            .as_str()
            .unwrap()
            .starts_with(&format!("Something changed since you were asked: {old} is at version 2")),
        "{asked}"
    );
    let no = json!({"action": "accept", "content": {"approved": false}});
    let refused = call(&mut session, answered(&asked, "confirmation-2", no), forms());
    assert_eq!(refused["result"]["structuredContent"]["reason"], "declined");

    let asked = call(&mut session, json!({}), forms());
    let done = call(&mut session, answered(&asked, "confirmation", yes()), forms());
    let done = done["result"]["structuredContent"].clone();
    assert_eq!((&done["applied"], done.get("reason")), (&json!(true), None));
    let tree = done["references"]["tree"].as_str().unwrap();
    let water = done["rows"][1]["id"].as_str().unwrap();
    assert_eq!(made(&mut session, "pm_get", json!({"id": water}))["parent"], tree);
    assert_eq!(failure(&mut session, "pm_get", json!({"id": old}))["code"], "item_not_found");
    let recorded = call(&mut session, json!({}), json!({}))["result"]["structuredContent"].clone();
    assert_eq!(
        (&recorded["applied"], &recorded["reason"], &recorded["references"]),
        (&json!(true), &json!("recorded"), &done["references"])
    );
    let taken = failure(
        &mut session,
        "pm_mutate",
        json!({"transactionId": "tx-1", "mutations": [{"op": "create", "options": {"title": "x"}}]}),
    );
    assert_eq!(taken["details"]["argument"], "transactionId");
}

#[test]
fn when_to_ask_is_the_operators_choice() {
    let project = project();
    let harmless = json!({"transactionId": "a", "mutations": [{"op": "create", "options": {"title": "Harmless thing"}}]});
    let mut session = Session::start(project.path(), &[]);
    assert_eq!(made(&mut session, "pm_mutate", harmless.clone())["applied"], true);
    let many: Vec<Value> = (0..11)
        .map(|n| json!({"op": "create", "options": {"title": format!("{n}"), "allowDuplicate": true}}))
        .collect();
    let many = called(
        &mut session,
        "pm_mutate",
        json!({"transactionId": "b", "mutations": many}),
        json!({}),
        forms(),
    );
    assert_eq!(many["result"]["resultType"], "input_required");
    let dry = made(
        &mut session,
        "pm_mutate",
        json!({"transactionId": "c", "dryRun": true, "mutations": [{"op": "delete", "id": "demo-screen", "reason": "r"}]}),
    );
    assert_eq!((&dry["applied"], &dry["dry_run"]), (&json!(false), &json!(true)));

    let mut always = Session::start(project.path(), &[("PM_MCP_CONFIRM", "always")]);
    let asked = called(
        &mut always,
        "pm_mutate",
        json!({"transactionId": "d", "mutations": [{"op": "update", "id": "demo-screen", "options": {"addTags": ["t"]}}]}),
        json!({}),
        forms(),
    );
    assert_eq!(asked["result"]["resultType"], "input_required");

    let mut never = Session::start(project.path(), &[("PM_MCP_CONFIRM", "never")]);
    let rows = json!([{"op": "close", "id": "demo-screen", "reason": "done"}]);
    let unasked = called(
        &mut never,
        "pm_mutate",
        json!({"transactionId": "e", "mutations": rows}),
        json!({}),
        json!({}),
    );
    assert_eq!(unasked["result"]["structuredContent"]["applied"], true, "{unasked}");
}

#[test]
fn a_row_that_cannot_be_made_is_named_and_nothing_is_written() {
    let project = project();
    let mut session = Session::start(project.path(), &[]);
    let before = made(&mut session, "pm_list", json!({}))["total"].clone();
    for (row, code) in [
        (json!({"op": "update", "id": "zzz"}), "item_not_found"),
        (json!({"op": "update", "id": "@none"}), "invalid_argument"),
        (json!({"op": "create", "id": "x"}), "invalid_argument"),
        (json!({"op": "delete", "id": "demo-screen"}), "reason_required"),
        (json!({"op": "update", "id": "demo-screen", "options": {"sett": {}}}), "invalid_argument"),
        (
            json!({"op": "update", "id": "demo-screen", "options": {"set": {"parent": "demo-zzzz"}}}),
            "parent_missing",
        ),
    ] {
        let rows = json!([{"op": "create", "options": {"title": "First of two"}}, row]);
        let failed = failure(&mut session, "pm_mutate", json!({"transactionId": "f", "mutations": rows}));
        assert_eq!(
            (&failed["code"], &failed["details"]["index"]),
            (&json!(code), &json!(1)),
            "{row}: {failed}"
        );
    }
    assert_eq!(made(&mut session, "pm_list", json!({}))["total"], before);
}

#[test]
fn repairs_are_chosen_and_only_those_are_made() {
    let project = project();
    let file = project.path().join(".agents/pm/tasks/demo-screen.toon");
    let edited = std::fs::read_to_string(&file).unwrap().replace("priority: 2", "priority: 3");
    std::fs::write(&file, &edited).unwrap();
    let mut session = Session::start(project.path(), &[]);
    let refused = failure(&mut session, "pm_update", json!({"id": "demo-screen", "set": {"goal": "g"}}));
    assert_eq!(refused["code"], "history_unreadable");
    let fix = json!({"fix": true});
    let asked = called(&mut session, "pm_validate", fix.clone(), json!({}), forms());
    let question = &asked["result"]["inputRequests"]["repairs"]["params"];
    assert!(
        question["message"]
            .as_str()
            .unwrap()
            .contains("adopt_edits: record edits made outside in 1 cases: demo-screen"),
        "{question}"
    );
    let declined = called(
        &mut session,
        "pm_validate",
        fix.clone(),
        answered(&asked, "repairs", json!({"action": "decline"})),
        forms(),
    );
    assert_eq!(declined["result"]["structuredContent"]["fixes"], json!([]));
    let asked = called(&mut session, "pm_validate", fix.clone(), json!({}), forms());
    let chosen = json!({"action": "accept", "content": {"adopt_edits": true}});
    let done = called(&mut session, "pm_validate", fix, answered(&asked, "repairs", chosen), forms());
    let fixes = &done["result"]["structuredContent"]["fixes"];
    assert_eq!(
        (fixes.as_array().unwrap().len(), &fixes[0]["fix"], &fixes[0]["item"]),
        (1, &json!("append_history_repair"), &json!("demo-screen"))
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
    made(&mut session, "pm_update", json!({"id": "demo-screen", "set": {"goal": "g"}}));
}

#[test]
fn a_workspace_that_pm_would_not_accept_is_not_written_to() {
    let project = project();
    let settings = project.path().join(".agents/pm/settings.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["search"].as_object_mut().unwrap().remove("max_results");
    std::fs::write(&settings, value.to_string()).unwrap();
    let mut session = Session::start(project.path(), &[]);
    let refused = failure(&mut session, "pm_create", json!({"title": "Anything"}));
    assert!(refused["message"].as_str().unwrap().contains("search.max_results"), "{refused}");
}
