//! Opens doors that serve both eras.

use std::sync::Arc;

use pm_mcp_ports::driving::{Channel, McpDoor, McpService};

use super::door::DualEraDoor;
use crate::door::Door;
use crate::engine::Engine;

impl Engine {
    /// The engine as a service that also serves clients of the
    /// [`LEGACY_PROTOCOL_VERSIONS`](super::LEGACY_PROTOCOL_VERSIONS), on shared channels alone: where each request has a
    /// response of its own, as on HTTP, nothing changes.
    pub fn with_legacy_clients(self: Arc<Self>) -> Arc<dyn McpService> {
        Arc::new(DualEra { engine: self })
    }
}

/// Serves both eras on shared channels.
#[derive(Debug)]
struct DualEra {
    engine: Arc<Engine>,
}

impl McpService for DualEra {
    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor> {
        match channel {
            Channel::Shared => Arc::new(DualEraDoor::new(Door::new(Arc::clone(&self.engine.core), channel))),
            Channel::PerRequest => Arc::clone(&self.engine).open(channel),
        }
    }
}
