//! Every limit of the transport: below it, at it and one above, with a refusal that names it and a count of its own.

use std::time::Duration;

use pm_mcp_domain::limit::Limit;
use pm_mcp_transport_warp::HttpLimits;
use serde_json::json;
use tokio::task::yield_now;
use tokio::time::advance;

use crate::support::{Client, Server, call};

const LIMIT: Duration = Duration::from_millis(40);
/// What timers tell apart.
const STEP: Duration = Duration::from_millis(1);
const NEVER: Duration = Duration::from_secs(3_600);

/// A paused clock moves to the next timer whenever nothing is left to do, also while bytes are on their way through a socket.
/// With somebody always at work it moves only when a test says so.
fn hold_the_clock() {
    tokio::spawn(async {
        loop {
            yield_now().await;
        }
    });
}

/// Waits until a limit was counted this often. A count follows the answer, so that nobody waits for it.
async fn counted(server: &Server, limit: Limit, times: u64) {
    while server.script.limit_counts.read(limit) < times {
        yield_now().await;
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

#[tokio::test(start_paused = true)]
async fn a_body_that_is_too_slow_is_told_the_limit_and_counted() {
    const HEAD: &str = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                        Expect: 100-continue\r\nContent-Length: ";
    hold_the_clock();
    let limits = HttpLimits { body_read_time: LIMIT, idle_time: NEVER, ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let body = call("echo", json!("late"));
    for (passed, status, refused) in [(LIMIT - STEP, 200, 0), (LIMIT, 408, 1), (LIMIT + STEP, 408, 2)] {
        let mut client = server.connect().await;
        client.send(format!("{HEAD}{}\r\n\r\n", body.len())).await;
        // Who is asked for a body is waited for.
        assert!(client.until("100 Continue\r\n\r\n").await.is_some());
        client.send(&body[..9]).await;
        advance(passed).await;
        if status == 200 {
            client.send(&body[9..]).await;
        }
        let reply = client.reply().await;
        assert_eq!(reply.status, status, "{passed:?}");
        assert_eq!(reply.body.contains("40 ms (limit body_read_time)"), status == 408, "{reply:?}");
        counted(&server, Limit::BodyReadTime, refused).await;
    }
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

/// A connection that is being waited for: connections are taken in the order in which they come, and one that came after it
/// was answered.
async fn awaited(server: &Server, begins: &str) -> Client {
    let mut client = server.connect().await;
    client.send(begins).await;
    assert_eq!(server.post("", &call("echo", json!(1))).await.status, 200);
    client
}

#[tokio::test(start_paused = true)]
async fn connections_that_say_nothing_are_closed_and_counted() {
    hold_the_clock();
    let limits = HttpLimits { header_read_time: LIMIT, idle_time: NEVER, ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let body = call("echo", json!("late"));
    let whole = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let mut refused = 0;
    for sent in [0, 1, head.len()] {
        let mut late = awaited(&server, &whole[..sent]).await;
        advance(LIMIT - STEP).await;
        late.send(&whole[sent..]).await;
        assert_eq!(late.reply().await.json()["result"], "late", "{sent}");
        counted(&server, Limit::HeaderReadTime, refused).await;
        for passed in [LIMIT, LIMIT + STEP] {
            let mut silent = awaited(&server, &whole[..sent]).await;
            advance(passed).await;
            assert_eq!(silent.closed().await, "", "{sent}");
            refused += 1;
            counted(&server, Limit::HeaderReadTime, refused).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_asks_within_each_span_is_kept_and_closed_after_one_without_a_request() {
    hold_the_clock();
    let server = Server::with(HttpLimits { idle_time: LIMIT, ..HttpLimits::default() }).await;
    let ask = call("echo", json!(1));
    let mut kept = server.connect().await;
    kept.post("", &ask).await;
    assert_eq!(kept.reply().await.status, 200);
    for _ in 0..3 {
        // The last moment of a span, and its end.
        advance(LIMIT - STEP).await;
        kept.post("", &ask).await;
        assert_eq!(kept.reply().await.status, 200);
        advance(STEP).await;
        // Whose time is over has its turn before another is answered.
        assert_eq!(server.post("", &ask).await.status, 200);
        counted(&server, Limit::IdleTime, 0).await;
    }
    // Nothing is asked in the span that began just now.
    advance(LIMIT - STEP).await;
    assert_eq!(server.post("", &ask).await.status, 200);
    counted(&server, Limit::IdleTime, 0).await;
    advance(STEP).await;
    assert_eq!(kept.closed().await, "");
    counted(&server, Limit::IdleTime, 1).await;
    let mut late = server.connect().await;
    late.post("", &ask).await;
    assert_eq!(late.reply().await.status, 200);
    advance(LIMIT + STEP).await;
    assert_eq!(late.closed().await, "");
    counted(&server, Limit::IdleTime, 2).await;
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
