//! The one service behind every transport.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_domain::subscription::Change;
use pm_mcp_domain::wire::ServerCapabilities;
use pm_mcp_ports::driven::{BackendError, Clock};
use pm_mcp_ports::driving::{Admission, Channel, Figure, LimitCounts, McpDoor, McpService};

use crate::build::BuildError;
use crate::catalogue::{Catalogue, CatalogueBuilder};
use crate::core::Core;
use crate::door::Door;
use crate::follow;
use crate::hub::HubCounts;
use crate::ports::Ports;
use crate::settings::Settings;

/// How long a server that ends waits until other processes can hear of its last changes.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Serves the methods of the revision from a catalogue. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) core: Arc<Core>,
}

impl Engine {
    /// An engine over `catalogue`.
    ///
    /// # Errors
    ///
    /// When a setting is out of bounds, or a tool needs a port that is not there.
    pub fn new(catalogue: Catalogue, settings: Settings, ports: Ports) -> Result<Self, BuildError> {
        Ok(Self { core: Arc::new(Core::new(catalogue, settings, ports)?) })
    }

    /// What the engine offers.
    pub fn capabilities(&self) -> ServerCapabilities {
        self.core.surface().capabilities
    }

    /// The clock that the engine goes by.
    pub fn clock(&self) -> &dyn Clock {
        &*self.core.ports.clock
    }

    /// Changes what the server offers while it serves, all or nothing. Requests that are being served keep what they began
    /// with; everyone who listens hears which lists changed.
    ///
    /// # Errors
    ///
    /// What `edit` gives, or an entry that is not usable; nothing is changed then.
    pub fn edit(
        &self,
        edit: impl FnOnce(&mut CatalogueBuilder) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        self.core.edit(edit)
    }

    /// Tells everyone who listens that something changed. It never waits.
    pub fn publish(&self, change: &Change) {
        self.core.hub.publish(change);
    }

    /// Tells listeners what other processes publish, and the work on tasks what others did to these, for as long as the
    /// future is kept; it never ends. Without [`Ports::bus`] nothing comes. To be started before serving.
    pub async fn follow_changes(&self) -> Infallible {
        follow::others(&self.core).await
    }

    /// What the streams of changes did, in numbers.
    pub fn stream_counts(&self) -> HubCounts {
        self.core.hub.counts()
    }

    /// How often each limit was reached, by the engine and by the transports that serve it.
    pub fn limit_counts(&self) -> Arc<LimitCounts> {
        Arc::clone(&self.core.limit_counts)
    }

    /// Ends the tasks of workers that are known to be gone, as the processes are that ended before this one started.
    /// To be called before serving, and often while serving: it costs little when nobody is gone. Without
    /// [`Ports::workers`] it does nothing.
    ///
    /// # Errors
    ///
    /// When the store failed, or it cannot be told who is gone.
    pub async fn recover_tasks(&self) -> Result<(), BackendError> {
        match &self.core.tasks {
            Some(tasks) => tasks.recover().await,
            None => Ok(()),
        }
    }

    /// Whether [`recover_tasks`](Self::recover_tasks) can find anything.
    pub fn knows_workers(&self) -> bool {
        self.core.tasks.as_ref().is_some_and(|tasks| tasks.knows_workers())
    }

    /// Ends the tasks whose leases have run out, and removes what has expired. To be called before serving, and from time
    /// to time while serving.
    ///
    /// # Errors
    ///
    /// When the store failed.
    pub async fn sweep_tasks(&self) -> Result<(), BackendError> {
        match &self.core.tasks {
            Some(tasks) => tasks.sweep().await,
            None => Ok(()),
        }
    }

    /// Lets tasks that are being worked on finish within the grace of the settings; then they end `failed`, with words
    /// that say to start again. What other processes have to hear of it is sent before this is ready, unless that takes
    /// more than two seconds.
    pub async fn finish_tasks(&self) {
        if let Some(tasks) = &self.core.tasks {
            tasks.finish().await;
        }
        if let Some(bus) = self.core.hub.bus() {
            let clock = self.clock();
            tokio::select! {
                () = bus.sent() => {}
                () = clock.sleep_until(clock.now().after(LAST_WORDS)) => {}
            }
        }
    }
}

impl Engine {
    /// The engine as a service that, on shared channels, also serves clients of the
    /// [`earlier_versions`](Self::earlier_versions). Where each request has a response of its own, as on HTTP, nothing
    /// changes.
    pub fn with_earlier_clients(self: Arc<Self>) -> Arc<dyn McpService> {
        self.joined()
    }

    /// The revisions with a handshake that local clients may speak, newest first; none once no module serves them.
    pub fn earlier_versions() -> &'static [&'static str] {
        Self::revisions()
    }
}

/// What holds when no module serves clients of earlier revisions. A module that does has inherent methods of the same
/// names, which win over these: so the line that declares it is all that has to go with it.
#[allow(dead_code, reason = "a module that serves earlier clients stands in for these")]
pub(crate) trait EarlierClients {
    fn joined(self: Arc<Self>) -> Arc<dyn McpService>;
    fn revisions() -> &'static [&'static str];
}

impl EarlierClients for Engine {
    fn joined(self: Arc<Self>) -> Arc<dyn McpService> {
        self
    }

    fn revisions() -> &'static [&'static str] {
        &[]
    }
}

#[async_trait]
impl McpService for Engine {
    fn admission(&self) -> Admission {
        match (&self.core.gate, self.core.settings.anonymous) {
            (Some(gate), _) => Admission::Tokens(Arc::clone(&gate.metadata)),
            (None, true) => Admission::Anyone,
            (None, false) => Admission::Local,
        }
    }

    fn limit_counts(&self) -> Arc<LimitCounts> {
        Self::limit_counts(self)
    }

    fn figures(&self) -> Vec<Figure> {
        self.core.figures()
    }

    async fn is_ready(&self) -> bool {
        self.core.is_ready().await
    }

    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor> {
        Arc::new(Door::new(Arc::clone(&self.core), channel))
    }
}
