//! What a server can be served over.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::McpService;
use pm_mcp_transport_stdio::{Stdio, StdioError};
use pm_mcp_transport_warp::{BoundHttp, Http, HttpEndpoint, HttpError};
use tokio::io::{AsyncRead, AsyncWrite};

/// Something that carries messages to a service and answers back.
#[async_trait]
pub trait Transport: Send + 'static {
    /// What it cannot go on with.
    type Error: Error + Send + Sync + 'static;

    /// Serves until it ends by itself or `shutdown` is ready.
    ///
    /// # Errors
    ///
    /// Whatever it cannot go on with.
    async fn serve(self, service: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), Self::Error>;
}

/// Ready when a transport is to stop.
pub type Shutdown = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A stdio transport whose messages act for a principal of the host's choice.
#[derive(Debug)]
pub struct LocalStdio<R, W> {
    stdio: Stdio<R, W>,
    principal: Principal,
}

impl<R, W> LocalStdio<R, W> {
    /// Lets every message of `stdio` act for `principal`.
    pub fn new(stdio: Stdio<R, W>, principal: Principal) -> Self {
        Self { stdio, principal }
    }
}

#[async_trait]
impl<R, W> Transport for LocalStdio<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = StdioError;

    async fn serve(self, service: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), StdioError> {
        self.stdio.serve(service, self.principal, shutdown).await
    }
}

/// Every message acts for the user of the operating system, as the environment names it.
#[async_trait]
impl<R, W> Transport for Stdio<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = StdioError;

    async fn serve(self, service: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), StdioError> {
        let user = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
        let principal = Principal::local(user.as_deref().unwrap_or("unknown"));
        Transport::serve(LocalStdio::new(self, principal), service, shutdown).await
    }
}

#[async_trait]
impl Transport for Http {
    type Error = HttpError;

    async fn serve(self, service: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), HttpError> {
        self.admission(service.admission()).listen().await?.serve(service, shutdown).await;
        Ok(())
    }
}

#[async_trait]
impl Transport for BoundHttp {
    type Error = Infallible;

    async fn serve(self, service: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), Infallible> {
        Self::serve(self, service, shutdown).await;
        Ok(())
    }
}

/// The server around the endpoint is the host's own; this one answers in it.
#[async_trait]
impl Transport for HttpEndpoint {
    type Error = HttpError;

    async fn serve(self, service: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), HttpError> {
        Self::serve(self, service, shutdown).await
    }
}
