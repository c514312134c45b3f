//! Answers as they are ready; what a request says before its answer; panics.

use std::sync::atomic::Ordering;

use pm_mcp_transport_stdio::StdioLimits;
use serde_json::json;

use crate::support::Client;

#[tokio::test]
async fn a_fast_request_overtakes_a_slow_one() {
    let mut client = Client::start(StdioLimits::default());
    client.request(1, "wait", json!(null)).await;
    client.request(2, "echo", json!(null)).await;
    assert_eq!(client.id().await, 2);
    client.script.permits.add_permits(1);
    assert_eq!(client.id().await, 1);
}

#[tokio::test]
async fn messages_precede_the_answer_of_their_request() {
    let mut client = Client::start(StdioLimits::default());
    client.request(7, "say", json!(3)).await;
    for n in 0..3 {
        assert_eq!(client.value().await, json!({"said": n, "by": 7}));
    }
    assert_eq!(client.id().await, 7);
}

#[tokio::test]
async fn notifications_are_not_answered() {
    let mut client = Client::start(StdioLimits::default());
    client.send("{\"method\":\"note\"}\n").await;
    client.request(1, "echo", json!(null)).await;
    assert_eq!(client.id().await, 1);
}

#[tokio::test]
async fn a_panic_is_an_internal_error_and_the_session_goes_on() {
    let mut client = Client::start(StdioLimits::default());
    for method in ["panic", "late_panic"] {
        client.request(1, method, json!(null)).await;
        assert_eq!(client.value().await["error"]["code"], -32603, "{method}");
        client.request(2, "echo", json!(null)).await;
        assert_eq!(client.id().await, 2);
    }
}

#[tokio::test]
async fn dropping_the_session_cancels_its_requests() {
    let mut client = Client::start(StdioLimits::default());
    client.request(1, "wait", json!(null)).await;
    client.script.started.acquire().await.unwrap().forget();
    client.session.abort();
    assert!((&mut client.session).await.unwrap_err().is_cancelled());
    // Aborted tasks are dropped by the runtime, at the latest the next time that it runs them.
    while client.script.dropped.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}
