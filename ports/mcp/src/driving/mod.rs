//! What a transport calls.

mod admission;
mod figure;
mod inbound;
mod limit_counts;
mod message_stream;
mod service;

pub use admission::Admission;
pub use figure::{Figure, FigureKind};
pub use inbound::{Answer, Inbound, Served};
pub use limit_counts::LimitCounts;
pub use message_stream::{MessageStream, StreamStep};
pub use service::{Channel, McpDoor, McpService, Outbox, PeerGone};
