//! Request bodies of every size, speed and framing (field cases C29 and C30).

use std::time::Duration;

use pm_mcp_transport_warp::HttpLimits;
use serde_json::json;

use crate::support::{Server, call};

const HEAD: &str = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

fn small() -> HttpLimits {
    HttpLimits { body_bytes: 1000, body_read_time: Duration::from_millis(50), ..HttpLimits::default() }
}

#[tokio::test]
async fn a_body_that_is_declared_too_long_is_refused_unread() {
    let server = Server::with(small()).await;
    let mut client = server.connect().await;
    client.send(format!("{HEAD}Content-Length: 1001\r\n\r\n")).await;
    let reply = client.reply().await;
    assert_eq!(reply.status, 413);
    assert!(reply.json()["error"]["message"].as_str().unwrap().contains("1000 bytes"));
    assert_eq!(server.script.calls.available_permits(), 0);
}

#[tokio::test]
async fn a_client_that_sends_first_and_reads_then_still_gets_the_refusal() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    let body = vec![b'x'; 16 << 20];
    client.send(format!("{HEAD}Content-Length: {}\r\n\r\n", body.len())).await;
    client.send(&body).await;
    assert_eq!(client.reply().await.status, 413);
}

#[tokio::test]
async fn a_body_of_just_the_limit_is_served() {
    let server = Server::with(small()).await;
    let frame = call("echo", json!(""));
    let text = "x".repeat(1000 - frame.len());
    let reply = server.post("", &call("echo", json!(text))).await;
    assert_eq!(reply.json()["result"], text);
}

#[tokio::test]
async fn a_chunked_body_is_refused_where_it_crosses_the_limit() {
    let server = Server::with(small()).await;
    let mut client = server.connect().await;
    client.send(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n1f4\r\n{}\r\n", "x".repeat(500))).await;
    client.send(format!("1f5\r\n{}\r\n", "x".repeat(501))).await;
    assert_eq!(client.reply().await.status, 413);
}

#[tokio::test]
async fn a_chunked_body_in_many_pieces_is_served() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.send(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n")).await;
    for byte in call("echo", json!("pieces")).chars() {
        client.send(format!("1\r\n{byte}\r\n")).await;
    }
    client.send("0\r\n\r\n").await;
    assert_eq!(client.reply().await.json()["result"], "pieces");
}

#[tokio::test]
async fn a_body_that_is_announced_is_asked_for() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    let body = call("echo", json!(1));
    client.send(format!("{HEAD}Expect: 100-continue\r\nContent-Length: {}\r\n\r\n", body.len())).await;
    assert_eq!(client.head().await.status, 100);
    client.send(body).await;
    assert_eq!(client.reply().await.status, 200);
}

#[tokio::test]
async fn no_body_is_for_the_service_to_judge() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.send(format!("{HEAD}\r\n")).await;
    let reply = client.reply().await;
    assert_eq!((reply.status, &reply.json()["error"]), (400, &json!(-32700)));
}

#[tokio::test]
async fn a_slow_body_ends_at_its_time() {
    let server = Server::with(small()).await;
    let mut client = server.connect().await;
    client.send(format!("{HEAD}Content-Length: 100\r\n\r\n{{")).await;
    let reply = client.reply().await;
    assert_eq!((reply.status, reply.header("content-type")), (408, Some("application/json")));
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn bytes_beyond_the_declared_length_are_the_next_request_or_nothing() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    let body = call("echo", json!(1));
    client.send(format!("{HEAD}Content-Length: {}\r\n\r\n{body}more\r\n\r\n", body.len())).await;
    assert_eq!(client.reply().await.status, 200);
    assert_eq!(client.head().await.status, 400);
    client.closed().await;
    assert_eq!(server.script.calls.available_permits(), 1);
}

#[tokio::test]
async fn two_lengths_never_smuggle_a_request() {
    let server = Server::start().await;
    let body = call("echo", json!(1));
    let smuggled = format!("{HEAD}Content-Length: {}\r\n\r\n{body}", body.len());
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n{smuggled}", body.len());
    for lengths in
        ["Content-Length: 4\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 4"]
    {
        let mut client = server.connect().await;
        client.send(format!("{HEAD}{lengths}\r\n\r\n{chunked}")).await;
        assert_eq!(client.reply().await.status, 200);
        assert_eq!(client.closed().await, "", "{lengths}");
        server.called().await;
        assert_eq!(server.script.calls.available_permits(), 0, "{lengths}");
    }
    for lengths in
        ["Content-Length: 4\r\nContent-Length: 5", "Content-Length: +4", "Transfer-Encoding: chunked, gzip"]
    {
        let mut client = server.connect().await;
        client.send(format!("{HEAD}{lengths}\r\n\r\n{smuggled}")).await;
        assert_eq!(client.head().await.status, 400, "{lengths}");
    }
}
