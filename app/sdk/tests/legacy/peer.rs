//! One peer at a door, message by message.

use std::sync::Arc;

use pm_mcp::{Binding, Channel, Inbound, McpDoor, Outbox, PeerGone, Principal, Served, Server, async_trait};
use pm_mcp_acceptance::{LEGACY_REVISIONS, legacy_schema, wire_schema};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

pub(crate) struct Peer {
    door: Arc<dyn McpDoor>,
    sender: UnboundedSender<Value>,
    received: UnboundedReceiver<Value>,
    /// The earlier revision that was agreed on: what comes has to fit its schema, unless it answers a current request.
    agreed: Option<&'static str>,
}

struct ChannelOutbox(UnboundedSender<Value>);

#[async_trait]
impl Outbox for ChannelOutbox {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.0.send(serde_json::from_slice(&message).unwrap()).map_err(|_| PeerGone)
    }
}

impl Peer {
    pub(crate) fn at(server: &Server, channel: Channel) -> Self {
        let (sender, received) = unbounded_channel();
        Self { door: server.service().open(channel), sender, received, agreed: None }
    }

    /// A client on a channel of its own that agreed on `revision`, and was told nothing yet.
    pub(crate) async fn of(server: &Server, revision: &str) -> Self {
        let mut peer = Self::at(server, Channel::Shared);
        peer.agreed = LEGACY_REVISIONS.into_iter().find(|known| *known == revision);
        let answer = peer.ask(
            "initialize",
            json!({
                "protocolVersion": revision,
                "capabilities": {"sampling": {}, "elicitation": {}},
                "clientInfo": {"name": "old", "version": "0.9"},
            }),
        );
        assert_eq!(answer.await["result"]["protocolVersion"], revision);
        peer
    }

    /// Serves a message to its end; gives the answer, if there is one.
    pub(crate) async fn serve(&self, message: &Value) -> Option<Value> {
        let answer = self.serve_bytes(message.to_string().as_bytes()).await;
        let is_current = message["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
        let method = message["method"].as_str();
        let checked = answer.as_ref().map_or(Ok(()), |answer| match is_current {
            true => wire_schema().map_or(Ok(()), |schema| schema.check(answer, method)),
            false => self.fits(answer, method),
        });
        assert_eq!(checked, Ok(()), "{answer:?}");
        answer
    }

    fn fits(&self, message: &Value, method: Option<&str>) -> Result<(), String> {
        let schema = self.agreed.and_then(legacy_schema);
        schema.map_or(Ok(()), |schema| schema.check(message, method))
    }

    pub(crate) async fn serve_bytes(&self, bytes: &[u8]) -> Option<Value> {
        let principal = Principal::local("tester");
        let inbound = Inbound::local(bytes, Binding::Stdio, &principal);
        match self.door.serve(inbound, &mut ChannelOutbox(self.sender.clone())).await {
            Served::Answered(answer) => Some(serde_json::from_slice(&answer.body).unwrap()),
            Served::Accepted | Served::Cancelled | Served::HandedOver => None,
        }
    }

    /// The answer to a request of an earlier revision with the id 1.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        self.serve(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).await.unwrap()
    }

    /// The answer to a request of the current revision with the id 1.
    pub(crate) async fn ask_now(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        self.ask(method, params).await
    }

    /// Serves a message for as long as it takes, beside others.
    pub(crate) fn hold(&self, message: Value) -> JoinHandle<Option<Value>> {
        let (door, mut outbox) = (Arc::clone(&self.door), ChannelOutbox(self.sender.clone()));
        tokio::spawn(async move {
            let (bytes, principal) = (message.to_string(), Principal::local("tester"));
            let inbound = Inbound::local(bytes.as_bytes(), Binding::Stdio, &principal);
            match door.serve(inbound, &mut outbox).await {
                Served::Answered(answer) => Some(serde_json::from_slice(&answer.body).unwrap()),
                Served::Accepted | Served::Cancelled | Served::HandedOver => None,
            }
        })
    }

    /// The next message that came before an answer.
    pub(crate) async fn receive(&mut self) -> Value {
        let message = self.received.recv().await.unwrap();
        assert_eq!(self.fits(&message, Some("resources/subscribe")), Ok(()), "{message}");
        message
    }

    pub(crate) fn has_received_nothing(&mut self) -> bool {
        self.received.try_recv().is_err()
    }

    pub(crate) fn close(&self) {
        self.door.close();
    }
}
