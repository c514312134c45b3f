//! An outbox for a request that stays with its interceptors.

use async_trait::async_trait;
use pm_mcp_ports::driving::{Outbox, PeerGone};

/// An outbox that takes over no stream, so that whoever stands around the request is there until the stream ends.
pub(super) struct Kept<'a>(pub(super) &'a mut dyn Outbox);

#[async_trait]
impl Outbox for Kept<'_> {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.0.send(message).await
    }
}
