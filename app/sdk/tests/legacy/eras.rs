//! What each method answers in each era, and what each refuses.

use pm_mcp::Channel;
use serde_json::{Value, json};

use crate::peer::Peer;
use crate::serving::server;

/// A request, and the value at a place of its answer in the earlier era and in the current one.
type Row = (&'static str, Value, &'static str, Value, Value);

const NO_METHOD: i64 = -32601;
const BAD_PARAMS: i64 = -32602;

fn served_in_both() -> Vec<Row> {
    let same = |method, params, place, value: Value| (method, params, place, value.clone(), value);
    let call = |name: &str| json!({"name": name, "arguments": {}});
    vec![
        same("tools/list", json!({}), "/result/tools/0/name", json!("echo")),
        same(
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "hi"}}),
            "/result/structuredContent/text",
            json!("hi"),
        ),
        same("tools/call", call("fail"), "/result/isError", json!(true)),
        same("tools/call", call("maybe-task"), "/result/content/0/text", json!("done")),
        same("resources/list", json!({}), "/result/resources/0/uri", json!("test://one")),
        same(
            "resources/templates/list",
            json!({}),
            "/result/resourceTemplates/0/uriTemplate",
            json!("test://many/{id}"),
        ),
        same("resources/read", json!({"uri": "test://one"}), "/result/contents/0/text", json!("first")),
        same("resources/read", json!({"uri": "test://many/2"}), "/result/contents/0/text", json!("number 2")),
        same("prompts/list", json!({}), "/result/prompts/0/arguments/0/name", json!("name")),
        same(
            "prompts/get",
            json!({"name": "greet", "arguments": {"name": "Ada"}}),
            "/result/messages/0/content/text",
            json!("Hello, Ada!"),
        ),
        same(
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": "A"}}),
            "/result/completion/values",
            json!(["Ada"]),
        ),
        // What only one era can say.
        ("tools/list", json!({}), "/result/tools/1/outputSchema", Value::Null, json!({"type": "integer"})),
        ("tools/call", call("count"), "/result/structuredContent", Value::Null, json!(7)),
        ("tools/call", call("count"), "/result/content/0/text", json!("7"), Value::Null),
        ("tools/list", json!({}), "/result/resultType", Value::Null, json!("complete")),
        ("tools/list", json!({}), "/result/ttlMs", Value::Null, json!(60_000)),
        ("tools/list", json!({}), "/result/cacheScope", Value::Null, json!("private")),
        ("resources/read", json!({"uri": "test://one"}), "/result/cacheScope", Value::Null, json!("private")),
        ("ping", json!({}), "/result", json!({}), Value::Null),
        ("logging/setLevel", json!({"level": "debug"}), "/result", json!({}), Value::Null),
        ("resources/unsubscribe", json!({"uri": "test://one"}), "/result", json!({}), Value::Null),
    ]
}

fn refused() -> Vec<(&'static str, Value, i64, i64)> {
    let both = |method, params, code| (method, params, code, code);
    vec![
        both("tools/call", json!({"name": "dance"}), BAD_PARAMS),
        both("tools/call", json!({"name": "echo", "arguments": {"text": 7}}), BAD_PARAMS),
        both("tools/call", json!({"name": "echo", "arguments": []}), BAD_PARAMS),
        both("tools/call", json!({}), BAD_PARAMS),
        both("tools/list", json!({"cursor": "AAAA"}), BAD_PARAMS),
        both("tools/list", json!({"cursor": 7}), BAD_PARAMS),
        both("resources/read", json!({}), BAD_PARAMS),
        both("prompts/get", json!({"name": "dance"}), BAD_PARAMS),
        both("prompts/get", json!({"name": "greet"}), BAD_PARAMS),
        both(
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "dance"}, "argument": {"name": "n", "value": ""}}),
            BAD_PARAMS,
        ),
        both("tasks/list", json!({}), NO_METHOD),
        both("tasks/result", json!({"taskId": "t"}), NO_METHOD),
        both("tools/dance", json!({}), NO_METHOD),
        both("sampling/createMessage", json!({}), NO_METHOD),
        ("resources/read", json!({"uri": "test://none"}), -32002, BAD_PARAMS),
        ("resources/read", json!({"uri": "test://many/gone"}), -32002, BAD_PARAMS),
        ("tools/call", json!({"name": "slow"}), BAD_PARAMS, -32021),
        ("logging/setLevel", json!({"level": "loud"}), BAD_PARAMS, NO_METHOD),
        ("logging/setLevel", json!({}), BAD_PARAMS, NO_METHOD),
        ("resources/subscribe", json!({}), BAD_PARAMS, NO_METHOD),
        ("resources/subscribe", json!({"uri": ""}), BAD_PARAMS, NO_METHOD),
        ("resources/unsubscribe", json!({"uri": 7}), BAD_PARAMS, NO_METHOD),
        ("initialize", json!({}), BAD_PARAMS, NO_METHOD),
        ("notifications/initialized", json!({}), NO_METHOD, NO_METHOD),
        ("tasks/get", json!({"taskId": "t"}), NO_METHOD, -32021),
    ]
}

/// An unversioned client, with and without a handshake.
async fn earlier(server: &pm_mcp::Server) -> [Peer; 3] {
    [
        Peer::at(server, Channel::Shared),
        Peer::of(server, "2025-11-25").await,
        Peer::of(server, "2025-06-18").await,
    ]
}

#[tokio::test]
async fn each_method_answers_as_its_era_does() {
    let server = server();
    for (method, params, place, then, now) in served_in_both() {
        for peer in earlier(&server).await {
            let answer = peer.ask(method, params.clone()).await;
            assert_eq!(answer.pointer(place).unwrap_or(&Value::Null), &then, "{method} {params}: {answer}");
            assert_eq!(answer.pointer("/result/_meta"), None, "no identity of the server: {answer}");
            let answer = peer.ask_now(method, params.clone()).await;
            assert_eq!(answer.pointer(place).unwrap_or(&Value::Null), &now, "{method} {params}: {answer}");
        }
    }
}

#[tokio::test]
async fn each_refusal_has_the_code_of_its_era() {
    let server = server();
    for (method, params, then, now) in refused() {
        for peer in earlier(&server).await {
            let answer = peer.ask(method, params.clone()).await;
            assert_eq!(answer["error"]["code"], then, "{method} {params}: {answer}");
            assert_eq!(answer["id"], 1, "{answer}");
            let answer = peer.ask_now(method, params.clone()).await;
            assert_eq!(answer["error"]["code"], now, "{method} {params}: {answer}");
        }
    }
}

#[tokio::test]
async fn what_only_the_current_revision_has_says_so_to_who_claims_no_version() {
    let server = server();
    for peer in earlier(&server).await {
        for method in ["server/discover", "subscriptions/listen", "tasks/get"] {
            let answer = peer.ask(method, json!({})).await;
            assert_eq!(answer["error"]["code"], NO_METHOD, "{answer}");
            assert!(answer["error"]["message"].as_str().unwrap().contains("2026-07-28"), "{answer}");
        }
    }
}

#[tokio::test]
async fn other_members_of_meta_do_not_make_a_request_a_current_one() {
    let server = server();
    let peer = Peer::at(&server, Channel::Shared);
    for meta in [
        json!({}),
        json!({"own/label": 1}),
        json!({"io.modelcontextprotocol/clientCapabilities": {}}),
        json!({"io.modelcontextprotocol/clientInfo": 7}),
        json!({"traceparent": 7}),
    ] {
        let answer = peer.ask("tools/list", json!({"_meta": meta})).await;
        assert!(
            answer["result"]["tools"].is_array() && answer["result"].get("resultType").is_none(),
            "{meta}"
        );
    }
    // A claim of any form is judged as strictly as elsewhere.
    for version in [json!(7), json!(null), json!(""), json!("2025-11-25")] {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": version});
        let answer = peer.ask("tools/list", json!({"_meta": meta})).await;
        assert_eq!(answer["error"]["code"], -32602, "{meta}: {answer}");
        assert_eq!(peer.ask("ping", json!({"_meta": meta})).await["error"]["code"], -32601, "{meta}");
    }
}

#[tokio::test]
async fn messages_that_are_no_requests_are_refused_as_ever() {
    let server = server();
    let peer = Peer::of(&server, "2025-06-18").await;
    for (bytes, code) in [
        ("not json", -32700),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        ("[]", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":7}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"count"}}"#, -32602),
    ] {
        let answer = peer.serve_bytes(bytes.as_bytes()).await.unwrap();
        assert_eq!(answer["error"]["code"], code, "{bytes}: {answer}");
    }
    let id = r#"{"jsonrpc":"2.0","id":"é\u0041","method":"tools/list"}"#;
    assert_eq!(peer.serve_bytes(id.as_bytes()).await.unwrap()["id"], "éA");
}

#[tokio::test]
async fn progress_is_reported_to_who_asks_for_it() {
    let server = server();
    let mut peer = Peer::of(&server, "2025-06-18").await;
    let answer = peer.ask("tools/call", json!({"name": "steps", "_meta": {"progressToken": "p"}})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "done");
    let report = peer.receive().await;
    assert_eq!(report["method"], "notifications/progress");
    assert_eq!(
        report["params"],
        json!({"progressToken": "p", "progress": 1.0, "total": 2.0, "message": "half"})
    );
    peer.ask("tools/call", json!({"name": "steps"})).await;
    assert!(peer.has_received_nothing());
}
