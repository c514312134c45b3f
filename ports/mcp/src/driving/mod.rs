//! What a transport calls.

mod inbound;
mod service;

pub use inbound::{Answer, Inbound, Served};
pub use service::{Channel, McpDoor, McpService, Outbox, PeerGone};
