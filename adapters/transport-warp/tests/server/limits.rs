//! Every limit of the transport: below it, at it and one above, with a refusal that names it and a count of its own.

use std::time::Duration;

use pm_mcp_domain::limit::Limit;
use pm_mcp_transport_warp::HttpLimits;
use serde_json::json;

use crate::support::{Server, call};

/// Waits until a limit was counted this often. A count follows the answer, so that nobody waits for it.
async fn counted(server: &Server, limit: Limit, times: u64) {
    while server.script.limit_counts.read(limit) < times {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.script.limit_counts.read(limit), times, "{limit}");
}

#[tokio::test]
async fn a_body_may_have_as_many_bytes_as_the_limit_and_no_more() {
    let server = Server::with(HttpLimits { body_bytes: 1000, ..HttpLimits::default() }).await;
    let frame = call("echo", json!("")).len();
    for (bytes, status) in [(999, 200), (1000, 200), (1001, 413)] {
        let body = call("echo", json!("x".repeat(bytes - frame)));
        assert_eq!(body.len(), bytes);
        let reply = server.post("", &body).await;
        assert_eq!(reply.status, status, "{bytes}");
        assert_eq!(reply.body.contains("1000 bytes (limit body_bytes)"), status == 413, "{reply:?}");
    }
    counted(&server, Limit::BodyBytes, 1).await;
}

#[tokio::test]
async fn a_body_that_is_too_slow_is_told_the_limit_and_counted() {
    let limits = HttpLimits { body_read_time: Duration::from_millis(40), ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let mut client = server.connect().await;
    client.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n").await;
    let reply = client.reply().await;
    assert_eq!(reply.status, 408);
    assert!(reply.body.contains("40 ms (limit body_read_time)"), "{reply:?}");
    counted(&server, Limit::BodyReadTime, 1).await;
}

#[tokio::test]
async fn a_head_may_have_as_many_bytes_and_headers_as_the_limits_and_no_more() {
    const WORDS: &str = "16384 bytes or 20 headers (limit header_bytes)";
    let limits = HttpLimits { header_bytes: 16 << 10, max_headers: 20, ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let body = call("echo", json!(1));
    // Host, Content-Type and Content-Length are there anyway.
    for (more, status) in [(16, 200), (17, 200), (18, 431)] {
        let mut client = server.connect().await;
        client.post(&"A: b\r\n".repeat(more), &body).await;
        let reply = client.reply().await;
        assert_eq!(reply.status, status, "{more} more headers");
        assert_eq!(reply.body.contains(WORDS), status == 431, "{reply:?}");
    }
    counted(&server, Limit::HeaderBytes, 1).await;
    let rest = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: \r\n\r\n".len();
    for (bytes, refused) in
        [(limits.header_bytes - 1, false), (limits.header_bytes, false), (limits.header_bytes + 1, true)]
    {
        let mut client = server.connect().await;
        let filler = "x".repeat(bytes - rest);
        client.send(format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: {filler}\r\n\r\n")).await;
        let reply = client.reply().await;
        assert_eq!(reply.status == 431, refused, "{bytes} bytes: {reply:?}");
        assert_eq!(reply.body.contains(WORDS), refused, "{reply:?}");
    }
    counted(&server, Limit::HeaderBytes, 2).await;
    // One that hyper does not read to its end, behind an answer on the same connection.
    let mut client = server.connect().await;
    client.post("", &body).await;
    assert_eq!(client.reply().await.status, 200);
    client
        .send(format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(100 << 10)))
        .await;
    let reply = client.reply().await;
    assert_eq!((reply.status, reply.header("content-type")), (431, Some("application/json")), "{reply:?}");
    assert!(reply.body.contains(WORDS) && reply.header("date").is_some(), "{reply:?}");
    assert_eq!(client.closed().await, "");
    counted(&server, Limit::HeaderBytes, 3).await;
}

#[tokio::test]
async fn connections_that_say_nothing_are_closed_and_counted() {
    let limits = HttpLimits {
        header_read_time: Duration::from_millis(40),
        idle_time: Duration::from_millis(40),
        ..HttpLimits::default()
    };
    let server = Server::with(limits).await;
    let mut silent = server.connect().await;
    assert_eq!(silent.closed().await, "");
    counted(&server, Limit::HeaderReadTime, 1).await;
    let mut idle = server.connect().await;
    idle.post("", &call("echo", json!(1))).await;
    assert_eq!(idle.reply().await.status, 200);
    assert_eq!(idle.closed().await, "");
    counted(&server, Limit::IdleTime, 1).await;
}

#[tokio::test]
async fn a_request_at_work_keeps_its_connection_beyond_the_idle_time() {
    let limits = HttpLimits { idle_time: Duration::from_millis(20), ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let mut client = server.connect().await;
    client.post("", &call("wait", json!("late"))).await;
    server.called().await;
    counted(&server, Limit::IdleTime, 1).await;
    server.script.permits.add_permits(1);
    assert_eq!(client.reply().await.json()["result"], "late");
}
