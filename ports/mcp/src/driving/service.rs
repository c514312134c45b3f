//! The one door for transports.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use thiserror::Error;

use super::inbound::{Inbound, Served};

/// Serves messages of the protocol, each judged by itself.
///
/// # Laws
///
/// - MS-01: a request is answered exactly once, a notification never.
/// - MS-02: equal messages give equal answers on every binding, but for what headers add.
/// - MS-03: nothing of one message is remembered for another.
/// - MS-04: no message makes `serve` panic; a handler that panics is an internal error of its own request.
///
/// If the future is dropped, the request counts as cancelled: its handler stops where it waits, and nothing is sent.
/// Any number of callers may serve at once.
#[async_trait]
pub trait McpService: Debug + Send + Sync + 'static {
    /// Serves one message. Whatever the server has to say before the answer goes through `outbox`.
    async fn serve(&self, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served;
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
}

/// The peer closed its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the peer has gone")]
pub struct PeerGone;

#[deny(clippy::missing_trait_methods, reason = "a wrapper must not lose an override")]
#[async_trait]
impl<T: McpService + ?Sized> McpService for Arc<T> {
    async fn serve(&self, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        (**self).serve(inbound, outbox).await
    }
}
