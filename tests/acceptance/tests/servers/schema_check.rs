//! The schema check of the harness bites: without this, silence of the other tests would prove nothing.

use pm_mcp_acceptance::{legacy_schema, wire_schema};
use serde_json::{Value, json};

fn server() -> Value {
    json!({"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "1"}})
}

fn listed() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"resultType": "complete", "ttlMs": 1, "cacheScope": "private", "tools": [], "_meta": server()},
    })
}

#[test]
fn messages_that_do_not_fit_the_revision_are_seen() {
    let Some(schema) = wire_schema() else { return };
    assert_eq!(schema.check(&listed(), Some("tools/list")), Ok(()));
    for left_out in ["resultType", "ttlMs", "cacheScope", "tools", "_meta"] {
        let mut message = listed();
        message["result"].as_object_mut().unwrap().remove(left_out);
        assert!(schema.check(&message, Some("tools/list")).is_err(), "without {left_out}");
    }
    let error =
        |code: i64, id: Value| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "m"}});
    assert_eq!(schema.check(&error(-32602, json!(1)), None), Ok(()));
    for (what, message) in [
        ("a null id", error(-32700, Value::Null)),
        ("an unknown code", error(-1, json!(1))),
        ("an unsupported version without its data", error(-32022, json!(1))),
        ("a request", json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})),
        ("an unknown notification", json!({"jsonrpc": "2.0", "method": "notifications/made-up"})),
        ("a result that nobody asked for", listed()),
    ] {
        assert!(schema.check(&message, None).is_err(), "{what}");
    }
}

#[test]
fn tasks_that_do_not_fit_the_extension_are_seen() {
    let Some(schema) = wire_schema() else { return };
    let task = |members: Value| {
        let mut task = json!({
            "taskId": "t", "status": "working", "createdAt": "2026-07-28T00:00:00Z",
            "lastUpdatedAt": "2026-07-28T00:00:00Z", "ttlMs": 1, "_meta": server(),
        });
        task.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        task
    };
    let answer = |members: Value| json!({"jsonrpc": "2.0", "id": 1, "result": task(members)});
    let notice =
        |members: Value| json!({"jsonrpc": "2.0", "method": "notifications/tasks", "params": task(members)});
    let complete = |members: Value| {
        let mut members = members;
        members["resultType"] = json!("complete");
        answer(members)
    };
    let content = json!({"resultType": "complete", "content": [], "_meta": server()});
    for (message, method) in [
        (answer(json!({"resultType": "task"})), Some("tools/call")),
        (complete(json!({})), Some("tasks/get")),
        (complete(json!({"status": "completed", "result": content})), Some("tasks/get")),
        (complete(json!({"status": "failed", "error": {"code": -32603, "message": "m"}})), Some("tasks/get")),
        (complete(json!({})), Some("tasks/cancel")),
        (notice(json!({})), None),
    ] {
        assert_eq!(schema.check(&message, method), Ok(()), "{message}");
    }
    for (message, method) in [
        (answer(json!({"resultType": "task"})), Some("prompts/get")),
        (answer(json!({"resultType": "task", "ttlMs": "1"})), Some("tools/call")),
        (complete(json!({"status": "completed"})), Some("tasks/get")),
        (complete(json!({"status": "completed", "result": {"content": 1}})), Some("tasks/get")),
        (complete(json!({"status": "failed"})), Some("tasks/get")),
        (complete(json!({"status": "input_required"})), Some("tasks/get")),
        (complete(json!({"status": "working", "result": content})), Some("tasks/get")),
        (answer(json!({"resultType": "task"})), Some("tasks/get")),
        (notice(json!({"status": "ended"})), None),
        (answer(json!({"resultType": "input_required"})), Some("tools/call")),
        (answer(json!({"resultType": "input_required", "requestState": "s"})), Some("tools/list")),
    ] {
        assert!(schema.check(&message, method).is_err(), "{message}");
    }
}

#[test]
fn messages_that_do_not_fit_an_earlier_revision_are_seen() {
    for revision in ["2025-11-25", "2025-06-18"] {
        let Some(schema) = legacy_schema(revision) else { return };
        let result = |result: Value| json!({"jsonrpc": "2.0", "id": 1, "result": result});
        assert_eq!(schema.check(&result(json!({"tools": []})), Some("tools/list")), Ok(()));
        let updated =
            json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "a:b"}});
        assert_eq!(schema.check(&updated, None), Ok(()));
        for (what, message, method) in [
            ("what only the current revision says", listed(), "tools/list"),
            ("nothing listed", result(json!({})), "tools/list"),
            (
                "structured content that is a list",
                result(json!({"content": [], "structuredContent": []})),
                "tools/call",
            ),
            ("no capabilities", result(json!({"protocolVersion": revision})), "initialize"),
            ("a method of another era", result(json!({})), "server/discover"),
            (
                "an error without a message",
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602}}),
                "ping",
            ),
            ("a null id", json!({"jsonrpc": "2.0", "id": null, "result": {}}), "ping"),
            ("a request", json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"}), "ping"),
        ] {
            assert!(schema.check(&message, Some(method)).is_err(), "{what} in {revision}");
        }
    }
}
