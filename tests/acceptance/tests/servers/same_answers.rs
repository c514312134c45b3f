//! The same request gets the same answer on stdio and on HTTP.

use pm_mcp_acceptance::{HttpServer, Project, StdioServer, call, meta, request};
use serde_json::{Value, json};

fn requests() -> Vec<Value> {
    let list = |method: &str| request(1, method, json!({}));
    let read = |uri: &str| request(1, "resources/read", json!({"uri": uri}));
    let complete = |reference: Value, name: &str, value: &str, known: Value| {
        let argument = json!({"name": name, "value": value});
        request(
            1,
            "completion/complete",
            json!({"ref": reference, "argument": argument, "context": {"arguments": known}}),
        )
    };
    let prompt = |name: &str, arguments: Value| {
        request(1, "prompts/get", json!({"name": name, "arguments": arguments}))
    };
    vec![
        list("server/discover"),
        list("tools/list"),
        list("resources/templates/list"),
        list("resources/list"),
        list("prompts/list"),
        list("no/such/method"),
        list("skills/list"),
        request(1, "skills/get", json!({"uri": "skill://pm-mcp/orient/SKILL.md"})),
        request(1, "skills/get", json!({"uri": "skill://none/SKILL.md"})),
        request(1, "skills/get", json!({})),
        request(1, "resources/directory/read", json!({"uri": "skill://pm-mcp/orient"})),
        request(1, "resources/directory/read", json!({"uri": "skill://pm-mcp/orient/SKILL.md"})),
        read("skill://pm-mcp/orient/references/filters.md"),
        read("skill://pm-mcp/orient/../orient/SKILL.md"),
        call(1, "pm_context", json!({})),
        call(1, "pm_context", json!({"depth": "deep", "parent": "demo-p001"})),
        call(1, "pm_next", json!({})),
        call(1, "pm_next", json!({"readyOnly": true, "limit": 2})),
        call(1, "pm_list", json!({"limit": 3})),
        call(1, "pm_list", json!({"status": ["closed"]})),
        call(1, "pm_search", json!({"query": "uploads retry"})),
        call(1, "pm_get", json!({"id": "demo-k3x9", "depth": "full"})),
        call(1, "pm_get", json!({"id": "#W2M8", "depth": "brief"})),
        call(1, "pm_get", json!({"id": "demo-k3x9", "at": 1})),
        call(1, "pm_get", json!({"id": "demo-zzzz"})),
        call(1, "pm_get", json!({"id": 7})),
        call(1, "pm_get", json!({"ident": "demo-k3x9"})),
        call(1, "pm_dance", json!({})),
        call(1, "pm_events", json!({"limit": 5})),
        call(1, "pm_events", json!({"item": ["demo-k3x9"], "full": true})),
        call(1, "pm_validate", json!({})),
        call(1, "pm_graph", json!({"query": "ancestors", "id": "demo-k3x9"})),
        call(1, "pm_graph", json!({"query": "cycles"})),
        read("pm://workspace/context"),
        read("pm://workspace/next"),
        read("pm://workspace/focus"),
        read("pm://workspace/claims"),
        read("pm://workspace/schema"),
        read("pm://workspace/agent-guide"),
        read("pm://items/demo-k3x9"),
        read("pm://items/demo-w2m8/body"),
        read("pm://items/demo-k3x9/history"),
        read("pm://items/demo-k3x9/history/2"),
        read("pm://items/demo-k3x9/history/9"),
        read("pm://lists/open"),
        read("pm://items/demo-zzzz"),
        prompt("orient", json!({"request": "Where do I begin?"})),
        prompt("claim-and-start", json!({"id": "demo-q7aa"})),
        prompt("record-evidence-and-close", json!({"id": "demo-w2m8", "evidence": "It is on the wall."})),
        prompt("skill/triage", json!({})),
        prompt("orient", json!({})),
        complete(json!({"type": "ref/prompt", "name": "claim-and-start"}), "id", "demo-", json!({})),
        complete(json!({"type": "ref/prompt", "name": "orient"}), "scope", "", json!({})),
        complete(json!({"type": "ref/prompt", "name": "dance"}), "id", "", json!({})),
        complete(json!({"type": "ref/resource", "uri": "pm://items/{id}"}), "id", "demo-", json!({})),
    ]
}

/// Streams, tasks and what earlier revisions had: for a client that declares the tasks extension, and for one that does
/// not.
fn requests_of_extensions() -> Vec<Value> {
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let mut all = Vec::new();
    for meta in [self::meta(), meta] {
        let mut add = |method: &str, mut params: Value| {
            params["_meta"] = meta.clone();
            all.push(request(1, method, params));
        };
        add("server/discover", json!({}));
        for task in ["", "no-such-task", "task-0000000000000000000000000000000000000000"] {
            add("tasks/get", json!({"taskId": task}));
            add("tasks/update", json!({"taskId": task, "inputResponses": {}}));
            add("tasks/cancel", json!({"taskId": task}));
        }
        add("tasks/get", json!({}));
        add("tasks/update", json!({"taskId": "no-such-task"}));
        add("subscriptions/listen", json!({}));
        add("subscriptions/listen", json!({"notifications": {"toolsListChanged": "yes"}}));
        add("subscriptions/listen", json!({"notifications": {"resourceSubscriptions": [1]}}));
        let retry =
            json!({"name": "pm_next", "arguments": {}, "requestState": "made-up", "inputResponses": {}});
        add("tools/call", retry.clone());
        add("tools/call", json!({"name": "pm_next", "arguments": {}, "inputResponses": []}));
        add("prompts/get", json!({"name": "orient", "requestState": 7}));
        add("resources/read", json!({"uri": "pm://workspace/next", "requestState": ""}));
        for method in [
            "initialize",
            "ping",
            "logging/setLevel",
            "resources/subscribe",
            "resources/unsubscribe",
            "tasks/list",
            "tasks/result",
            "roots/list",
            "sampling/createMessage",
            "elicitation/create",
        ] {
            add(method, json!({}));
        }
    }
    all
}

#[test]
fn equal_requests_get_equal_answers_on_both_transports() {
    let project = Project::paged();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    for request in requests().into_iter().chain(requests_of_extensions()) {
        let (mut from_stdio, mut from_http) = (stdio.ask(&request), http.ask(&request));
        for answer in [&mut from_stdio, &mut from_http] {
            settle(answer);
        }
        assert_eq!(from_stdio, from_http, "for {request}");
    }
}

/// Takes out what may differ between two servers: the times at which they answered, and cursors, which each signs
/// with a key of its own. That there is one is still compared.
fn settle(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match name.as_str() {
                    "nextCursor" | "next_cursor" | "generated_at" => {
                        *member = Value::Bool(member.is_string())
                    }
                    "text" => settle_text(member),
                    _ => settle(member),
                }
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(settle),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Results repeat themselves as JSON in a text block.
fn settle_text(text: &mut Value) {
    if let Some(Ok(mut inner)) = text.as_str().map(serde_json::from_str::<Value>)
        && inner.is_object()
    {
        settle(&mut inner);
        *text = inner;
    }
}

#[test]
fn lists_and_discovery_are_the_same_bytes_each_time() {
    let project = Project::paged();
    let mut stdio = StdioServer::of(&project);
    for method in ["server/discover", "tools/list", "prompts/list", "resources/templates/list"] {
        let asked = request(1, method, json!({}));
        let first = {
            stdio.send(&asked);
            stdio.receive_line()
        };
        let again = {
            stdio.send(&asked);
            stdio.receive_line()
        };
        assert_eq!(first, again);
        assert!(!first.contains(":null"), "an optional member is left out, not null: {first}");
    }
}
