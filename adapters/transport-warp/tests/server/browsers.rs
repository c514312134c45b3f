//! Pages of an allowed origin, and of others (field case C32).

use pm_mcp_transport_warp::HttpLimits;
use serde_json::json;

use crate::support::{ORIGIN, Server, call};

fn preflight(origin: &str) -> String {
    format!(
        "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\nAccess-Control-Request-Method: POST\r\n\
         Access-Control-Request-Headers: mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, authorization, \
         content-type\r\n\r\n"
    )
}

#[tokio::test]
async fn a_preflight_of_an_allowed_origin_succeeds() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.send(preflight(ORIGIN)).await;
    let reply = client.head().await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(reply.header("access-control-allow-methods"), Some("POST"));
    assert_eq!(reply.header("access-control-max-age"), Some("600"));
    assert_eq!(reply.header("access-control-allow-credentials"), None);
    let allowed = reply.header("access-control-allow-headers").unwrap();
    for name in [
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-param-region",
        "authorization",
        "content-type",
        "accept",
    ] {
        assert!(allowed.split(", ").any(|held| held == name), "{name} in {allowed}");
    }
}

#[tokio::test]
async fn every_answer_to_an_allowed_origin_can_be_read_by_it() {
    let server = Server::with(HttpLimits { body_bytes: 100, ..HttpLimits::default() }).await;
    let origin = format!("Origin: {ORIGIN}\r\n");
    let long = "x".repeat(200);
    for (body, status) in [
        (call("echo", json!(1)), 200),
        (call("say", json!(1)), 200),
        (call("status", json!(401)), 401),
        (call("status", json!(403)), 403),
        (call("panic", json!(1)), 500),
        ("{".to_owned(), 400),
        ("{}".to_owned(), 202),
        (call("echo", json!(long)), 413),
    ] {
        let reply = server.post(&origin, &body).await;
        assert_eq!(reply.status, status);
        assert_eq!(reply.header("access-control-allow-origin"), Some(ORIGIN), "{status}");
        assert_eq!(reply.header("access-control-expose-headers"), Some("WWW-Authenticate"), "{status}");
        assert_eq!(reply.header("vary"), Some("Origin"), "{status}");
    }
}

#[tokio::test]
async fn a_foreign_origin_gets_nothing() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.send(preflight("https://evil.example")).await;
    let preflight = client.reply().await;
    let call = server.post("Origin: https://evil.example\r\n", &call("echo", json!(1))).await;
    for reply in [preflight, call] {
        assert_eq!(reply.status, 403);
        assert!(!reply.head.to_ascii_lowercase().contains("access-control-"), "{}", reply.head);
    }
    assert_eq!(server.script.calls.available_permits(), 0);
}
