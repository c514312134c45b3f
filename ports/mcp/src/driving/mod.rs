//! What a transport calls.

mod admission;
mod inbound;
mod service;

pub use admission::Admission;
pub use inbound::{Answer, Inbound, Served};
pub use service::{Channel, McpDoor, McpService, Outbox, PeerGone};
