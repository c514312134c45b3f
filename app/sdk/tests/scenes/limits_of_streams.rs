//! The limits of what waits for a stream, through the facade: just below each, at it and one above, and what is counted.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{
    Change, Http, HttpLimits, HubLimits, Limit, Limits, Outbox, PeerGone, Served, Server, async_trait,
    resource,
};
use pm_mcp_contract::VirtualClock;
use pm_mcp_domain::subscription::EncodedChange;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;

use crate::support::{Gate, Peer, figure, reached, stage};

/// Takes the acknowledgement, and is stuck with what follows.
struct Stuck {
    acknowledged: bool,
    stuck: Gate,
}

#[async_trait]
impl Outbox for Stuck {
    async fn send(&mut self, _: Vec<u8>) -> Result<(), PeerGone> {
        if std::mem::replace(&mut self.acknowledged, true) {
            self.stuck.open();
            pending::<()>().await;
        }
        Ok(())
    }
}

const URIS: usize = 8;

/// All of the same length, so long that a socket takes some hundreds of them and no more.
fn uri(number: usize) -> String {
    format!("test://{:04000}", number % URIS)
}

fn updated(number: usize) -> Change {
    Change::ResourceUpdated { uri: uri(number).into() }
}

fn filter() -> Value {
    json!({"notifications": {"resourceSubscriptions": (0..URIS).map(uri).collect::<Vec<_>>()}})
}

/// A server with a stream whose peer is stuck with one change.
async fn stuck(hub: HubLimits) -> (Server, VirtualClock, JoinHandle<Served>) {
    let (builder, clock) = stage();
    let one = resource(uri(0), "one").reader(|_, _| async { Ok(pm_mcp::Read::text("1")) });
    let server = builder.limits(Limits { hub, ..Limits::default() }).resource(one).build().unwrap();
    let peer = Peer::http(&server);
    let text = peer.request(1, "subscriptions/listen", filter()).to_string();
    let gate = Gate::new();
    let mut outbox = Stuck { acknowledged: false, stuck: gate.clone() };
    let serving = tokio::spawn(async move { peer.serve_to(&text, &mut outbox).await });
    while figure(&server, "pm_mcp_streams_open", None) == 0 {
        tokio::task::yield_now().await;
    }
    server.publish(&updated(0));
    gate.pass().await;
    (server, clock, serving)
}

/// What was counted: nothing, as the stream goes on, or this limit alone, as it was dropped.
async fn expect(server: &Server, serving: JoinHandle<Served>, dropped_by: Option<Limit>) {
    match dropped_by {
        Some(_) => assert_eq!(serving.await.unwrap(), Served::Cancelled),
        None => assert!(!serving.is_finished()),
    }
    assert_eq!(figure(server, "pm_mcp_streams_open", None), u64::from(dropped_by.is_none()));
    for limit in Limit::ALL {
        assert_eq!(reached(server, limit), u64::from(Some(limit) == dropped_by), "{limit}");
    }
}

#[tokio::test]
async fn as_many_changes_wait_for_a_stream_as_the_limit_says_and_one_more_is_counted() {
    for (waiting, dropped_by) in [(2, None), (3, None), (4, Some(Limit::QueueEntries))] {
        let (server, _clock, serving) = stuck(HubLimits { queue_entries: 3, ..HubLimits::default() }).await;
        for number in 1..=waiting {
            server.publish(&updated(number));
        }
        expect(&server, serving, dropped_by).await;
    }
}

#[tokio::test]
async fn as_many_bytes_wait_for_a_stream_as_the_limit_says_and_one_more_is_counted() {
    let three = 3 * EncodedChange::new(&updated(1)).len();
    for (queue_bytes, dropped_by) in [(three + 1, None), (three, None), (three - 1, Some(Limit::QueueBytes))]
    {
        let (server, _clock, serving) = stuck(HubLimits { queue_bytes, ..HubLimits::default() }).await;
        for number in 1..=3 {
            server.publish(&updated(number));
        }
        expect(&server, serving, dropped_by).await;
    }
}

#[tokio::test]
async fn a_reader_of_a_stream_has_the_whole_deadline_and_missing_it_is_counted() {
    let deadline = Duration::from_secs(10);
    let hub = HubLimits { write_deadline: deadline, ..HubLimits::default() };
    for (passed, dropped_by) in
        [(deadline - Duration::from_millis(1), None), (deadline, Some(Limit::WriteDeadline))]
    {
        let (server, clock, serving) = stuck(hub).await;
        clock.asleep(1).await;
        clock.advance(passed);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        expect(&server, serving, dropped_by).await;
    }
}

/// A stream over a socket.
struct Listener(BufReader<TcpStream>);

impl Listener {
    async fn open(server: std::net::SocketAddr, id: &str) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let mut tcp = socket.connect(server).await.unwrap();
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let mut params = filter();
        params["_meta"] = meta;
        let body = json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params});
        let body = body.to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {server}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: subscriptions/listen\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        tcp.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        let mut listener = Self(BufReader::new(tcp));
        listener.until("notifications/subscriptions/acknowledged").await;
        listener
    }

    async fn until(&mut self, text: &str) {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            assert_ne!(self.0.read_line(&mut line).await.unwrap(), 0, "the stream ended before {text:?}");
        }
    }
}

/// One who reads and one who does not, over sockets, until the second is dropped. The first hears everything.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_is_not_read_reaches_each_limit_and_its_neighbour_notices_nothing() {
    let generous = HubLimits {
        queue_entries: 1_000,
        queue_bytes: 1 << 30,
        write_deadline: Duration::from_secs(3_600),
        ..HubLimits::default()
    };
    let an_hour = Duration::from_secs(3_600);
    for (limit, hub, write_time) in [
        (Limit::QueueEntries, HubLimits { queue_entries: 4, ..generous }, an_hour),
        (Limit::QueueBytes, HubLimits { queue_bytes: 20_000, ..generous }, an_hour),
        (Limit::WriteDeadline, generous, Duration::from_millis(50)),
    ] {
        let one = resource(uri(0), "one").reader(|_, _| async { Ok(pm_mcp::Read::text("1")) });
        let server = Server::builder("sockets", "1.0.0").limits(Limits { hub, ..Limits::default() });
        let server = Arc::new(server.resource(one).build().unwrap());
        let limits = HttpLimits { unsent_bytes: 4_096, write_time, ..HttpLimits::default() };
        let bound = Http::bind("127.0.0.1:0").limits(limits).listen().await.unwrap();
        let address = bound.local_addr();
        let serving = tokio::spawn({
            let server = Arc::clone(&server);
            async move { server.serve_until(bound, pending()).await }
        });
        let _unread = Listener::open(address, "unread").await;
        let mut read = Listener::open(address, "read").await;
        let mut number = 0;
        while reached(&server, limit) == 0 {
            server.publish(&updated(number));
            read.until(&format!("\"{}\"", uri(number))).await;
            number += 1;
        }
        for other in Limit::ALL {
            assert_eq!(reached(&server, other), u64::from(other == limit), "{limit}: {other}");
        }
        server.publish(&updated(number));
        read.until(&format!("\"{}\"", uri(number))).await;
        serving.abort();
    }
}
