//! Requests to a service in the same process.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::request::Binding;
use pm_mcp_ports::driving::{Channel, Inbound, McpDoor, McpService, Outbox, PeerGone, Served};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::link::{Link, Messages, Outgoing, cancellation};

/// A door of the service. Messages are the ones of stdio, without the bytes between.
#[derive(Debug)]
pub(super) struct MemoryLink {
    door: Arc<dyn McpDoor>,
    principal: Principal,
}

impl MemoryLink {
    pub(super) fn new(service: Arc<dyn McpService>, principal: Principal) -> Self {
        Self { door: service.open(Channel::Shared), principal }
    }

    fn serve(&self, bytes: Vec<u8>, messages: UnboundedSender<Result<Vec<u8>, String>>) {
        let (door, principal) = (Arc::clone(&self.door), self.principal.clone());
        tokio::spawn(async move {
            let inbound = Inbound::local(&bytes, Binding::Stdio, &principal);
            let mut outbox = Sender(messages.clone());
            match door.serve(inbound, &mut outbox).await {
                Served::Answered(answer) => drop(messages.send(Ok(answer.body))),
                Served::Accepted | Served::Cancelled | Served::HandedOver => {}
            }
        });
    }
}

impl Link for MemoryLink {
    fn has_headers(&self) -> bool {
        false
    }

    fn send(&self, request: Outgoing) -> Messages {
        let (sender, messages) = unbounded_channel();
        self.serve(request.body, sender);
        messages
    }

    fn cancel(&self, id: i64) {
        let (sender, _) = unbounded_channel();
        self.serve(cancellation(id), sender);
    }

    fn stray(&self) -> Option<String> {
        None
    }
}

impl Drop for MemoryLink {
    fn drop(&mut self) {
        self.door.close();
    }
}

struct Sender(UnboundedSender<Result<Vec<u8>, String>>);

#[async_trait]
impl Outbox for Sender {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.0.send(Ok(message)).map_err(|_| PeerGone)
    }
}
