//! The ladder between a message and its dispatch: one row a cell, and the order of the rungs.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use pm_mcp_domain::extension::{Declaration, ExtensionId, ExtensionOffer, Extensions};
use pm_mcp_domain::fault::rejection_json;
use pm_mcp_domain::request::{
    Binding, ClientCapability, JSON_DEPTH_LIMIT, Params, Verdict, judge, judge_with,
};
use serde_json::{Value, json};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn headers(method: &str, name: Option<&str>) -> Vec<(String, String)> {
    let mut headers = vec![
        ("MCP-Protocol-Version".to_owned(), "2026-07-28".to_owned()),
        ("Mcp-Method".to_owned(), method.to_owned()),
    ];
    headers.extend(name.map(|name| ("Mcp-Name".to_owned(), name.to_owned())));
    headers
}

/// Code and HTTP status of a refusal; 0 when the message is admitted, 202 when it is a notification.
fn code(text: &str, headers: Option<&Vec<(String, String)>>) -> (i64, u16) {
    let binding = headers.map_or(Binding::Stdio, |headers| Binding::Http(headers));
    match judge(text.as_bytes(), binding) {
        Verdict::Request(_) => (0, 200),
        Verdict::Notification(_) => (0, 202),
        Verdict::Refused(refused) => {
            let json: Value = serde_json::from_str(&rejection_json(refused.id, &refused.rejection)).unwrap();
            assert_eq!(json["error"]["code"], refused.rejection.code().0);
            assert!(!json["error"]["message"].as_str().unwrap().is_empty());
            assert_ne!(json.get("id"), Some(&Value::Null), "an id that cannot be echoed is left out");
            (refused.rejection.code().0, refused.rejection.http_status())
        }
    }
}

#[test]
fn what_is_no_request_is_refused_by_its_shape() {
    for (text, wanted) in [
        ("not json", (-32700, 400)),
        ("", (-32700, 400)),
        ("{\"jsonrpc\":\"2.0\"", (-32700, 400)),
        ("{} {}", (-32700, 400)),
        ("{\"id\":1e400}", (-32600, 400)),
        ("[]", (-32600, 400)),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"server/discover"}]"#, (-32600, 400)),
        ("\"x\"", (-32600, 400)),
        ("42", (-32600, 400)),
        ("true", (-32600, 400)),
        ("null", (-32600, 400)),
        ("{}", (-32600, 400)),
        (r#"{"jsonrpc":"2.0"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"1.0","id":1,"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"id":1,"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":true,"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":{},"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":[],"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"server/discover"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","id":1,"error":{}}"#, (-32600, 400)),
        (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#, (0, 202)),
        (r#"{"jsonrpc":"2.0","method":"tools/call"}"#, (0, 202)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"}"#, (-32601, 404)),
    ] {
        assert_eq!(code(text, None), wanted, "{text}");
        assert_eq!(code(text, Some(&Vec::new())), wanted, "{text} over HTTP");
    }
}

#[test]
fn bytes_that_are_no_utf_8_are_no_json() {
    for bytes in [&b"\xff\xfe"[..], b"{\"jsonrpc\":\"2.0\",\"id\":\"\xe9\",\"method\":\"x\"}"] {
        let Verdict::Refused(refused) = judge(bytes, Binding::Stdio) else { panic!("{bytes:?}") };
        assert_eq!(refused.rejection.code().0, -32700);
    }
}

#[test]
fn nesting_is_bounded_wherever_it_stands() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for text in [
        deep.clone(),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"arguments":{deep}}}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"server/discover","other":{deep}}}"#),
    ] {
        assert_eq!(code(&text, None), (-32600, 400));
    }
}

#[test]
fn ids_come_back_as_they_were_sent() {
    for id in [
        "\"1\"",
        "1",
        "\"\"",
        "\"01\"",
        "\"é🙂\"",
        "\"\\u0041\"",
        "9007199254740993",
        "-1",
        "18446744073709551615",
    ] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let Verdict::Refused(refused) = judge(text.as_bytes(), Binding::Stdio) else { panic!("{id}") };
        let answer = rejection_json(refused.id, &refused.rejection);
        assert!(answer.contains(&format!(r#""id":{id},"#)), "{answer}");
    }
}

#[test]
fn methods_of_earlier_revisions_are_not_found() {
    for method in [
        "initialize",
        "notifications/initialized",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
        "tasks/result",
        "unknown/method",
        "TOOLS/LIST",
    ] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{META}}}}}"#);
        assert_eq!(code(&text, None), (-32601, 404), "{method}");
        assert_eq!(code(&text, Some(&headers(method, None))), (-32601, 404), "{method}");
    }
}

#[test]
fn metadata_must_say_version_and_capabilities() {
    let good = headers("server/discover", None);
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let info = "io.modelcontextprotocol/clientInfo";
    for (params, wanted) in [
        (json!(null), -32602),
        (json!([]), -32602),
        (json!("x"), -32602),
        (json!({}), -32602),
        (json!({"_meta": null}), -32602),
        (json!({"_meta": []}), -32602),
        (json!({"_meta": {}}), -32602),
        (json!({"_meta": {capabilities: {}}}), -32602),
        (json!({"_meta": {version: 20260728, capabilities: {}}}), -32602),
        (json!({"_meta": {version: "2026-07-28"}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: null}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: []}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: {"sampling": true}}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: {"elicitation": {"url": 1}}}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: {}, info: "me"}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: {}, info: {"name": "me"}}}), -32602),
        (
            json!({"_meta": {version: "2026-07-28", capabilities: {}, info: {"name": "me", "version": 1}}}),
            -32602,
        ),
        (json!({"_meta": {version: "2026-07-28", capabilities: {}, "progressToken": 1.5}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: {}, "progressToken": {}}}), -32602),
        (json!({"_meta": {version: "2026-07-28", capabilities: {}}}), 0),
        (
            json!({"_meta": {version: "2026-07-28", capabilities: {"roots": {"listChanged": true}, "x": 1}}}),
            0,
        ),
        (json!({"_meta": {version: "2026-07-28", capabilities: {}, "progressToken": 0, "other": [1]}}), 0),
    ] {
        let text =
            json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params}).to_string();
        let status = if wanted == 0 { 200 } else { 400 };
        assert_eq!(code(&text, None), (wanted, status), "{params}");
        assert_eq!(code(&text, Some(&good)), (wanted, status), "{params}");
    }
}

#[test]
fn all_faults_of_the_metadata_are_told_together() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":[]}}}"#;
    let Verdict::Refused(refused) = judge(text.as_bytes(), Binding::Stdio) else { panic!("admitted") };
    let message = refused.rejection.to_string();
    for part in ["protocolVersion", "clientCapabilities", "progressToken"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn versions_are_compared_before_they_are_supported() {
    let text = |version: &str| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }}})
        .to_string()
    };
    let with = |version: &str| {
        vec![
            ("mcp-protocol-version".to_owned(), version.to_owned()),
            ("mcp-method".to_owned(), "tools/list".to_owned()),
        ]
    };
    assert_eq!(code(&text("1900-01-01"), None), (-32022, 400));
    assert_eq!(code(&text("1900-01-01"), Some(&with("1900-01-01"))), (-32022, 400));
    assert_eq!(code(&text("1900-01-01"), Some(&with("2026-07-28"))), (-32020, 400));
    assert_eq!(code(&text("2026-07-28"), Some(&with("1900-01-01"))), (-32020, 400));
    let unsupported = text("1900-01-01");
    let Verdict::Refused(refused) = judge(unsupported.as_bytes(), Binding::Stdio) else { panic!("admitted") };
    let json: Value = serde_json::from_str(&rejection_json(refused.id, &refused.rejection)).unwrap();
    assert_eq!(json["error"]["data"], json!({"supported": ["2026-07-28"], "requested": "1900-01-01"}));
}

#[test]
fn a_request_that_names_its_version_nowhere_lacks_the_header_first() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    assert_eq!(code(text, Some(&vec![("mcp-method".to_owned(), "tools/list".to_owned())])), (-32020, 400));
    assert_eq!(code(text, Some(&headers("tools/list", None))), (-32602, 400));
    assert_eq!(code(text, None), (-32602, 400));
}

#[test]
fn headers_must_agree_with_the_body() {
    let list = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let call =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"日本",{META}}}}}"#);
    let encoded = "=?base64?5pel5pys?=";
    assert_eq!(code(&list, Some(&headers("tools/list", None))), (0, 200));
    assert_eq!(code(&call, Some(&headers("tools/call", Some(encoded)))), (0, 200));
    for wrong in [
        headers("prompts/list", None),
        headers("TOOLS/LIST", None),
        headers("tools/list", Some("surplus")),
        vec![("mcp-protocol-version".to_owned(), "2026-07-28".to_owned())],
        vec![("mcp-method".to_owned(), "tools/list".to_owned())],
        [headers("tools/list", None), headers("tools/list", None)].concat(),
    ] {
        assert_eq!(code(&list, Some(&wrong)), (-32020, 400), "{wrong:?}");
    }
    for name in
        [None, Some("other"), Some("=?base64?5pel?="), Some("=?BASE64?5pel5pys?="), Some("=?base64?!!?=")]
    {
        assert_eq!(code(&call, Some(&headers("tools/call", name))), (-32020, 400), "{name:?}");
    }
}

#[test]
fn parameters_must_have_the_shape_of_their_method() {
    for (method, params, wanted) in [
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": 1}), -32602),
        ("tools/call", json!({"name": "a", "arguments": []}), -32602),
        ("tools/call", json!({"name": "a", "arguments": null}), -32602),
        ("tools/call", json!({"name": "a"}), 0),
        ("tools/call", json!({"name": "a", "arguments": {}, "task": {"ttl": 1}}), 0),
        ("tools/list", json!({"cursor": 1}), -32602),
        ("tools/list", json!({"cursor": "x"}), 0),
        ("resources/read", json!({}), -32602),
        ("resources/read", json!({"uri": "a:b"}), 0),
        ("prompts/get", json!({"name": []}), -32602),
        ("completion/complete", json!({}), -32602),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/other"}, "argument": {"name": "a", "value": ""}}),
            -32602,
        ),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a"}}),
            -32602,
        ),
        ("completion/complete", json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": "a"}), -32602),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "u"}, "argument": {"name": "a", "value": ""}}),
            0,
        ),
    ] {
        let mut params = params;
        params["_meta"] = meta();
        let text = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        assert_eq!(code(&text, None), (wanted, if wanted == 0 { 200 } else { 400 }), "{text}");
    }
}

#[test]
fn the_rungs_stand_in_order() {
    // Each message fails every rung from its own on; the first one names the error.
    let bad_version = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let none = Vec::new();
    for (text, wanted) in [
        (r#"{"id":null,"method":"no","params":3"#.to_owned(), -32700),
        (r#"{"jsonrpc":"2.0","id":null,"method":"no","params":3}"#.to_owned(), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no","params":3}"#.to_owned(), -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":3}"#.to_owned(), -32020),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{bad_version}}}}}"#), -32020),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{META}}}}}"#), -32020),
    ] {
        assert_eq!(code(&text, Some(&none)).0, wanted, "{text}");
    }
    let unsupported =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{bad_version}}}}}"#);
    let agreed = vec![("mcp-protocol-version".to_owned(), "x".to_owned())];
    assert_eq!(code(&unsupported, Some(&agreed)).0, -32022, "before the other headers");
    let nameless = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{META}}}}}"#);
    assert_eq!(code(&nameless, Some(&headers("other", None))).0, -32020, "before the parameters");
}

#[test]
fn capabilities_hold_for_the_request_that_declares_them() {
    let text = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a", "arguments": {"x": 1}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "roots": {}},
        "io.modelcontextprotocol/clientInfo": {"name": "demo", "version": "1"},
    }}})
    .to_string();
    let Verdict::Request(request) = judge(text.as_bytes(), Binding::Stdio) else { panic!("refused") };
    let declared = request.meta.capabilities;
    assert!(declared.declares(ClientCapability::ElicitationForm), "an empty object means form mode");
    assert!(declared.declares(ClientCapability::Roots));
    assert!(!declared.declares(ClientCapability::ElicitationUrl));
    assert!(!declared.declares(ClientCapability::Sampling));
    assert_eq!(request.meta.client_info.unwrap().name, "demo");
    let Params::CallTool { name, arguments, .. } = request.params else { panic!("another method") };
    assert_eq!((name.as_ref(), arguments.unwrap().get()), ("a", r#"{"x":1}"#));
}

/// A broken declaration of an extension takes away the extension, never the request.
#[test]
fn an_extension_that_is_declared_wrongly_is_not_declared() {
    let tasks = |extensions: Value| {
        let mut meta = meta();
        meta["io.modelcontextprotocol/clientCapabilities"] =
            json!({"roots": {}, "extensions": extensions, "elicitation": {}});
        let text = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
        let text = text.to_string();
        let Verdict::Request(request) = judge(text.as_bytes(), Binding::Stdio) else {
            panic!("refused: {text}")
        };
        let declared = request.meta.capabilities;
        assert!(declared.declares(ClientCapability::Roots), "{text}");
        assert!(declared.declares(ClientCapability::ElicitationForm), "{text}");
        declared.declares(ClientCapability::TASKS)
    };
    const TASKS: &str = "io.modelcontextprotocol/tasks";
    for settings in [json!({}), json!({"unknown": [1, {"deep": null}]})] {
        assert!(tasks(json!({TASKS: settings})), "{settings}");
        assert!(tasks(json!({"com.example/other": 1, TASKS: settings})), "{settings}");
    }
    for wrong in [json!(null), json!(true), json!(1), json!("on"), json!([]), json!([{}])] {
        assert!(!tasks(json!({TASKS: wrong})), "{wrong}");
        assert!(!tasks(wrong.clone()), "{wrong} as all extensions");
    }
    for other in ["io.modelcontextprotocol/Tasks", "io.modelcontextprotocol/tasks2", "tasks"] {
        assert!(!tasks(json!({other: {}})), "{other}");
    }
}

/// A method of an extension climbs the same rungs as one of the core, for servers that have the extension.
#[test]
fn methods_of_extensions_climb_the_same_ladder() {
    let mut extensions = Extensions::new();
    let id = ExtensionId::new("com.example/audit");
    let methods = vec!["audit/list"];
    extensions
        .offer(ExtensionOffer {
            id,
            settings: Default::default(),
            declaration: Declaration::Required,
            methods,
        })
        .unwrap();
    let request = |method: &str, meta: Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta, "any": [1]}})
            .to_string()
    };
    let code = |text: &str, headers: Option<&Vec<(String, String)>>, extensions: &Extensions| {
        let binding = headers.map_or(Binding::Stdio, |headers| Binding::Http(headers));
        match judge_with(text.as_bytes(), binding, extensions, JSON_DEPTH_LIMIT) {
            Verdict::Request(request) => {
                let Params::Extension { message } = request.params else { panic!("another method") };
                assert_eq!(message, text);
                assert_eq!((request.method.as_str(), request.method.extension()), ("audit/list", Some(id)));
                0
            }
            Verdict::Refused(refused) => refused.rejection.code().0,
            Verdict::Notification(_) => panic!("a request: {text}"),
        }
    };
    let good = request("audit/list", meta());
    assert_eq!(code(&good, None, &extensions), 0);
    assert_eq!(code(&good, Some(&headers("audit/list", None)), &extensions), 0);
    assert_eq!(code(&good, Some(&headers("audit/get", None)), &extensions), -32020);
    assert_eq!(code(&good, Some(&headers("audit/list", Some("a"))), &extensions), -32020);
    assert_eq!(code(&good, None, &Extensions::new()), -32601);
    assert_eq!(code(&request("audit/get", meta()), None, &extensions), -32601);
    assert_eq!(code(&request("audit/list", json!({})), None, &extensions), -32602);
    let twice = good.replacen("\"any\":", "\"name\":1,\"name\":", 1);
    assert_eq!(
        code(&twice, None, &extensions),
        -32021,
        "what is undeclared is named before what is wrong with it"
    );
}
