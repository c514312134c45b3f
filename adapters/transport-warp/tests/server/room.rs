//! Peers over HTTP/2 that make no room for one stream, while the others of their connection go on.

use std::collections::BTreeMap;
use std::time::Duration;

use pm_mcp_domain::limit::Limit;
use pm_mcp_transport_warp::HttpLimits;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::http2::{DATA, END_STREAM, RESET, SETTINGS, frame, post};
use crate::support::{Server, call};

const WINDOW_UPDATE: u8 = 8;
const INITIAL_WINDOW: u16 = 4;
const LIMIT: Duration = Duration::from_millis(300);

/// What came of one stream.
#[derive(Default)]
struct Got {
    body: Vec<u8>,
    is_ended: bool,
    is_reset: bool,
}

/// A connection, and all that came over it.
struct Peer {
    tcp: TcpStream,
    got: BTreeMap<u32, Got>,
}

impl Peer {
    /// A connection whose streams begin with so much room.
    async fn connect(server: &Server, window: u32) -> Self {
        let mut tcp = TcpStream::connect(server.address).await.unwrap();
        tcp.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        let window = [&INITIAL_WINDOW.to_be_bytes()[..], &window.to_be_bytes()].concat();
        tcp.write_all(&frame(SETTINGS, 0, 0, &window)).await.unwrap();
        let mut peer = Self { tcp, got: BTreeMap::new() };
        peer.make_room(0, 1 << 24).await;
        peer
    }

    async fn ask(&mut self, stream: u32, body: &str) {
        self.tcp.write_all(&post(stream, "localhost", body)).await.unwrap();
    }

    async fn make_room(&mut self, stream: u32, room: u32) {
        self.tcp.write_all(&frame(WINDOW_UPDATE, 0, stream, &room.to_be_bytes())).await.unwrap();
    }

    /// Reads on until what came of a stream is enough.
    async fn until(&mut self, stream: u32, enough: impl Fn(&Got) -> bool) -> &Got {
        while !self.got.get(&stream).is_some_and(&enough) {
            let mut head = [0; 9];
            self.tcp.read_exact(&mut head).await.unwrap();
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            let mut payload = vec![0; usize::try_from(length).unwrap()];
            self.tcp.read_exact(&mut payload).await.unwrap();
            let got = self.got.entry(u32::from_be_bytes([head[5], head[6], head[7], head[8]])).or_default();
            match head[3] {
                DATA => got.body.extend(payload),
                RESET => got.is_reset = true,
                _ => continue,
            }
            got.is_ended |= head[3] == DATA && head[4] & END_STREAM != 0;
        }
        &self.got[&stream]
    }

    /// Another stream of the connection is answered in full.
    async fn goes_on(&mut self, stream: u32) {
        self.ask(stream, &call("say", json!(500))).await;
        self.make_room(stream, 1 << 20).await;
        let got = self.until(stream, |got| got.is_ended || got.is_reset).await;
        let body = String::from_utf8(got.body.clone()).unwrap();
        assert_eq!((body.matches("data: ").count(), got.is_reset), (501, false));
    }
}

async fn server() -> Server {
    Server::with(HttpLimits { write_time: LIMIT, ..HttpLimits::default() }).await
}

#[tokio::test]
async fn a_stream_without_room_is_dropped_and_the_others_of_its_connection_go_on() {
    let server = server().await;
    for (round, window) in [(1, 0), (2, 1), (3, 3_000)] {
        let mut peer = Peer::connect(&server, window).await;
        peer.ask(1, &call("say", json!(1_000_000))).await;
        peer.goes_on(3).await;
        let got = peer.until(1, |got| got.is_reset).await;
        assert_eq!((got.body.len(), got.is_ended), (usize::try_from(window).unwrap(), false));
        server.script.cancelled.acquire().await.unwrap().forget();
        assert_eq!(server.script.limit_counts.read(Limit::WriteDeadline), round);
        peer.goes_on(5).await;
    }
}

#[tokio::test]
async fn an_answer_that_finds_no_room_is_dropped_down_to_its_last_byte() {
    let server = server().await;
    let whole = json!({"id": 1, "result": "x".repeat(15_000)}).to_string().len();
    for room in [0, 1, 8 << 10, whole - 1] {
        let mut peer = Peer::connect(&server, u32::try_from(room).unwrap()).await;
        peer.ask(1, &call("echo", json!("x".repeat(15_000)))).await;
        let got = peer.until(1, |got| got.is_reset).await;
        assert_eq!((got.body.len(), got.is_ended), (room, false));
        peer.goes_on(3).await;
    }
    assert_eq!(server.script.limit_counts.read(Limit::WriteDeadline), 4);
    let mut peer = Peer::connect(&server, u32::try_from(whole).unwrap()).await;
    peer.ask(1, &call("echo", json!("x".repeat(15_000)))).await;
    let got = peer.until(1, |got| got.is_ended || got.is_reset).await;
    assert_eq!((got.body.len(), got.is_reset), (whole, false));
}

#[tokio::test]
async fn a_stream_that_is_always_short_of_room_but_read_is_not_dropped() {
    let server = server().await;
    let mut peer = Peer::connect(&server, 0).await;
    peer.ask(1, &call("say", json!(1_000_000))).await;
    let (begun, mut room) = (Instant::now(), 0);
    while begun.elapsed() < LIMIT * 4 {
        room += 100;
        peer.make_room(1, 100).await;
        assert!(!peer.until(1, |got| got.body.len() == room || got.is_reset).await.is_reset);
    }
    assert_eq!(server.script.limit_counts.read(Limit::WriteDeadline), 0);
    peer.until(1, |got| got.is_reset).await;
}
