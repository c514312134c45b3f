//! What a client accepts, and how it asks.

use pm_mcp_acceptance::{HttpReply, HttpRequest, HttpServer, Project, call, meta, request};
use serde_json::{Value, json};

fn list() -> HttpRequest {
    HttpRequest::of(&request(7, "tools/list", json!({})))
}

#[test]
fn c21_every_way_to_accept_both_forms_is_taken() {
    let http = HttpServer::of(&Project::small());
    let with = |accept: &str| list().with("Accept", accept).send(http.address());
    for accept in ["*/*", "application/*, text/*", "application/json;q=0.9, text/event-stream"] {
        assert_eq!(with(accept).status, 200, "{accept}");
    }
    assert_eq!(list().without("Accept").send(http.address()).status, 200);
    let refused = with("text/html");
    assert_eq!(refused.status, 406);
    let says = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(says.contains("application/json") && says.contains("text/event-stream"), "{says}");
}

#[test]
fn c22_a_form_of_weight_0_is_not_used() {
    let http = HttpServer::of(&Project::small());
    let events = list().with("Accept", "application/json;q=0, text/event-stream").send(http.address());
    assert_eq!((events.status, events.header("content-type")), (200, "text/event-stream"));
    let listen = request(7, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let refused = HttpRequest::of(&listen)
        .with("Accept", "text/event-stream;q=0, application/json")
        .send(http.address());
    assert_eq!(refused.status, 406, "{refused:?}");
}

#[test]
fn c23_other_methods_are_refused_at_once_without_a_challenge() {
    let http = HttpServer::of(&Project::small());
    for method in ["GET", "HEAD", "PUT", "DELETE"] {
        for token in [None, Some("Bearer something")] {
            let mut request = list().by(method).with("Accept", "text/event-stream");
            if let Some(token) = token {
                request = request.with("Authorization", token);
            }
            let reply = request.send(http.address());
            assert_eq!((reply.status, reply.header("allow")), (405, "POST"), "{method}");
            assert_eq!(reply.header("www-authenticate"), "", "{method}");
            assert_ne!(reply.header("content-type"), "text/event-stream", "{method}");
        }
    }
}

#[test]
fn c28_what_is_said_to_be_compressed_can_be_read_as_such() {
    let http = HttpServer::of(&Project::paged());
    let listed = request(7, "resources/list", json!({}));
    let plain = HttpRequest::of(&listed).send(http.address());
    let asked = HttpRequest::of(&listed).with("Accept-Encoding", "gzip, br").send(http.address());
    assert_eq!(
        asked.header("content-encoding"),
        "",
        "nothing is compressed here, so that events arrive one by one"
    );
    assert_eq!(asked.body, plain.body);
}

#[test]
fn c30_bodies_of_every_legal_form_are_read() {
    let http = HttpServer::of(&Project::small());
    let body = request(7, "tools/list", json!({})).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: */*\r\nConnection: close\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n",
        http.address()
    );
    let send =
        |rest: String, asked| HttpReply::to_bytes(http.address(), format!("{head}{rest}").as_bytes(), asked);
    let chunked = format!("Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    assert_eq!(send(chunked, Some("tools/list")).status, 200);
    let expecting = format!("Expect: 100-continue\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    assert_eq!(send(expecting, Some("tools/list")).status, 200);
    let nothing = send("\r\n".to_owned(), None);
    assert_eq!((nothing.status, &nothing.json()["error"]["code"]), (400, &json!(-32700)));
}

fn with_meta(change: impl FnOnce(&mut Value)) -> Value {
    let mut meta = meta();
    change(&mut meta);
    request(7, "tools/list", json!({"_meta": meta}))
}

#[test]
fn c33_each_fault_has_its_status_and_none_is_the_servers() {
    let http = HttpServer::of(&Project::small());
    let unversioned = with_meta(|meta| {
        meta.as_object_mut().unwrap().remove("io.modelcontextprotocol/protocolVersion");
    });
    let later = with_meta(|meta| meta["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01"));
    let sent = |message: &Value| HttpRequest::of(message);
    let rows = [
        ("an unknown method", sent(&request(7, "no/such", json!({}))), 404, -32601),
        ("no version", sent(&unversioned).with("MCP-Protocol-Version", "2026-07-28"), 400, -32602),
        ("an unsupported version", sent(&later), 400, -32022),
        ("a missing capability", sent(&request(7, "tasks/get", json!({"taskId": "t"}))), 400, -32021),
        ("another method's header", list().with("Mcp-Method", "prompts/list"), 400, -32020),
    ];
    for (what, request, status, code) in rows {
        let reply = request.send(http.address());
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (status, &json!(code)), "{what}");
        if code == -32022 {
            let data = json!({"requested": "2031-01-01", "supported": ["2026-07-28"]});
            assert_eq!(reply.json()["error"]["data"], data);
        }
    }
    let failed = http.exchange(&call(7, "pm_get", json!({"id": "demo-zzzz"})));
    assert_eq!((failed.status, &failed.json()["result"]["isError"]), (200, &json!(true)));
}

#[test]
fn c35_every_result_says_whose_it_is() {
    let http = HttpServer::of(&Project::small());
    let discovered = http.ask(&request(1, "server/discover", json!({})));
    for member in ["supportedVersions", "capabilities", "ttlMs", "cacheScope", "resultType"] {
        assert!(discovered["result"].get(member).is_some(), "{member} is missing: {discovered}");
    }
    let completed = json!({"ref": {"type": "ref/prompt", "name": "orient"}, "argument": {"name": "request", "value": ""}});
    for message in [
        request(2, "tools/list", json!({})),
        request(3, "prompts/list", json!({})),
        request(4, "resources/list", json!({})),
        request(5, "resources/templates/list", json!({})),
        request(6, "resources/read", json!({"uri": "pm://items/demo-k3x9"})),
        request(7, "prompts/get", json!({"name": "orient", "arguments": {"request": "look around"}})),
        request(8, "completion/complete", completed),
        call(9, "pm_next", json!({})),
    ] {
        let answer = http.ask(&message);
        let identity = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(identity["name"], "pm-mcp", "{answer}");
        assert_eq!(*identity, discovered["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]);
    }
}
