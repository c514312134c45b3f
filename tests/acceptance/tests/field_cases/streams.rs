//! Streams as they are on the socket.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, PATIENCE, Project, StdioServer, request};
use serde_json::{Value, json};

#[test]
fn c27_a_stream_shows_its_head_and_a_first_byte_at_once() {
    let http = HttpServer::of(&Project::small());
    let listen = request("s", "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
        .to_string();
    let mut stream = TcpStream::connect(http.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let begun = Instant::now();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: {}\r\n\r\n{listen}",
        http.address(),
        listen.len(),
    )
    .unwrap();
    let mut lines = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(lines.read_line(&mut head).unwrap(), 0, "{head}");
    }
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(!first.is_empty());
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    let head = head.to_ascii_lowercase();
    for header in ["content-type: text/event-stream", "x-accel-buffering: no", "cache-control: no-cache"] {
        assert!(head.contains(header), "{header} is not in {head}");
    }
}

#[test]
fn c53_each_stream_is_acknowledged_first_under_its_own_id() {
    let mut stdio = StdioServer::of(&Project::small());
    let wanted = json!({"notifications": {"toolsListChanged": true, "noSuchKind": true}});
    for id in [json!(5), json!("5")] {
        stdio.send(&request(id, "subscriptions/listen", wanted.clone()));
    }
    let mut ids: Vec<Value> = Vec::new();
    for _ in 0..2 {
        let acknowledged = stdio.receive();
        assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
        assert_eq!(acknowledged["params"]["notifications"].get("noSuchKind"), None, "{acknowledged}");
        ids.push(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone());
    }
    assert!(ids.contains(&json!(5)) && ids.contains(&json!("5")), "{ids:?}");
    stdio.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}));
    stdio.send(&request(6, "tools/list", json!({})));
    let ended = stdio.finish();
    assert!(ended.stdout.contains("\"id\":\"5\""), "the other stream lives to the end: {}", ended.stdout);
}
