//! A built server, and how it is served.

use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::subscription::Change;
use pm_mcp_domain::wire::ServerCapabilities;
use pm_mcp_engine::Engine;
use pm_mcp_ports::driving::{Admission, Figure, McpService};

use crate::builder::{BuildError, ServerBuilder};
use crate::edit::Edit;
use crate::tool::ToolProfile;
use crate::transport::Transport;

/// How often expired tasks are removed and abandoned ones ended.
const SWEEP_INTERVAL: Duration = Duration::from_secs(10);

/// How often tasks of other processes that are gone are ended, where it is known who is gone.
const RECOVERY_INTERVAL: Duration = Duration::from_secs(1);

/// A server. Everything in it was checked. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Server {
    engine: Arc<Engine>,
    service: Arc<dyn McpService>,
    /// What is asked of tools that are added later.
    tools_as: ToolProfile,
}

impl Server {
    /// Starts a server with this name and version, which every result carries.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder::new(name.into(), version.into())
    }

    pub(crate) fn new(engine: Engine, legacy_stdio: bool, tools_as: ToolProfile) -> Self {
        let engine = Arc::new(engine);
        let service = match legacy_stdio {
            true => Arc::clone(&engine).with_earlier_clients(),
            false => Arc::clone(&engine) as Arc<dyn McpService>,
        };
        Self { engine, service, tools_as }
    }

    /// The revisions with a handshake that [`ServerBuilder::legacy_stdio`] lets local clients speak, newest first.
    pub fn legacy_versions() -> &'static [&'static str] {
        Engine::earlier_versions()
    }

    /// What the server offers.
    pub fn capabilities(&self) -> ServerCapabilities {
        self.engine.capabilities()
    }

    /// Whom the server lets in; an HTTP transport has to know it before it listens.
    pub fn admission(&self) -> Admission {
        self.service.admission()
    }

    /// The numbers of the server, for whoever shows them to operators: how often each limit was reached, which streams
    /// are open and how others ended, what became of tasks.
    pub fn figures(&self) -> Vec<Figure> {
        self.service.figures()
    }

    /// Whether the server can do its work now: whether its task store answers.
    pub async fn is_ready(&self) -> bool {
        self.service.is_ready().await
    }

    /// The server as transports see it, for a transport of your own.
    pub fn service(&self) -> Arc<dyn McpService> {
        Arc::clone(&self.service)
    }

    /// Serves until the transport ends by itself.
    ///
    /// # Errors
    ///
    /// Whatever the transport cannot go on with, such as an address that is taken.
    pub async fn serve<T: Transport>(&self, transport: T) -> Result<(), T::Error> {
        self.serve_until(transport, pending()).await
    }

    /// Serves until the transport ends by itself or `shutdown` is ready; then requests in flight are finished within
    /// the transport's grace.
    ///
    /// # Errors
    ///
    /// Whatever the transport cannot go on with.
    pub async fn serve_until<T: Transport>(
        &self,
        transport: T,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), T::Error> {
        let engine = Arc::clone(&self.engine);
        let sweeper = async move {
            let mut sweep_at = None;
            loop {
                if let Err(fault) = engine.recover_tasks().await {
                    tracing::warn!(%fault, "the tasks of workers that are gone could not be ended");
                }
                let now = engine.clock().now();
                if sweep_at.is_none_or(|at| now >= at) {
                    if let Err(fault) = engine.sweep_tasks().await {
                        tracing::warn!(%fault, "the task store could not be swept");
                    }
                    sweep_at = Some(engine.clock().now().after(SWEEP_INTERVAL));
                }
                let next = if engine.knows_workers() { Some(now.after(RECOVERY_INTERVAL)) } else { sweep_at };
                engine.clock().sleep_until(next.unwrap_or(now)).await;
            }
        };
        let served = tokio::select! {
            // First, so that it listens to other processes before the transport takes requests.
            biased;
            never = self.engine.follow_changes() => match never {},
            served = transport.serve(self.service(), Box::pin(shutdown)) => served,
            never = sweeper => never,
        };
        self.engine.finish_tasks().await;
        served
    }

    /// Changes what the server offers while it serves, all or nothing. Requests that are being served keep what they began
    /// with; everyone who listens hears by itself which lists changed.
    ///
    /// # Errors
    ///
    /// What `edit` gives, or an entry that is not usable; nothing is changed then.
    ///
    /// ```
    /// use pm_mcp::{NoArguments, Output, Server, tool};
    /// let entry = |name| tool(name, "Answers.").handler(|_, _: NoArguments| async { Ok(Output::text("yes")) });
    /// let server = Server::builder("demo", "1").tool(entry("first")).build()?;
    /// server.edit(|offer| {
    ///     offer.remove_tool("first");
    ///     offer.add_tool(entry("second"))
    /// })?;
    /// # Ok::<(), pm_mcp::BuildError>(())
    /// ```
    pub fn edit(&self, edit: impl FnOnce(&mut Edit<'_>) -> Result<(), BuildError>) -> Result<(), BuildError> {
        let mut fault = None;
        let edited = self.engine.edit(|catalogue| {
            edit(&mut Edit(catalogue, self.tools_as)).map_err(|error| match error {
                BuildError::Catalogue(error) => error,
                error => {
                    fault = Some(error);
                    pm_mcp_engine::BuildError::Abandoned
                }
            })
        });
        match (edited, fault) {
            (Ok(()), _) => Ok(()),
            (Err(_), Some(fault)) => Err(fault),
            (Err(error), None) => Err(error.into()),
        }
    }

    /// Tells everyone who listens that something changed. It never waits.
    pub fn publish(&self, change: &Change) {
        self.engine.publish(change);
    }
}
