//! Opens doors that serve both eras.

use std::sync::Arc;

use pm_mcp_ports::driving::{Admission, Channel, McpDoor, McpService};

use super::door::DualEraDoor;
use super::revision::LEGACY_PROTOCOL_VERSIONS;
use crate::door::Door;
use crate::engine::Engine;

impl Engine {
    /// Takes the place of [`EarlierClients::joined`](crate::engine::EarlierClients::joined).
    pub(crate) fn joined(self: Arc<Self>) -> Arc<dyn McpService> {
        Arc::new(DualEra { engine: self })
    }

    /// Takes the place of [`EarlierClients::revisions`](crate::engine::EarlierClients::revisions).
    pub(crate) fn revisions() -> &'static [&'static str] {
        LEGACY_PROTOCOL_VERSIONS
    }
}

/// Serves both eras on shared channels.
#[derive(Debug)]
struct DualEra {
    engine: Arc<Engine>,
}

impl McpService for DualEra {
    fn admission(&self) -> Admission {
        self.engine.admission()
    }

    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor> {
        match channel {
            Channel::Shared => Arc::new(DualEraDoor::new(Door::new(Arc::clone(&self.engine.core), channel))),
            Channel::PerRequest => Arc::clone(&self.engine).open(channel),
        }
    }
}
