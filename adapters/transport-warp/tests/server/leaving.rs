//! Peers that close their half or leave, before their answer or while it comes (field case C25).

use serde_json::json;
use tokio::io::AsyncWriteExt as _;

use crate::support::{Client, Server, call};

/// How a peer goes.
#[derive(Clone, Copy, Debug)]
enum Way {
    Closes,
    ClosesItsHalf,
    Resets,
}

impl Way {
    const ALL: [Self; 3] = [Self::Closes, Self::ClosesItsHalf, Self::Resets];

    /// What is left of the client lives on.
    async fn go(self, mut client: Client) -> Option<Client> {
        match self {
            Self::Closes => return None,
            Self::ClosesItsHalf => client.tcp.shutdown().await.unwrap(),
            Self::Resets => {
                client.tcp.set_zero_linger().unwrap();
                return None;
            }
        }
        Some(client)
    }
}

#[tokio::test]
async fn a_peer_that_leaves_cancels_its_request() {
    let server = Server::start().await;
    for (method, way) in ["wait", "pause"].into_iter().flat_map(|method| Way::ALL.map(|way| (method, way))) {
        let mut client = server.connect().await;
        // Not the first request of its connection.
        client.post("", &call("echo", json!(1))).await;
        client.reply().await;
        server.called().await;
        client.post("", &call(method, json!(null))).await;
        server.called().await;
        if method == "pause" {
            client.head().await;
            client.chunk().await;
        }
        let left = way.go(client).await;
        server.script.cancelled.acquire().await.unwrap().forget();
        if let Some(mut client) = left {
            assert_eq!(client.closed().await, "", "{method}, {way:?}");
        }
    }
}

#[tokio::test]
async fn a_peer_of_http_1_0_that_leaves_cancels_its_request() {
    let server = Server::start().await;
    for way in Way::ALL {
        let mut client = server.connect().await;
        let body = call("wait", json!(null));
        let head = "POST /mcp HTTP/1.0\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n";
        client.send(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await;
        server.called().await;
        let _left = way.go(client).await;
        server.script.cancelled.acquire().await.unwrap().forget();
    }
}

#[tokio::test]
async fn who_closes_its_half_behind_a_request_gets_what_is_answered_at_once() {
    let server = Server::start().await;
    for length in [1, 4_000_000] {
        let text = "x".repeat(length);
        let mut client = server.connect_narrow().await;
        client.post("", &call("echo", json!(text))).await;
        client.tcp.shutdown().await.unwrap();
        assert_eq!(client.reply().await.json(), json!({"id": 1, "result": text}), "{length}");
        assert_eq!(client.closed().await, "");
    }
}

#[tokio::test]
async fn who_asks_ahead_is_answered_in_turn() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.post("", &call("wait", json!(null))).await;
    server.called().await;
    client.post("", &call("echo", json!("next"))).await;
    client.tcp.shutdown().await.unwrap();
    server.script.permits.add_permits(1);
    assert_eq!(client.reply().await.json(), json!({"id": 1, "result": null}));
    assert_eq!(client.reply().await.json(), json!({"id": 1, "result": "next"}));
    assert_eq!(server.script.cancelled.available_permits(), 0);
}
