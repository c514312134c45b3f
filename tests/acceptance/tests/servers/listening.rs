//! A stream of changes over a socket: what is on the wire, and how the server ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use pm_mcp_acceptance::{HttpServer, PATIENCE, Project, request, wire_schema};
use serde_json::{Value, json};

#[test]
fn a_stream_begins_at_once_and_ends_with_its_result_when_the_server_is_told_to_stop() {
    let server = HttpServer::of(&Project::small());
    let listen =
        request("s", "subscriptions/listen", json!({"notifications": {"resourcesListChanged": true}}));
    let body = listen.to_string();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: {}\r\n\r\n{body}",
        server.address(),
        body.len(),
    )
    .unwrap();
    let mut lines = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(lines.read_line(&mut head).unwrap(), 0, "the head broke off: {head}");
    }
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    for header in ["content-type: text/event-stream", "x-accel-buffering: no", "cache-control: no-cache"] {
        assert!(head.contains(header), "{head}");
    }
    assert!(!head.contains("mcp-session-id"), "{head}");

    let acknowledged = next_event(&mut lines);
    check(&acknowledged);
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s");

    server.terminate();
    let end = next_event(&mut lines);
    check(&end);
    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!("s"), &json!("complete")));
    assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s");
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("data:"), "nothing follows the end: {rest}");
    assert!(!rest.contains("id:"), "events have no ids: {rest}");
}

/// The next event; comments and the lines of the transfer encoding are passed over.
fn next_event(lines: &mut impl BufRead) -> Value {
    loop {
        let mut line = String::new();
        assert_ne!(lines.read_line(&mut line).unwrap(), 0, "the stream broke off");
        if let Some(data) = line.strip_prefix("data:") {
            return serde_json::from_str(data).unwrap();
        }
    }
}

fn check(message: &Value) {
    if let Some(Err(faults)) = wire_schema().map(|schema| schema.check(message, Some("subscriptions/listen")))
    {
        panic!("{faults}\nin {message}");
    }
}
