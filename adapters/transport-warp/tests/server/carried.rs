//! Streams that their connection carries without the request (field cases C22, C25 and C27).

use std::time::Duration;

use pm_mcp_domain::limit::Limit;
use pm_mcp_transport_warp::{Http, HttpLimits};
use serde_json::json;

use crate::support::{ORIGIN, Server, call};

#[tokio::test]
async fn each_event_is_one_chunk_and_the_connection_closes_behind_the_answer() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.post(&format!("Origin: {ORIGIN}\r\n"), &call("listen", json!(3))).await;
    let head = client.head().await;
    assert_eq!(head.status, 200);
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    assert_eq!(head.header("transfer-encoding"), Some("chunked"));
    assert_eq!(head.header("connection"), Some("close"));
    assert_eq!(head.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(client.chunk().await, "data: {\"said\":0}\n\n");
    for said in 1..3 {
        server.script.permits.add_permits(1);
        assert_eq!(client.chunk().await, format!("data: {{\"said\":{said}}}\n\n"));
    }
    server.script.permits.add_permits(1);
    assert_eq!(client.closed().await, "1B\r\ndata: {\"id\":1,\"result\":3}\n\n\r\n0\r\n\r\n");
    assert_eq!(server.script.cancelled.available_permits(), 0);
}

#[tokio::test]
async fn a_reader_of_http_1_0_gets_the_stream_without_chunks() {
    let server = Server::start().await;
    server.script.permits.add_permits(2);
    let mut client = server.connect().await;
    let body = call("listen", json!(2));
    let length = body.len();
    client
        .send(format!(
            "POST /mcp HTTP/1.0\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
        .await;
    assert_eq!(client.head().await.header("transfer-encoding"), None);
    let events = ["{\"said\":0}", "{\"said\":1}", "{\"id\":1,\"result\":2}"];
    assert_eq!(client.closed().await, events.map(|event| format!("data: {event}\n\n")).concat());
}

#[tokio::test]
async fn a_stream_may_follow_other_requests_of_its_connection() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    let head =
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\nContent-Length: ";
    let message = |text: &str| format!("{head}{}\r\n\r\n{text}", text.len());
    let said =
        [call("echo", json!(1)), call("say", json!(2)), call("listen", json!(1)), call("echo", json!(4))];
    client.send(said.map(|text| message(&text)).concat()).await;
    assert_eq!(client.reply().await.json()["result"], 1);
    assert_eq!(client.reply().await.events().len(), 3);
    client.head().await;
    assert_eq!(client.chunk().await, "data: {\"said\":0}\n\n");
    server.script.permits.add_permits(1);
    // What was sent behind the stream has no answer, as its head said.
    assert!(client.closed().await.ends_with("{\"id\":1,\"result\":1}\n\n\r\n0\r\n\r\n"));
    assert_eq!(server.script.calls.available_permits(), 3);
}

#[tokio::test]
async fn it_outlives_the_idle_time() {
    let idle_time = Duration::from_millis(10);
    let limits = HttpLimits { idle_time, ..HttpLimits::default() };
    let server = Server::on(Http::bind("127.0.0.1:0").limits(limits).keep_alive(idle_time)).await;
    let mut client = server.connect().await;
    client.post("", &call("listen", json!(2))).await;
    client.head().await;
    assert!(client.chunk().await.starts_with("data: "));
    // Comments tell the time: more of it has passed than a connection may idle.
    for _ in 0..5 {
        assert_eq!(client.chunk().await, ":\n\n");
    }
    server.script.permits.add_permits(1);
    client.until("{\"said\":1}\n\n").await.unwrap();
    assert_eq!(server.script.limit_counts.read(Limit::IdleTime), 0);
}

#[tokio::test]
async fn a_peer_that_leaves_cancels_it() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.post("", &call("listen", json!(2))).await;
    client.head().await;
    assert!(client.chunk().await.starts_with("data: "));
    drop(client);
    server.script.cancelled.acquire().await.unwrap().forget();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_peer_that_takes_nothing_is_given_up_and_little_is_kept_for_it() {
    let limits = HttpLimits { write_time: Duration::from_millis(200), ..HttpLimits::default() };
    let server = Server::with(limits).await;
    server.script.permits.add_permits(1_000_000);
    let mut stalled = server.connect_narrow().await;
    stalled.post("", &call("listen", json!(1_000_000))).await;
    server.script.cancelled.acquire().await.unwrap().forget();
    assert_eq!(server.script.limit_counts.read(Limit::WriteDeadline), 1);
    let said = stalled.closed().await;
    assert!(!said.contains("result"), "the answer came after all");
    assert!(said.len() < 1 << 20, "{} bytes were kept for a peer that took nothing", said.len());
}

#[tokio::test]
async fn a_slow_reader_gets_every_byte() {
    let server = Server::start().await;
    server.script.permits.add_permits(200_000);
    let mut client = server.connect_narrow().await;
    client.post("", &call("listen", json!(200_000))).await;
    let reply = client.reply().await;
    let said = (0..200_000).map(|said| json!({"said": said}));
    assert!(reply.events().into_iter().eq(said.chain([json!({"id": 1, "result": 200_000})])));
}

#[tokio::test]
async fn it_ends_at_the_end_of_the_grace() {
    let grace = Duration::from_millis(50);
    let mut server = Server::with(HttpLimits { shutdown_grace: grace, ..HttpLimits::default() }).await;
    let mut client = server.connect().await;
    client.post("", &call("listen", json!(2))).await;
    client.head().await;
    assert!(client.chunk().await.starts_with("data: "));
    server.stop.take().unwrap().send(()).unwrap();
    (&mut server.serving).await.unwrap();
    server.script.cancelled.acquire().await.unwrap().forget();
    assert_eq!(client.closed().await, "");
}
