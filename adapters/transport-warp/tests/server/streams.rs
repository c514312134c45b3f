//! Answers that become streams (field cases C22 and C27).

use std::time::Duration;

use pm_mcp_transport_warp::{Http, HttpLimits};
use serde_json::json;

use crate::support::{Server, call};

#[tokio::test]
async fn what_precedes_the_answer_opens_a_stream_that_the_answer_ends() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.post("", &call("say", json!(3))).await;
    let reply = client.reply().await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    assert_eq!(reply.header("cache-control"), Some("no-cache, no-store"));
    assert_eq!(reply.header("x-accel-buffering"), Some("no"));
    let said: Vec<_> = (0..3).map(|n| json!({"said": n})).collect();
    assert_eq!(reply.events(), [&said[..], &[json!({"id": 1, "result": 3})]].concat());
    assert!(!reply.body.contains("id:"), "events have no ids: {}", reply.body);
    client.post("", &call("echo", json!(2))).await;
    assert_eq!(client.reply().await.status, 200);
}

#[tokio::test]
async fn each_event_is_sent_when_it_is_said() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.post("Accept-Encoding: gzip, br\r\n", &call("pause", json!(null))).await;
    assert_eq!(client.head().await.header("content-encoding"), None);
    assert_eq!(client.chunk().await, "data: {\"said\": \"before\"}\n\n");
    server.script.permits.add_permits(1);
    assert_eq!(client.chunk().await, "data: {\"said\":\"after\"}\n\n");
    assert!(client.chunk().await.starts_with("data: {\"id\":1"));
    assert_eq!(client.chunk().await, "");
}

#[tokio::test]
async fn a_silent_stream_shows_that_it_is_alive() {
    let server = Server::on(Http::bind("127.0.0.1:0").keep_alive(Duration::from_millis(20))).await;
    for (method, params, last) in
        [("pause", json!(null), "\"after\"}\n\n"), ("listen", json!(2), "{\"said\":1}\n\n")]
    {
        let mut client = server.connect().await;
        client.post("", &call(method, params)).await;
        client.head().await;
        assert!(client.chunk().await.starts_with("data: "), "{method}");
        for _ in 0..2 {
            assert_eq!(client.chunk().await, ":\n\n", "{method}");
        }
        server.script.permits.add_permits(1);
        client.until(last).await.unwrap();
    }
}

#[tokio::test]
async fn a_client_that_takes_streams_only_gets_one_at_once() {
    let server = Server::start().await;
    let accept = "Accept: application/json;q=0, text/event-stream\r\n";
    let mut client = server.connect().await;
    client.post(accept, &call("wait", json!(7))).await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(client.chunk().await, ":\n\n");
    server.script.permits.add_permits(1);
    assert_eq!(client.chunk().await, "data: {\"id\":1,\"result\":7}\n\n");
    let reply = server.post(accept, &call("echo", json!(8))).await;
    assert_eq!(reply.events(), [json!({"id": 1, "result": 8})]);
    let reply = server.post(accept, &call("status", json!(404))).await;
    assert_eq!((reply.status, reply.header("content-type")), (404, Some("application/json")));
}

#[tokio::test]
async fn a_client_that_takes_no_streams_gets_the_answer_alone() {
    let server = Server::start().await;
    let reply =
        server.post("Accept: application/json, text/event-stream;q=0\r\n", &call("say", json!(2))).await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.json(), json!({"id": 1, "result": 2}));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_peer_that_takes_nothing_is_given_up_and_little_is_kept_for_it() {
    let limits = HttpLimits { write_time: Duration::from_millis(200), ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let mut stalled = server.connect_narrow().await;
    stalled.post("", &call("say", json!(1_000_000))).await;
    // Others are served meanwhile, also more than the stalled one was given.
    let mut client = server.connect().await;
    client.post("", &call("say", json!(100_000))).await;
    assert_eq!(client.reply().await.events().len(), 100_001);
    server.script.cancelled.acquire().await.unwrap().forget();
    let said = stalled.closed().await;
    assert!(!said.contains("result"), "the answer came after all");
    assert!(said.len() < 1 << 20, "{} bytes were kept for a peer that took nothing", said.len());
}
