//! Either transport.

use serde_json::Value;

use super::heard::{Headers, Heard, Unheard};
use super::http::HttpPeer;
use super::stdio::StdioPeer;

/// A server that is spoken to.
#[derive(Debug)]
pub(crate) enum Peer {
    Stdio(StdioPeer),
    Http(HttpPeer),
}

impl Peer {
    /// Sends a message and waits for what answers it.
    pub(crate) async fn send(&mut self, message: &Value) -> Result<Heard, Unheard> {
        self.send_text(&message.to_string(), message.get("id").and_then(Value::as_u64)).await
    }

    /// Sends bytes that need not be a message; any error, or the answer to `id`, ends the wait.
    pub(crate) async fn send_text(&mut self, text: &str, id: Option<u64>) -> Result<Heard, Unheard> {
        match self {
            Self::Stdio(peer) => peer.send(text, id).await,
            Self::Http(peer) => peer.post(text, id, &Headers::default()).await,
        }
    }

    /// Sends a message that has no answer.
    pub(crate) async fn tell(&mut self, message: &Value) -> Result<Heard, Unheard> {
        match self {
            Self::Stdio(peer) => peer.tell(&message.to_string()).await,
            Self::Http(peer) => peer.post(&message.to_string(), None, &Headers::default()).await,
        }
    }
}
