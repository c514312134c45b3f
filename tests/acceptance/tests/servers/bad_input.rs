//! Input that is wrong in one way each: the answer that the requirements name, on both transports where it applies,
//! and a server that goes on.

use pm_mcp_acceptance::{HttpRequest, HttpServer, Project, StdioServer, call, meta, request};
use serde_json::{Value, json};

/// What is wrong, and what has to be said of it.
struct Row {
    what: &'static str,
    body: Vec<u8>,
    /// Headers in place of, or beside, those that the body asks for; an empty value takes the header away.
    headers: Vec<(&'static str, &'static str)>,
    code: i64,
    status: u16,
    /// The id of the answer; none when the message had none that can be echoed.
    id: Option<Value>,
    /// What the message has to name.
    says: &'static str,
    /// Whether the fault can be made without headers.
    on_stdio: bool,
    /// Whether it is the first fault that is met where headers are looked at too.
    on_http: bool,
}

impl Row {
    fn raw(what: &'static str, body: impl Into<Vec<u8>>, code: i64, status: u16, says: &'static str) -> Self {
        Self {
            what,
            body: body.into(),
            headers: Vec::new(),
            code,
            status,
            id: None,
            says,
            on_stdio: true,
            on_http: true,
        }
    }

    fn of(what: &'static str, message: &Value, code: i64, status: u16, says: &'static str) -> Self {
        let id = message.get("id").cloned();
        Self { id, ..Self::raw(what, message.to_string(), code, status, says) }
    }

    fn header(what: &'static str, message: &Value, header: (&'static str, &'static str)) -> Self {
        let headers = vec![header];
        Self { headers, on_stdio: false, ..Self::of(what, message, -32020, 400, header.0) }
    }

    /// A fault of a request that claims no version, which over stdio belongs to the earlier revisions.
    fn unversioned(what: &'static str, message: &Value, code: i64, status: u16, says: &'static str) -> Self {
        Self { on_stdio: false, ..Self::of(what, message, code, status, says) }
    }

    fn http_request(&self) -> HttpRequest {
        let message = serde_json::from_slice::<Value>(&self.body);
        let mut request = match message {
            Ok(message) if message.is_object() => HttpRequest::of(&message),
            Ok(_) | Err(_) => HttpRequest::post(self.body.clone()),
        };
        if message_lacks_version(&self.body) {
            request = request.with("MCP-Protocol-Version", "2026-07-28");
        }
        for (name, value) in &self.headers {
            request = if value.is_empty() { request.without(name) } else { request.with(name, value) };
        }
        request
    }

    fn check(&self, transport: &str, answer: &Value) {
        let what = self.what;
        let error = &answer["error"];
        assert_eq!(error["code"], self.code, "{what} on {transport}: {answer}");
        assert_eq!(answer.get("id"), self.id.as_ref(), "{what} on {transport}: {answer}");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains(self.says),
            "{what} on {transport}: {message:?} does not say {:?}",
            self.says
        );
        assert!(message.len() < 1_000, "{what} on {transport}: {} bytes of message", message.len());
    }
}

fn message_lacks_version(body: &[u8]) -> bool {
    let message = serde_json::from_slice::<Value>(body).unwrap_or_default();
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str().is_none()
}

fn with_meta(changed: &str, value: Value) -> Value {
    let mut meta = meta();
    meta[format!("io.modelcontextprotocol/{changed}")] = value;
    request(7, "tools/list", json!({"_meta": meta}))
}

fn without_meta(left_out: &str) -> Value {
    let mut meta = meta();
    meta.as_object_mut().unwrap().remove(&format!("io.modelcontextprotocol/{left_out}"));
    request(7, "tools/list", json!({"_meta": meta}))
}

fn nested(levels: usize) -> String {
    let inner = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let good = call(7, "pm_get", json!({"id": "INNER"})).to_string();
    good.replace("\"INNER\"", &inner)
}

fn shapes() -> Vec<Row> {
    let good = request(7, "tools/list", json!({}));
    let with_id = |id: &str| good.to_string().replace("\"id\":7", &format!("\"id\":{id}"));
    let mut rows = vec![
        Row::raw("not JSON", "not json", -32700, 400, "not JSON"),
        Row::raw("half an object", r#"{"jsonrpc":"2.0","id":7,"#, -32700, 400, "not JSON"),
        Row::raw("not UTF-8", b"\xFF\xFE".to_vec(), -32700, 400, "UTF-8"),
        Row::raw("a string", r#""x""#, -32600, 400, "object"),
        Row::raw("a number", "42", -32600, 400, "object"),
        Row::raw("null", "null", -32600, 400, "object"),
        Row::raw("a batch", format!("[{good},{good}]"), -32600, 400, "batch"),
        Row::raw("an empty batch", "[]", -32600, 400, "batch"),
        Row::raw("an empty object", "{}", -32600, 400, "jsonrpc"),
        Row::raw("no method", r#"{"jsonrpc":"2.0"}"#, -32600, 400, "method"),
        Row::raw("a response", r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, -32600, 400, "response"),
        Row::raw("10,000 levels of nesting", nested(10_000), -32600, 400, "nested deeper than"),
    ];
    for id in ["null", "1.5", "true", "{}", "[]"] {
        rows.push(Row::raw("an id that is none", with_id(id), -32600, 400, "id"));
    }
    rows
}

fn methods_and_meta() -> Vec<Row> {
    let unversioned = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {}});
    let mut rows = vec![
        Row::of("an unknown method", &request(7, "tools/dance", json!({})), -32601, 404, "tools/dance"),
        Row::of(
            "a notification's name",
            &request(7, "notifications/cancelled", json!({})),
            -32601,
            404,
            "method",
        ),
        Row::unversioned("no _meta", &unversioned, -32602, 400, "_meta"),
        Row::unversioned(
            "no params",
            &json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}),
            -32602,
            400,
            "params",
        ),
        Row::unversioned(
            "_meta is a list",
            &request(7, "tools/list", json!({"_meta": []})),
            -32602,
            400,
            "_meta",
        ),
        Row::unversioned(
            "params are null",
            &json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": null}),
            -32602,
            400,
            "params",
        ),
        Row::unversioned("no version", &without_meta("protocolVersion"), -32602, 400, "protocolVersion"),
        Row::of(
            "a version that is a number",
            &with_meta("protocolVersion", json!(2026)),
            -32602,
            400,
            "protocolVersion",
        ),
        Row::of("no capabilities", &without_meta("clientCapabilities"), -32602, 400, "clientCapabilities"),
        Row::of(
            "capabilities are a list",
            &with_meta("clientCapabilities", json!([])),
            -32602,
            400,
            "clientCapabilities",
        ),
        Row::of("clientInfo is text", &with_meta("clientInfo", json!("me")), -32602, 400, "clientInfo"),
        Row::of(
            "an unknown version",
            &with_meta("protocolVersion", json!("2031-01-01")),
            -32022,
            400,
            "2031-01-01",
        ),
        Row::of(
            "a legacy version",
            &with_meta("protocolVersion", json!("2025-06-18")),
            -32022,
            400,
            "2025-06-18",
        ),
    ];
    for gone in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
        "tasks/result",
    ] {
        rows.push(Row::of("a removed method", &request(7, gone, json!({})), -32601, 404, gone));
    }
    rows
}

fn headers() -> Vec<Row> {
    let list = request(7, "tools/list", json!({}));
    let get = call(7, "pm_get", json!({"id": "demo-q7aa"}));
    let named = call(7, "pm_get", json!({"id": "demo-q7aa", "workspace": "default"}));
    vec![
        Row::header("the header of another method", &list, ("Mcp-Method", "prompts/list")),
        Row::header("no method header", &list, ("Mcp-Method", "")),
        Row::header("no version header", &list, ("MCP-Protocol-Version", "")),
        Row::header("the header of another version", &list, ("MCP-Protocol-Version", "2025-06-18")),
        Row::header("the header of another tool", &get, ("Mcp-Name", "pm_next")),
        Row::header("no name header", &get, ("Mcp-Name", "")),
        Row::header("an encoded name of another tool", &get, ("Mcp-Name", "=?base64?cG1fbmV4dA==?=")),
        Row::header("a name in broken Base64", &get, ("Mcp-Name", "=?base64?%%%?=")),
        Row::header("a name with an upper-case marker", &get, ("Mcp-Name", "=?BASE64?cG1fZ2V0?=")),
        Row::header("an argument without its header", &named, ("Mcp-Param-Pm-Workspace", "")),
        Row::header("an argument with another header", &named, ("Mcp-Param-Pm-Workspace", "site")),
        Row::header("a header without its argument", &get, ("Mcp-Param-Pm-Workspace", "default")),
    ]
}

fn params() -> Vec<Row> {
    let nameless = request(7, "tools/call", json!({}));
    let read = |uri: &str| request(7, "resources/read", json!({"uri": uri}));
    let prompt = |name: &str, arguments: Value| {
        request(7, "prompts/get", json!({"name": name, "arguments": arguments}))
    };
    vec![
        Row { on_http: false, ..Row::of("no tool's name", &nameless, -32602, 400, "params.name") },
        Row::header("no tool's name anywhere", &nameless, ("Mcp-Name", "")),
        Row::of("an unknown tool", &call(7, "pm_dance", json!({})), -32602, 200, "pm_dance"),
        Row::of("an argument of the wrong type", &call(7, "pm_get", json!({"id": 7})), -32602, 200, "id"),
        Row::of("a missing argument", &call(7, "pm_get", json!({})), -32602, 200, "id"),
        Row::of(
            "an unknown argument",
            &call(7, "pm_get", json!({"id": "demo-q7aa", "dept": "full"})),
            -32602,
            200,
            "depth",
        ),
        Row::of(
            "a value outside a list",
            &call(7, "pm_get", json!({"id": "demo-q7aa", "depth": "deepest"})),
            -32602,
            200,
            "depth",
        ),
        Row::of(
            "a number beyond its limit",
            &call(7, "pm_list", json!({"limit": 1_000_000})),
            -32602,
            200,
            "limit",
        ),
        Row::of("an unknown resource", &read("pm://items/demo-zzzz"), -32602, 200, "not found"),
        Row::of("a resource outside", &read("file:///etc/passwd"), -32602, 200, "not found"),
        Row::of("an unknown prompt", &prompt("dance", json!({})), -32602, 200, "dance"),
        Row::of("a prompt without what it needs", &prompt("orient", json!({})), -32602, 200, "request"),
        Row::of(
            "a cursor of nobody",
            &request(7, "tools/list", json!({"cursor": "AAAA"})),
            -32602,
            200,
            "cursor",
        ),
    ]
}

#[test]
fn each_fault_gets_its_answer_on_both_transports_and_the_server_goes_on() {
    let project = Project::small();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    let good = call(8, "pm_get", json!({"id": "demo-q7aa"}));
    let rows: Vec<Row> = [shapes(), methods_and_meta(), headers(), params()].into_iter().flatten().collect();
    for row in &rows {
        if row.on_http {
            let reply = row.http_request().send(http.address());
            assert_eq!(reply.status, row.status, "{}: {}", row.what, String::from_utf8_lossy(&reply.body));
            row.check("HTTP", &reply.json());
            assert_eq!(
                http.ask(&good)["result"]["structuredContent"]["id"],
                "demo-q7aa",
                "after {}",
                row.what
            );
        }
        if row.on_stdio {
            stdio.write(&row.body);
            stdio.write(b"\n");
            row.check("stdio", &stdio.receive());
            assert_eq!(
                stdio.ask(&good)["result"]["structuredContent"]["id"],
                "demo-q7aa",
                "after {}",
                row.what
            );
        }
    }
    assert_eq!(stdio.finish().status.code(), Some(0));
}

#[test]
fn an_unknown_version_is_answered_with_the_supported_ones() {
    let project = Project::small();
    let mut stdio = StdioServer::of(&project);
    let asked = with_meta("protocolVersion", json!("2031-01-01"));
    let data = json!({"requested": "2031-01-01", "supported": ["2026-07-28"]});
    assert_eq!(stdio.ask(&asked)["error"]["data"], data);
    assert_eq!(HttpServer::of(&project).ask(&asked)["error"]["data"], data);
}

#[test]
fn ids_come_back_as_they_were_sent_to_the_digit() {
    let project = Project::small();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    let good = request(7, "tools/list", json!({}));
    for id in ["9007199254740993", "-1", "18446744073709551615", r#""1""#, r#""""#, r#""01""#, r#""é🙂""#]
    {
        let body = good.to_string().replace("\"id\":7", &format!("\"id\":{id}"));
        let echoed = format!("\"id\":{id}");
        stdio.write(format!("{body}\n").as_bytes());
        let line = stdio.receive_line();
        assert!(line.contains(&echoed) && line.contains("\"result\""), "{line}");
        let request = HttpRequest::of(&serde_json::from_str(&body).unwrap());
        let reply = request.send(http.address());
        let text = String::from_utf8(reply.body).unwrap();
        assert!(reply.status == 200 && text.contains(&echoed) && text.contains("\"result\""), "{text}");
    }
}

#[test]
fn an_encoded_name_header_is_read_before_it_is_compared() {
    let http = HttpServer::of(&Project::small());
    let get = call(7, "pm_get", json!({"id": "demo-q7aa"}));
    let reply = HttpRequest::of(&get).with("Mcp-Name", "=?base64?cG1fZ2V0?=").send(http.address());
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json()["result"]["structuredContent"]["id"], "demo-q7aa");
    let elsewhere = request(7, "resources/read", json!({"uri": "pm://items/日本"}));
    let reply = HttpRequest::of(&elsewhere)
        .with("Mcp-Name", "=?base64?cG06Ly9pdGVtcy/ml6XmnKw=?=")
        .send(http.address());
    assert_eq!(reply.json()["error"]["message"], "resource not found", "the header is as it should be");
    let named = call(7, "pm_get", json!({"id": "demo-q7aa", "workspace": "default"}));
    for value in ["default", "=?base64?ZGVmYXVsdA==?="] {
        let reply = HttpRequest::of(&named).with("Mcp-Param-Pm-Workspace", value).send(http.address());
        assert_eq!(reply.json()["result"]["structuredContent"]["id"], "demo-q7aa", "{value}");
    }
}

#[test]
fn a_cursor_leads_on_in_its_own_list_and_in_no_other() {
    let project = Project::paged();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    let mut ask: [&mut dyn FnMut(&Value) -> Value; 2] =
        [&mut |message| stdio.ask(message), &mut |message| http.ask(message)];
    for ask in &mut ask {
        let page = ask(&request(1, "resources/list", json!({})));
        let cursor = page["result"]["nextCursor"].as_str().expect("a second page").to_owned();
        let second = ask(&request(2, "resources/list", json!({"cursor": cursor})));
        let uris = |page: &Value| -> Vec<String> {
            let listed = page["result"]["resources"].as_array().unwrap();
            listed.iter().map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect()
        };
        assert!(uris(&second).iter().all(|uri| !uris(&page).contains(uri)), "{second}");
        for other in ["tools/list", "prompts/list", "resources/templates/list"] {
            let refused = ask(&request(3, other, json!({"cursor": cursor})));
            assert_eq!(refused["error"]["code"], -32602, "{refused}");
            assert!(refused["error"]["message"].as_str().unwrap().contains("without a cursor"), "{refused}");
        }
        let mut tampered = cursor.clone().into_bytes();
        tampered[10] = if tampered[10] == b'A' { b'B' } else { b'A' };
        let tampered = String::from_utf8(tampered).unwrap();
        assert_eq!(ask(&request(4, "resources/list", json!({"cursor": tampered})))["error"]["code"], -32602);

        let list = ask(&call(5, "pm_list", json!({"tag": ["filler"], "limit": 20})));
        let cursor =
            list["result"]["structuredContent"]["next_cursor"].as_str().expect("a second page").to_owned();
        let second = ask(&call(6, "pm_list", json!({"tag": ["filler"], "limit": 20, "cursor": cursor})));
        assert_eq!(second["result"]["structuredContent"]["items"].as_array().unwrap().len(), 20, "{second}");
        for (tool, arguments) in [
            ("pm_search", json!({"query": "filler", "cursor": cursor})),
            ("pm_list", json!({"tag": ["menu"], "cursor": cursor})),
        ] {
            let refused = ask(&call(7, tool, arguments));
            assert_eq!(refused["error"]["code"], -32602, "{tool}: {refused}");
        }
    }
}

/// What both transports take by default.
const LIMIT: usize = 4 << 20;

fn padded(length: usize) -> Vec<u8> {
    let mut body = request(7, "tools/list", json!({})).to_string().into_bytes();
    body.resize(length, b' ');
    body
}

#[test]
fn a_message_at_the_limit_is_served_and_one_byte_more_is_not() {
    let project = Project::small();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    let post = |body| HttpRequest::post(body).with("Mcp-Method", "tools/list");
    let long = post(padded(LIMIT + 1)).send(http.address());
    assert_eq!(long.status, 413);
    assert!(long.json()["error"]["message"].as_str().unwrap().contains("4194304 bytes"), "{long:?}");
    let declared = post(Vec::new()).with("Content-Length", "4194305").send(http.address());
    assert_eq!(declared.status, 413, "refused by what it declares, before it is read");

    stdio.write(&padded(LIMIT));
    stdio.write(b"\n");
    assert!(stdio.receive()["result"].is_object());
    stdio.write(&padded(LIMIT + 1));
    stdio.write(b"\n");
    let refused = stdio.receive();
    assert_eq!(refused["error"]["code"], -32600);
    assert!(refused["error"]["message"].as_str().unwrap().contains("4194304 bytes"), "{refused}");
    assert!(stdio.ask(&request(8, "tools/list", json!({})))["result"].is_object());
}

#[test]
fn a_line_of_100_mb_is_answered_once_and_not_kept() {
    let mut stdio = StdioServer::of(&Project::small());
    assert!(stdio.ask(&request(1, "tools/list", json!({})))["result"].is_object());
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        stdio.write(&chunk);
    }
    stdio.write(b"\n");
    let refused = stdio.receive();
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    assert_eq!(refused.get("id"), None);
    assert!(stdio.ask(&request(2, "tools/list", json!({})))["result"].is_object());
    if let Some(peak) = crate::speed::memory_kib(stdio.id(), "VmHWM") {
        assert!(peak < 100 << 10, "{peak} KiB at the peak");
    }
}
