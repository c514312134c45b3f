//! `pm-mcp` for clients of earlier revisions; every answer is held against the schema of the revision agreed on.

use pm_mcp_acceptance::{HttpRequest, HttpServer, Project, StdioServer, call, request, text_of};
use serde_json::{Value, json};

const REVISIONS: [&str; 2] = ["2025-11-25", "2025-06-18"];

fn unversioned(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

fn initialize(version: &str) -> Value {
    let capabilities =
        json!({"sampling": {}, "roots": {"listChanged": true}, "experimental": {"x": 1}, "dreams": {}});
    let client = json!({"name": "acceptance", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client});
    unversioned("hello", "initialize", params)
}

/// A client that went through the handshake, followed by a notification that nobody knows.
fn agreed(project: &Project, version: &str) -> StdioServer {
    let mut stdio = StdioServer::of(project);
    let answer = stdio.ask(&initialize(version));
    assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
    assert_eq!(answer["result"]["serverInfo"]["name"], "pm-mcp");
    assert!(answer["result"]["instructions"].as_str().unwrap().contains("pm_next"));
    stdio.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    stdio.send(&json!({"jsonrpc": "2.0", "method": "notifications/made-up"}));
    stdio
}

fn calls() -> Vec<(&'static str, Value)> {
    let call = |name: &str, arguments: Value| ("tools/call", json!({"name": name, "arguments": arguments}));
    vec![
        ("ping", json!({})),
        ("logging/setLevel", json!({"level": "warning"})),
        ("tools/list", json!({})),
        call("pm_context", json!({})),
        call("pm_next", json!({})),
        call("pm_list", json!({"limit": 3})),
        call("pm_search", json!({"query": "uploads retry"})),
        call("pm_get", json!({"id": "demo-k3x9", "depth": "full"})),
        call("pm_get", json!({"id": "demo-zzzz"})),
        call("pm_events", json!({"limit": 5})),
        call("pm_validate", json!({})),
        call("pm_graph", json!({"query": "ancestors", "id": "demo-k3x9"})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "pm://items/demo-w2m8/body"})),
        ("resources/read", json!({"uri": "pm://workspace/next"})),
        ("resources/subscribe", json!({"uri": "pm://items/demo-w2m8"})),
        ("resources/subscribe", json!({"uri": "pm://items/demo-w2m8"})),
        ("resources/unsubscribe", json!({"uri": "pm://items/demo-w2m8"})),
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "claim-and-start", "arguments": {"id": "demo-q7aa"}})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "claim-and-start"}, "argument": {"name": "id", "value": "demo-q"}}),
        ),
    ]
}

fn refusals() -> Vec<(&'static str, Value, i64)> {
    vec![
        ("tools/call", json!({"name": "pm_dance"}), -32602),
        ("tools/call", json!({"name": "pm_get", "arguments": {"id": 7}}), -32602),
        ("resources/read", json!({"uri": "pm://items/demo-zzzz"}), -32002),
        ("resources/read", json!({"uri": "file:///etc/passwd"}), -32002),
        ("resources/list", json!({"cursor": "AAAA"}), -32602),
        ("prompts/get", json!({"name": "dance"}), -32602),
        ("logging/setLevel", json!({"level": "loud"}), -32602),
        ("server/discover", json!({}), -32601),
        ("tasks/list", json!({}), -32601),
        ("tools/dance", json!({}), -32601),
    ]
}

#[test]
fn what_takes_consent_is_refused_in_words_and_changes_nothing() {
    let project = Project::small();
    let before = project.read("tasks/demo-k3x9.toon");
    for version in REVISIONS {
        let mut stdio = agreed(&project, version);
        let rows = json!([{"op": "delete", "id": "demo-k3x9", "reason": "away"}]);
        let arguments = json!({"transactionId": format!("tx-{version}"), "mutations": rows});
        let params = json!({"name": "pm_mutate", "arguments": arguments});
        let answer = stdio.ask(&unversioned(7, "tools/call", params));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let failure = text_of(&answer);
        assert_eq!(failure["code"], "consent_unavailable", "{failure}");
        assert!(!failure["message"].as_str().unwrap().is_empty(), "{failure}");
        assert_eq!(project.read("tasks/demo-k3x9.toon"), before);
        // What asks nobody is done all the same.
        let params = json!({"name": "pm_comments", "arguments": {"id": "demo-q7aa", "action": "add", "text": version}});
        assert_ne!(stdio.ask(&unversioned(8, "tools/call", params))["result"]["isError"], true);
    }
}

#[test]
fn both_revisions_are_served_after_a_handshake_and_without_one() {
    let project = Project::small();
    let mut servers = vec![StdioServer::of(&project)];
    servers.extend(REVISIONS.map(|revision| agreed(&project, revision)));
    for mut stdio in servers {
        for (method, params) in calls() {
            let answer = stdio.ask(&unversioned(1, method, params.clone()));
            assert!(answer["result"].is_object(), "{method} {params}: {answer}");
        }
        for (method, params, code) in refusals() {
            let answer = stdio.ask(&unversioned(2, method, params.clone()));
            assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
        }
        // Streams of changes are open, and the end of the input ends them at once.
        stdio.send(&unversioned(3, "resources/subscribe", json!({"uri": "pm://items/demo-w2m8"})));
        assert_eq!(stdio.receive()["result"], json!({}));
        let ended = stdio.finish();
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(0), ""), "{ended:?}");
        assert!(!ended.stderr.contains("cut off"), "{}", ended.stderr);
    }
}

#[test]
fn an_unknown_revision_gets_a_known_one() {
    let mut stdio = StdioServer::of(&Project::small());
    for version in ["2024-11-05", "2026-07-28", "tomorrow"] {
        assert_eq!(stdio.ask(&initialize(version))["result"]["protocolVersion"], "2025-11-25", "{version}");
    }
    let refused = stdio.ask(&unversioned(1, "initialize", json!({})));
    assert!(refused["error"]["message"].as_str().unwrap().contains("2025-11-25, 2025-06-18"), "{refused}");
}

#[test]
fn the_same_calls_stand_behind_both_eras_in_one_process() {
    let project = Project::small();
    let mut alone = StdioServer::of(&project);
    let mut mixed = agreed(&project, "2025-06-18");
    for (tool, arguments) in [
        ("pm_next", json!({})),
        ("pm_get", json!({"id": "demo-k3x9", "depth": "full"})),
        ("pm_get", json!({"id": "demo-zzzz"})),
        ("pm_search", json!({"query": "uploads retry"})),
    ] {
        let current = call(1, tool, arguments.clone());
        let earlier = unversioned(2, "tools/call", json!({"name": tool, "arguments": arguments}));
        let wanted = alone.ask(&current);
        assert_eq!(mixed.ask(&current)["result"], wanted["result"], "{tool}");
        let shown = mixed.ask(&earlier);
        for member in ["content", "structuredContent", "isError"] {
            assert_eq!(shown["result"].get(member), wanted["result"].get(member), "{tool}: {member}");
        }
        assert_eq!(mixed.ask(&current)["result"], wanted["result"], "{tool}");
    }
    for gone in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        assert_eq!(mixed.ask(&request(3, gone, json!({})))["error"]["code"], -32601, "{gone} with a version");
    }
}

#[test]
fn the_log_tells_era_revision_and_method_and_no_arguments() {
    let project = Project::small();
    let mut stdio = StdioServer::start(project.root(), &[("PM_MCP_LOG", "pm_mcp::legacy=info")]);
    stdio.ask(&initialize("2025-06-18"));
    stdio.ask(&unversioned(
        1,
        "tools/call",
        json!({"name": "pm_search", "arguments": {"query": "wordsofacaller"}}),
    ));
    stdio.ask(&unversioned(2, "words/of/a/caller", json!({})));
    stdio.ask(&call(3, "pm_next", json!({})));
    let ended = stdio.finish();
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{}", ended.stderr);
    assert!(lines.iter().all(|line| line.contains("era=\"legacy\"")), "{}", ended.stderr);
    assert!(lines[1].contains("2025-06-18") && lines[1].contains("tools/call"), "{}", lines[1]);
    assert!(lines[1].contains("acceptance"), "{}", lines[1]);
    assert!(
        !ended.stderr.contains("wordsofacaller") && !ended.stderr.contains("words/of"),
        "{}",
        ended.stderr
    );
}

#[test]
fn http_has_no_handshake_and_names_what_it_supports() {
    let http = HttpServer::of(&Project::small());
    let mut message = initialize("2025-06-18");
    let reply = HttpRequest::of(&message).with("MCP-Protocol-Version", "2025-06-18").send(http.address());
    assert!(reply.status >= 400, "{reply:?}");
    let text = String::from_utf8_lossy(&reply.body).into_owned();
    assert!(text.contains("2026-07-28") && !text.contains("\"result\""), "{text}");
    message["params"]["_meta"] = pm_mcp_acceptance::meta();
    assert_eq!(http.ask(&message)["error"]["code"], -32601);
    let unversioned = unversioned(1, "tools/list", json!({}));
    let reply = HttpRequest::of(&unversioned).with("MCP-Protocol-Version", "2025-06-18").send(http.address());
    assert_eq!(reply.status, 400, "{reply:?}");
    assert!(!format!("{reply:?}").to_lowercase().contains("mcp-session-id"), "{reply:?}");
}
