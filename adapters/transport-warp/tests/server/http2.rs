//! The same server by HTTP/2 with prior knowledge, its frames written by hand.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{Server, call};

pub(crate) const DATA: u8 = 0;
const HEADERS: u8 = 1;
pub(crate) const RESET: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// `:status: 200` and `:status: 400` by their place in the static table.
const STATUS_200: u8 = 0x88;

pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

fn literal(name: &str, value: &str) -> Vec<u8> {
    let length = |text: &str| u8::try_from(text.len()).unwrap();
    [&[0, length(name)], name.as_bytes(), &[length(value)], value.as_bytes()].concat()
}

pub(crate) fn post(stream: u32, authority: &str, body: &str) -> Vec<u8> {
    let headers = [
        literal(":method", "POST"),
        literal(":scheme", "http"),
        literal(":path", "/mcp"),
        literal(":authority", authority),
        literal("content-type", "application/json"),
    ]
    .concat();
    [frame(HEADERS, END_HEADERS, stream, &headers), frame(DATA, END_STREAM, stream, body.as_bytes())].concat()
}

async fn connect(server: &Server) -> TcpStream {
    let mut tcp = TcpStream::connect(server.address).await.unwrap();
    tcp.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    tcp.write_all(&frame(SETTINGS, 0, 0, &[])).await.unwrap();
    tcp
}

/// The first byte of the header block, which holds the status, and the body of one stream.
async fn reply(tcp: &mut TcpStream, stream: u32) -> (u8, String) {
    let (mut status, mut body) = (0, Vec::new());
    loop {
        let mut head = [0; 9];
        tcp.read_exact(&mut head).await.unwrap();
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        tcp.read_exact(&mut payload).await.unwrap();
        if u32::from_be_bytes([head[5], head[6], head[7], head[8]]) != stream {
            continue;
        }
        match head[3] {
            HEADERS => status = payload[0],
            DATA => body.extend(payload),
            other => panic!("frame {other}"),
        }
        if head[4] & END_STREAM != 0 {
            return (status, String::from_utf8(body).unwrap());
        }
    }
}

#[tokio::test]
async fn requests_of_one_connection_are_answered_as_they_finish() {
    let server = Server::start().await;
    let mut tcp = connect(&server).await;
    tcp.write_all(&post(1, "localhost:1", &call("wait", json!("slow")))).await.unwrap();
    tcp.write_all(&post(3, "localhost:1", &call("echo", json!("fast")))).await.unwrap();
    let (status, body) = reply(&mut tcp, 3).await;
    assert_eq!(status, STATUS_200);
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["result"], "fast");
    server.script.permits.add_permits(1);
    let (status, body) = reply(&mut tcp, 1).await;
    assert_eq!(status, STATUS_200);
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["result"], "slow");
}

#[tokio::test]
async fn streams_are_streams_there_too() {
    let server = Server::start().await;
    let mut tcp = connect(&server).await;
    tcp.write_all(&post(1, "127.0.0.1", &call("say", json!(1)))).await.unwrap();
    let (_, body) = reply(&mut tcp, 1).await;
    assert_eq!(body, "data: {\"said\":0}\n\ndata: {\"id\":1,\"result\":1}\n\n");
}

#[tokio::test]
async fn the_authority_is_judged_as_the_host() {
    let server = Server::start().await;
    let mut tcp = connect(&server).await;
    tcp.write_all(&post(1, "evil.example", &call("echo", json!(1)))).await.unwrap();
    let (status, body) = reply(&mut tcp, 1).await;
    assert_ne!(status, STATUS_200);
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["error"]["code"], -32600);
    assert_eq!(server.script.calls.available_permits(), 0);
}

#[tokio::test]
async fn a_reset_stream_or_a_closed_connection_cancels_its_requests() {
    let server = Server::start().await;
    let mut tcp = connect(&server).await;
    for stream in [1, 3] {
        tcp.write_all(&post(stream, "localhost", &call("wait", json!(1)))).await.unwrap();
        server.called().await;
    }
    tcp.write_all(&frame(RESET, 0, 1, &8_u32.to_be_bytes())).await.unwrap();
    server.script.cancelled.acquire().await.unwrap().forget();
    drop(tcp);
    server.script.cancelled.acquire().await.unwrap().forget();
}

#[tokio::test]
async fn a_shutdown_cancels_streams_at_the_end_of_the_grace() {
    let limits = pm_mcp_transport_warp::HttpLimits {
        shutdown_grace: std::time::Duration::from_millis(50),
        ..pm_mcp_transport_warp::HttpLimits::default()
    };
    let mut server = Server::with(limits).await;
    let mut tcp = connect(&server).await;
    tcp.write_all(&post(1, "localhost", &call("wait", json!(1)))).await.unwrap();
    server.called().await;
    server.stop.take().unwrap().send(()).unwrap();
    server.serving.await.unwrap();
    server.script.cancelled.acquire().await.unwrap().forget();
}

#[tokio::test]
async fn a_head_that_is_too_long_is_told_the_limit_there_too() {
    let limits = pm_mcp_transport_warp::HttpLimits {
        header_bytes: 8 << 10,
        max_headers: 100,
        ..pm_mcp_transport_warp::HttpLimits::default()
    };
    let server = Server::with(limits).await;
    let mut tcp = connect(&server).await;
    let head = |more: &[u8]| {
        let usual =
            [(":method", "POST"), (":scheme", "http"), (":path", "/mcp"), (":authority", "localhost")];
        let usual: Vec<u8> = usual.iter().flat_map(|(name, value)| literal(name, value)).collect();
        [usual, literal("content-type", "application/json"), more.to_vec()].concat()
    };
    // Host and content type are there anyway.
    let many = |count: usize| literal("a", "b").repeat(count);
    let long = |values: usize| literal("a", &"x".repeat(120)).repeat(values);
    for (stream, more, is_refused) in
        [(1, many(98), false), (3, many(99), true), (5, long(60), false), (7, long(70), true)]
    {
        let body = call("echo", json!(1));
        tcp.write_all(&frame(HEADERS, END_HEADERS, stream, &head(&more))).await.unwrap();
        tcp.write_all(&frame(DATA, END_STREAM, stream, body.as_bytes())).await.unwrap();
        let (status, body) = reply(&mut tcp, stream).await;
        assert_eq!(status != STATUS_200, is_refused, "{stream}: {body}");
        assert_eq!(body.contains("8192 bytes or 100 headers (limit header_bytes)"), is_refused, "{body}");
    }
    assert_eq!(server.script.limit_counts.read(pm_mcp_domain::limit::Limit::HeaderBytes), 2);
}
