//! The one door for transports.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use thiserror::Error;

use super::admission::Admission;
use super::figure::Figure;
use super::inbound::{Inbound, Served};
use super::limit_counts::LimitCounts;
use super::message_stream::MessageStream;

/// A server, as transports see it: they open a door and serve through it.
#[async_trait]
pub trait McpService: Debug + Send + Sync + 'static {
    /// Whom the service lets in. It stays the same for as long as the service lives.
    fn admission(&self) -> Admission;

    /// Where the transports of the service count which limits were reached. A service without numbers of its own has
    /// theirs thrown away.
    fn limit_counts(&self) -> Arc<LimitCounts> {
        Arc::default()
    }

    /// The numbers of the service, for whoever shows them to operators. A service without numbers of its own has none.
    fn figures(&self) -> Vec<Figure> {
        Vec::new()
    }

    /// Whether the service can do its work now: whether what it stands on answers. A service that stands on nothing always
    /// can.
    async fn is_ready(&self) -> bool {
        true
    }

    /// Opens a door. A stdio transport opens one for its peer, an HTTP transport one for all its requests.
    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor>;
}

/// How messages of different requests reach the peer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Channel {
    /// All on one channel of one peer: ids tell them apart, and a message cancels.
    Shared,
    /// Each on the response of its own request: closing the response cancels.
    PerRequest,
}

/// Serves the messages of one transport, each judged by itself.
///
/// # Laws
///
/// - MS-01: a request is answered at most once, a notification never. Only a cancelled request is not answered.
/// - MS-02: equal messages give equal answers on every binding, but for what headers add.
/// - MS-03: nothing of one message is remembered for another, but for ids on a shared channel.
/// - MS-04: no message makes `serve` panic; a handler that panics is an internal error of its own request.
///
/// If the future is dropped, the request counts as cancelled: its handler stops where it waits, and nothing is sent.
/// Any number of callers may serve at once.
#[async_trait]
pub trait McpDoor: Debug + Send + Sync + 'static {
    /// Serves one message. Whatever the server has to say before the answer goes through `outbox`.
    async fn serve(&self, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served;

    /// Ends the streams that were opened through this door, each with its final answer; requests in flight go on. To be
    /// called once the transport takes no more messages.
    fn close(&self);
}

/// Takes messages that precede the answer of one request.
#[async_trait]
pub trait Outbox: Send {
    /// Sends one message, a JSON object without line breaks; waits while the peer is slow.
    ///
    /// # Errors
    ///
    /// [`PeerGone`] once nobody will read it.
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone>;

    /// Whether a request that lasts may be [carried](Self::carry) on without the service's future, so that nothing of its
    /// beginning is kept. Unless told, the service carries it by [`send`](Self::send).
    fn carries_streams(&self) -> bool {
        false
    }

    /// Takes over a request that became a stream; the service ends with [`Served::HandedOver`]. It is called at most once,
    /// where [`carries_streams`](Self::carries_streams), and what was sent before comes first. Whoever cannot carry the
    /// stream drops it, which cancels the request.
    fn carry(&mut self, stream: Box<dyn MessageStream>) {
        drop(stream);
    }
}

/// The peer closed its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the peer has gone")]
pub struct PeerGone;
