//! Field cases C10 and C11: the end of the input, a shutdown, a peer that goes away.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pm_mcp_transport_stdio::{StdioError, StdioLimits};
use serde_json::json;

use crate::support::Client;

#[tokio::test]
async fn an_empty_input_ends_the_session_cleanly() {
    let mut client = Client::start(StdioLimits::default());
    client.end().await;
    client.session.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_request_in_flight_at_the_end_of_input_is_still_answered() {
    let mut client = Client::start(StdioLimits::default());
    client.request(1, "wait", json!(null)).await;
    client.script.started.acquire().await.unwrap().forget();
    client.end().await;
    client.script.permits.add_permits(1);
    assert_eq!(client.id().await, 1);
    client.session.await.unwrap().unwrap();
}

#[tokio::test]
async fn the_last_line_needs_no_line_end() {
    let mut client = Client::start(StdioLimits::default());
    client.send("{\"id\":1,\"method\":\"wait\",\"params\":null}").await;
    client.script.permits.add_permits(1);
    client.end().await;
    assert_eq!(client.id().await, 1);
    client.session.await.unwrap().unwrap();
}

#[tokio::test]
async fn requests_in_line_at_the_end_of_input_are_served_too() {
    let mut client = Client::start(StdioLimits { max_in_flight: 1, ..StdioLimits::default() });
    for id in 0..3 {
        client.request(id, "wait", json!(null)).await;
    }
    client.end().await;
    client.script.permits.add_permits(3);
    for id in 0..3 {
        assert_eq!(client.id().await, id);
    }
    client.session.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_request_that_outlives_the_grace_is_cancelled() {
    let grace = Duration::from_secs(3);
    let mut client = Client::start(StdioLimits { shutdown_grace: grace, ..StdioLimits::default() });
    client.request(1, "wait", json!(null)).await;
    client.script.started.acquire().await.unwrap().forget();
    let start = tokio::time::Instant::now();
    client.end().await;
    (&mut client.session).await.unwrap().unwrap();
    assert!(start.elapsed() >= grace && start.elapsed() < grace * 2, "{:?}", start.elapsed());
    while client.script.dropped.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(client.line().await, "");
}

#[tokio::test]
async fn a_shutdown_stops_the_reading_and_finishes_what_is_in_flight() {
    let mut client = Client::start(StdioLimits::default());
    client.request(1, "wait", json!(null)).await;
    client.script.started.acquire().await.unwrap().forget();
    client.stop.take().unwrap().send(()).unwrap();
    client.script.permits.add_permits(1);
    assert_eq!(client.id().await, 1);
    client.session.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_peer_that_went_away_ends_the_session_with_an_error() {
    let mut client = Client::start(StdioLimits::default());
    client.request(1, "wait", json!(null)).await;
    client.script.started.acquire().await.unwrap().forget();
    client.script.permits.add_permits(1);
    let Client { output, input, session, .. } = client;
    drop((output, input));
    match session.await.unwrap() {
        // The end of the input may be seen before the answer is written.
        Ok(()) | Err(StdioError::Write(_)) => {}
        Err(other) => panic!("{other}"),
    }
}
