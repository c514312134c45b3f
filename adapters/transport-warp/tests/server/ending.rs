//! Addresses, and the end of a server.

use std::time::Duration;

use pm_mcp_transport_warp::{Http, HttpError, HttpLimits};
use serde_json::json;

use crate::support::{Server, call};

#[tokio::test]
async fn port_0_takes_a_free_port_and_says_which() {
    let bound = Http::bind("localhost:0").listen().await.unwrap();
    let port = bound.local_addr().port();
    assert_ne!(port, 0);
    assert!(bound.url().ends_with(&format!(":{port}/mcp")), "{}", bound.url());
}

#[tokio::test]
async fn addresses_that_others_can_reach_are_not_bound() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "[::ffff:192.0.2.1]:0"] {
        let refused = Http::bind(address).listen().await.unwrap_err();
        assert!(matches!(refused, HttpError::NonLoopback { .. }), "{address}: {refused}");
        assert!(refused.to_string().contains("without authorization"), "{refused}");
    }
}

#[tokio::test]
async fn wrong_and_taken_addresses_say_what_to_change() {
    let wrong = Http::bind("127.0.0.1").listen().await.unwrap_err();
    assert!(
        matches!(wrong, HttpError::Resolve { .. }) && wrong.to_string().contains("127.0.0.1:3000"),
        "{wrong}"
    );
    let bound = Http::bind("127.0.0.1:0").listen().await.unwrap();
    let taken = Http::bind(bound.local_addr().to_string()).listen().await.unwrap_err();
    assert!(matches!(taken, HttpError::Bind { .. }) && taken.to_string().contains("another port"), "{taken}");
}

#[tokio::test]
async fn a_shutdown_closes_idle_connections_and_finishes_requests_in_flight() {
    let mut server = Server::start().await;
    let mut silent = server.connect().await;
    let mut idle = server.connect().await;
    idle.post("", &call("echo", json!(1))).await;
    assert_eq!(idle.reply().await.status, 200);
    server.called().await;
    let mut busy = server.connect().await;
    busy.post("", &call("wait", json!(2))).await;
    let mut streaming = server.connect().await;
    streaming.post("", &call("pause", json!(3))).await;
    server.called().await;
    server.called().await;
    server.stop.take().unwrap().send(()).unwrap();
    assert_eq!(silent.closed().await, "");
    assert_eq!(idle.closed().await, "");
    server.script.permits.add_permits(2);
    assert_eq!(busy.reply().await.json()["result"], 2);
    assert_eq!(streaming.reply().await.events()[2]["result"], 3);
    server.serving.await.unwrap();
    assert!(tokio::net::TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn a_request_that_outlives_the_grace_is_cancelled() {
    let grace = Duration::from_millis(50);
    let mut server = Server::with(HttpLimits { shutdown_grace: grace, ..HttpLimits::default() }).await;
    let mut client = server.connect().await;
    client.post("", &call("wait", json!(null))).await;
    server.called().await;
    server.stop.take().unwrap().send(()).unwrap();
    (&mut server.serving).await.unwrap();
    server.script.cancelled.acquire().await.unwrap().forget();
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn dropping_the_server_cancels_its_requests() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.post("", &call("wait", json!(null))).await;
    server.called().await;
    server.serving.abort();
    server.script.cancelled.acquire().await.unwrap().forget();
}
