//! Request heads that are refused, by the policy or by HTTP itself (field cases C21 to C24 and C40).

use std::time::Duration;

use pm_mcp_domain::limit::Limit;
use pm_mcp_transport_warp::HttpLimits;
use serde_json::json;

use crate::support::{Server, call};

#[tokio::test]
async fn other_methods_are_refused_at_once_and_told_the_right_one() {
    let server = Server::start().await;
    for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] {
        let mut client = server.connect().await;
        client
            .send(format!("{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"))
            .await;
        let reply = client.head().await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method}");
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.header("www-authenticate"), None);
    }
}

#[tokio::test]
async fn hosts_and_origins_of_others_are_refused_before_anything_is_read() {
    let server = Server::start().await;
    let rest = "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n";
    for (headers, status) in [
        ("Host: evil.example\r\n", 403),
        ("", 403),
        ("Host: localhost\r\nHost: localhost\r\n", 403),
        ("Host: localhost\r\nOrigin: https://evil.example\r\n", 403),
        ("Host: localhost\r\nOrigin: null\r\n", 403),
    ] {
        let mut client = server.connect().await;
        client.send(format!("POST /mcp HTTP/1.1\r\n{headers}{rest}")).await;
        let reply = client.reply().await;
        assert_eq!(reply.status, status, "{headers:?}");
        assert_eq!(reply.json()["error"]["code"], -32600);
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
    let mut client = server.connect().await;
    client.send(format!("POST http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\n{rest}")).await;
    assert_eq!(client.reply().await.status, 403);
    assert_eq!(server.script.calls.available_permits(), 0);
}

#[tokio::test]
async fn other_paths_forms_and_types_have_their_status() {
    let server = Server::start().await;
    let body = call("echo", json!(1));
    for (head, status) in [
        ("POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n", 404),
        ("POST /mcp/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n", 404),
        ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n", 415),
        (
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: text/html\r\n",
            406,
        ),
        (
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nLast-Event-ID: 1\r\n",
            400,
        ),
    ] {
        let mut client = server.connect().await;
        client.send(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await;
        assert_eq!(client.reply().await.status, status, "{head}");
    }
}

#[tokio::test]
async fn broken_heads_are_bad_requests_and_the_server_goes_on() {
    let server = Server::start().await;
    let long = "x".repeat(100 << 10);
    let many = "A: b\r\n".repeat(101);
    for (head, status) in [
        ("POST /mcp HTTP/1.1\r\nHost: a\0b\r\n\r\n".to_owned(), 400),
        ("POST /mcp HTTP/1.1\r\nHost: a\r\nX: b\r\n folded\r\n\r\n".to_owned(), 400),
        ("nonsense\r\n\r\n".to_owned(), 400),
        (format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: {long}\r\n\r\n"), 431),
        (format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{many}\r\n"), 431),
    ] {
        let mut client = server.connect().await;
        client.send(head.as_bytes()).await;
        assert_eq!(client.head().await.status, status, "{}", &head[..40.min(head.len())]);
    }
    let id = format!("Mcp-Session-Id: {}\r\n", "s".repeat(8 << 10));
    assert_eq!(server.post(&id, &call("echo", json!(1))).await.status, 200);
}

#[tokio::test]
async fn silent_and_slow_connections_are_closed() {
    let limits = HttpLimits {
        header_read_time: Duration::from_millis(50),
        idle_time: Duration::from_millis(50),
        ..HttpLimits::default()
    };
    let server = Server::with(limits).await;
    for bytes in ["", "POST /mcp HTTP/1.1\r\nHos", "PRI * HTTP/2.0\r\n"] {
        let mut client = server.connect().await;
        client.send(bytes).await;
        assert_eq!(client.closed().await, "", "{bytes:?}");
    }
    // Also when they have served a request before.
    for bytes in ["", "POST /mcp HTTP/1.1\r\nHos"] {
        let mut client = server.connect().await;
        client.post("", &call("echo", json!(1))).await;
        assert_eq!(client.reply().await.status, 200);
        client.send(bytes).await;
        assert_eq!(client.closed().await, "", "{bytes:?}");
    }
}

#[tokio::test]
async fn a_connection_above_the_limit_waits_for_a_place() {
    let server = Server::with(HttpLimits { connections: 2, ..HttpLimits::default() }).await;
    let waited = || server.script.limit_counts.read(Limit::Connections);
    let mut served = Vec::new();
    for number in 1..=2 {
        let mut client = server.connect().await;
        client.post("", &call("echo", json!(number))).await;
        assert_eq!(client.reply().await.status, 200);
        assert_eq!(waited(), 0, "{number}");
        served.push(client);
        server.called().await;
    }
    let mut third = server.connect().await;
    third.post("", &call("echo", json!(3))).await;
    while waited() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.script.calls.available_permits(), 0);
    drop(served.pop());
    assert_eq!(third.reply().await.json()["result"], 3);
    assert_eq!(waited(), 1);
}
