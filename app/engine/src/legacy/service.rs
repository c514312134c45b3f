//! Opens doors that serve both eras.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driving::{Admission, Channel, Figure, LimitCounts, McpDoor, McpService};

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

#[async_trait]
impl McpService for DualEra {
    fn admission(&self) -> Admission {
        self.engine.admission()
    }

    fn limit_counts(&self) -> Arc<LimitCounts> {
        self.engine.limit_counts()
    }

    fn figures(&self) -> Vec<Figure> {
        self.engine.figures()
    }

    async fn is_ready(&self) -> bool {
        self.engine.is_ready().await
    }

    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor> {
        match channel {
            Channel::Shared => Arc::new(DualEraDoor::new(Door::new(Arc::clone(&self.engine.core), channel))),
            Channel::PerRequest => Arc::clone(&self.engine).open(channel),
        }
    }
}
