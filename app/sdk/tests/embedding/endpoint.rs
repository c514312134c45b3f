//! What an endpoint does before, while and after a server answers in it.

use std::future::pending;

use hyper::Request;
use pm_mcp::{HttpEndpoint, HttpError, NoArguments, Output, Server, ToolError, tool};
use pm_mcp_acceptance::request;
use serde_json::json;
use tokio::sync::oneshot;

fn server() -> Server {
    let answers = |_, _: NoArguments| async { Ok::<_, ToolError>(Output::text("yes")) };
    Server::builder("small", "1").tool(tool("ask", "Answers.").handler(answers)).build().unwrap()
}

/// A request for the list of tools, as hyper would hand it over.
fn listing() -> Request<String> {
    let message = request(1, "tools/list", json!({}));
    Request::post("/mcp")
        .header("Host", "127.0.0.1:1")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", pm_mcp::PROTOCOL_VERSION)
        .header("Mcp-Method", "tools/list")
        .body(message.to_string())
        .unwrap()
}

#[tokio::test]
async fn who_asks_nobody_for_tokens_is_not_mounted_without_the_hosts_word() {
    let endpoint = HttpEndpoint::at("/mcp");
    let refused = server().serve(endpoint.clone()).await.unwrap_err();
    assert!(matches!(refused, HttpError::Unguarded { .. }), "{refused}");
    assert!(refused.to_string().contains("/mcp"), "{refused}");
    assert_eq!(endpoint.answer(listing()).await.status(), 503);
}

#[tokio::test]
async fn an_endpoint_answers_while_it_is_served_and_not_before_or_after() {
    let endpoint = HttpEndpoint::at("/mcp").loopback_only();
    assert_eq!(endpoint.answer(listing()).await.status(), 503);
    let (stop, stopped) = oneshot::channel::<()>();
    let (server, served) = (server(), endpoint.clone());
    let during = async {
        tokio::task::yield_now().await;
        let status = endpoint.answer(listing()).await.status();
        stop.send(()).unwrap();
        status
    };
    let (served, during) = tokio::join!(server.serve_until(served, async { drop(stopped.await) }), during);
    served.unwrap();
    assert_eq!(during, 200);
    assert_eq!(endpoint.answer(listing()).await.status(), 503);
}

#[tokio::test]
async fn a_server_that_is_dropped_leaves_nothing_open() {
    let endpoint = HttpEndpoint::at("/mcp").loopback_only();
    let server = server();
    {
        let mut serving = std::pin::pin!(server.serve_until(endpoint.clone(), pending()));
        assert!(is_pending(serving.as_mut()).await);
        assert_eq!(endpoint.answer(listing()).await.status(), 200);
    }
    assert_eq!(endpoint.answer(listing()).await.status(), 503);
}

/// Polls once; true if there is no end yet.
async fn is_pending<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
    std::future::poll_fn(|cx| std::task::Poll::Ready(future.as_mut().poll(cx).is_pending())).await
}
