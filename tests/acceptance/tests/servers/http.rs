//! What only a socket can show.

use pm_mcp_acceptance::{HttpReply, HttpRequest, HttpServer, Project, call, request};
use serde_json::json;

#[test]
fn each_fault_of_the_head_gets_its_status() {
    let project = Project::small();
    let http = HttpServer::of(&project);
    let good = || HttpRequest::of(&request(7, "tools/list", json!({})));
    let rows = [
        ("as it should be", good(), 200, ""),
        ("any type", good().with("Accept", "*/*"), 200, ""),
        ("any text, any application", good().with("Accept", "application/*, text/*"), 200, ""),
        ("no Accept", good().without("Accept"), 200, ""),
        ("weights", good().with("Accept", "application/json;q=0.9, text/event-stream"), 200, ""),
        ("a charset", good().with("Content-Type", "application/json; charset=utf-8"), 200, ""),
        ("GET", good().by("GET"), 405, "POST"),
        ("HEAD", good().by("HEAD"), 405, ""),
        ("PUT", good().by("PUT"), 405, "POST"),
        ("DELETE", good().by("DELETE"), 405, "POST"),
        ("OPTIONS without an origin", good().by("OPTIONS"), 405, "POST"),
        ("GET of events", good().by("GET").with("Accept", "text/event-stream"), 405, "POST"),
        ("another path", good().to("/other"), 404, "/mcp"),
        ("the root", good().to("/"), 404, "/mcp"),
        ("a longer path", good().to("/mcp/more"), 404, "/mcp"),
        ("a foreign host", good().with("Host", "evil.example"), 403, "Host"),
        ("a foreign origin", good().with("Origin", "https://evil.example"), 403, "Origin"),
        ("the origin null", good().with("Origin", "null"), 403, "Origin"),
        ("a page is not wanted", good().with("Accept", "text/html"), 406, "application/json"),
        ("events are not taken", good().with("Accept", "application/json"), 406, "text/event-stream"),
        ("a form", good().with("Content-Type", "application/x-www-form-urlencoded"), 415, "application/json"),
        ("no type", good().without("Content-Type"), 415, "application/json"),
        ("a stream resumed", good().with("Last-Event-ID", "7"), 400, "Last-Event-ID"),
        ("a method header twice, equal", good().with_another("Mcp-Method", "tools/list"), 400, "Mcp-Method"),
        (
            "a method header twice, unequal",
            good().with_another("Mcp-Method", "tools/call"),
            400,
            "Mcp-Method",
        ),
        ("no body", HttpRequest::post(Vec::new()).with("Mcp-Method", "tools/list"), 400, "JSON"),
        ("a session", good().with("Mcp-Session-Id", "s"), 200, ""),
    ];
    for (what, request, status, says) in rows {
        let reply = request.send(http.address());
        assert_eq!(reply.status, status, "{what}: {reply:?}");
        assert_eq!(reply.header("mcp-session-id"), "", "{what}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{what}");
        if status == 405 {
            assert_eq!(reply.header("allow"), "POST", "{what}");
        }
        if !says.is_empty() {
            let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
            assert!(message.contains(says), "{what}: {message:?}");
        }
        assert_eq!(good().send(http.address()).status, 200, "after {what}");
    }
}

#[test]
fn whoever_takes_events_only_gets_the_answer_as_one() {
    let http = HttpServer::of(&Project::small());
    let get = HttpRequest::of(&call(7, "pm_get", json!({"id": "demo-q7aa"})));
    let reply = get.with("Accept", "application/json;q=0, text/event-stream").send(http.address());
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/event-stream"));
    assert_eq!(reply.header("x-accel-buffering"), "no");
    let text = String::from_utf8(reply.body).unwrap();
    assert!(text.contains("data:") && text.contains("demo-q7aa"), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("id:")), "events have no ids: {text}");
}

#[test]
fn an_allowed_origin_may_ask_and_no_other() {
    let project = Project::small();
    let http = HttpServer::start(project.root(), &[("PM_MCP_HTTP_ALLOWED_ORIGINS", "https://app.example")]);
    let good = HttpRequest::of(&request(7, "tools/list", json!({})));
    let preflight = |origin: &str| {
        HttpRequest::post(Vec::new())
            .by("OPTIONS")
            .with("Origin", origin)
            .with("Access-Control-Request-Method", "POST")
            .with(
                "Access-Control-Request-Headers",
                "mcp-protocol-version, mcp-method, mcp-param-pm-workspace",
            )
            .send(http.address())
    };
    let allowed = preflight("https://app.example");
    assert!(matches!(allowed.status, 200 | 204), "{allowed:?}");
    assert_eq!(allowed.header("access-control-allow-origin"), "https://app.example");
    assert!(
        allowed.header("access-control-allow-headers").to_lowercase().contains("mcp-method"),
        "{allowed:?}"
    );
    let served = good.clone().with("Origin", "https://app.example").send(http.address());
    assert_eq!((served.status, served.header("access-control-allow-origin")), (200, "https://app.example"));
    let failed =
        good.clone().with("Origin", "https://app.example").with("Mcp-Method", "x").send(http.address());
    assert_eq!((failed.status, failed.header("access-control-allow-origin")), (400, "https://app.example"));
    for origin in ["https://evil.example", "https://app.example:443", "http://app.example"] {
        assert_eq!(preflight(origin).status, 403);
        let refused = good.clone().with("Origin", origin).send(http.address());
        assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, ""));
    }
}

#[test]
fn a_notification_is_accepted_without_a_body() {
    let http = HttpServer::of(&Project::small());
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let reply = HttpRequest::post(note.to_string().into_bytes())
        .with("Mcp-Method", "notifications/cancelled")
        .send(http.address());
    assert_eq!((reply.status, reply.body.len()), (202, 0));
}

#[test]
fn lists_and_reads_say_how_long_they_hold() {
    let http = HttpServer::of(&Project::small());
    for (method, params, ttl, scope) in [
        ("server/discover", json!({}), 3_600_000, "public"),
        ("tools/list", json!({}), 60_000, "private"),
        ("resources/templates/list", json!({}), 3_600_000, "public"),
        ("resources/list", json!({}), 5_000, "private"),
        ("prompts/list", json!({}), 60_000, "private"),
        ("resources/read", json!({"uri": "pm://workspace/next"}), 2_000, "private"),
        ("resources/read", json!({"uri": "pm://items/demo-k3x9"}), 2_000, "private"),
        ("resources/read", json!({"uri": "pm://workspace/schema"}), 30_000, "private"),
        ("resources/read", json!({"uri": "pm://workspace/agent-guide"}), 30_000, "private"),
        ("resources/read", json!({"uri": "pm://items/demo-k3x9/history/2"}), 86_400_000, "private"),
    ] {
        let reply = http.exchange(&request(1, method, params.clone()));
        let result = &reply.json()["result"];
        assert_eq!(
            (&result["ttlMs"], &result["cacheScope"]),
            (&json!(ttl), &json!(scope)),
            "{method} {params}"
        );
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("content-type"), "application/json");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "pm-mcp", "{method}");
        assert_eq!(result["resultType"], "complete");
    }
}

#[test]
fn a_signal_ends_the_server_well() {
    let project = Project::small();
    let http = HttpServer::of(&project);
    let address = http.address();
    assert!(http.ask(&request(1, "server/discover", json!({})))["result"].is_object());
    let ended = http.terminate();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert_eq!(ended.stdout, "");
    assert!(std::net::TcpStream::connect(address).is_err(), "nothing listens any more");
}

fn head(http: &HttpServer, more: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/list\r\nConnection: close\r\n{more}\r\n",
        http.address()
    )
}

fn chunked(body: &str, size: usize) -> String {
    let mut whole = String::new();
    for piece in body.as_bytes().chunks(size) {
        whole.push_str(&format!("{:x}\r\n{}\r\n", piece.len(), std::str::from_utf8(piece).unwrap()));
    }
    whole + "0\r\n\r\n"
}

#[test]
fn bodies_are_read_however_they_are_sent_and_never_beyond_the_limit() {
    let http = HttpServer::of(&Project::small());
    let list = request(7, "tools/list", json!({})).to_string();
    let encoding = "Transfer-Encoding: chunked\r\n";
    let whole = head(&http, encoding) + &chunked(&list, 100);
    assert_eq!(HttpReply::to_bytes(http.address(), whole.as_bytes(), Some("tools/list")).status, 200);

    let expecting = format!("Content-Length: {}\r\nExpect: 100-continue\r\n", list.len());
    let whole = head(&http, &expecting) + &list;
    assert_eq!(HttpReply::to_bytes(http.address(), whole.as_bytes(), Some("tools/list")).status, 200);

    let nothing = HttpReply::to_bytes(http.address(), head(&http, "").as_bytes(), None);
    assert_eq!((nothing.status, nothing.json()["error"]["code"].clone()), (400, json!(-32700)));

    let long = list.clone() + &" ".repeat(4 << 20);
    let whole = head(&http, encoding) + &chunked(&long, 1 << 16);
    assert_eq!(HttpReply::to_bytes(http.address(), whole.as_bytes(), None).status, 413, "at the crossing");
    assert_eq!(http.exchange(&request(8, "tools/list", json!({}))).status, 200);
}

#[test]
fn heads_that_no_client_sends_are_refused_and_cost_nothing() {
    let http = HttpServer::of(&Project::small());
    let length = "Content-Length: 0\r\n";
    for (what, header) in [
        ("a long header", format!("Mcp-Session-Id: {}\r\n", "x".repeat(1 << 20))),
        ("many headers", "X-Filler: y\r\n".repeat(1_000)),
        ("a folded header", "Mcp-Name: a\r\n b\r\n".to_owned()),
        ("a NUL", "Mcp-Name: a\0b\r\n".to_owned()),
        ("a name with a blank", "Mcp Name: a\r\n".to_owned()),
    ] {
        let bytes = head(&http, &format!("{length}{header}"));
        let status = first_status(&http, bytes.as_bytes());
        assert!(matches!(status, None | Some(400 | 431)), "{what}: {status:?}");
        assert_eq!(http.exchange(&request(8, "tools/list", json!({}))).status, 200, "after {what}");
    }
    let beyond_ascii =
        HttpRequest::of(&request(7, "tools/list", json!({}))).with("Mcp-Method", "tools/\u{fc}");
    assert_eq!(beyond_ascii.send(http.address()).status, 400);
}

/// The status, or nothing if the connection was closed without one. The rest of such replies is the HTTP layer's own.
fn first_status(http: &HttpServer, bytes: &[u8]) -> Option<u16> {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(http.address()).unwrap();
    stream.set_read_timeout(Some(pm_mcp_acceptance::PATIENCE)).unwrap();
    drop(stream.write_all(bytes));
    let mut start = [0_u8; 12];
    stream.read_exact(&mut start).ok()?;
    std::str::from_utf8(&start).unwrap().strip_prefix("HTTP/1.1 ")?.parse().ok()
}
