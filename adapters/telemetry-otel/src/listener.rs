//! Shows the measures on an address of its own, away from where the protocol is served.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use pm_mcp_ports::driving::McpService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::page::CONTENT_TYPE as TEXT;
use crate::telemetry::Telemetry;

/// Those who scrape are few.
const CONNECTIONS: usize = 16;
/// How long a head may take, and how long a whole connection may live.
const HEAD_TIME: Duration = Duration::from_secs(5);
const CONNECTION_TIME: Duration = Duration::from_secs(60);
const ACCEPT_REST: Duration = Duration::from_millis(100);

/// Listens for those who scrape measures, and answers `GET /metrics`.
///
/// It asks for no token and shows no more than numbers, but they tell how busy a server is: let it listen where those who
/// run the server are, on the loopback interface unless there is reason for another.
pub struct MetricsListener {
    listener: TcpListener,
    address: SocketAddr,
}

impl fmt::Debug for MetricsListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MetricsListener").field("address", &self.address).finish_non_exhaustive()
    }
}

impl MetricsListener {
    /// Begins to listen; port 0 takes any free one.
    ///
    /// # Errors
    ///
    /// When the address cannot be bound.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address that is really bound.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Answers with the measures and the figures of `service`, without end. Dropping the future ends it.
    pub async fn serve(self, telemetry: Telemetry, service: Arc<dyn McpService>) -> Infallible {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            while connections.try_join_next().is_some() {}
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                // Nobody closes the semaphore.
                std::future::pending().await
            };
            let tcp = match self.listener.accept().await {
                Ok((tcp, _)) => tcp,
                Err(fault) => {
                    tracing::warn!(%fault, "cannot accept those who scrape for now");
                    sleep(ACCEPT_REST).await;
                    continue;
                }
            };
            let (telemetry, service) = (telemetry.clone(), Arc::clone(&service));
            connections.spawn(async move {
                let answer = service_fn(|request: Request<Incoming>| {
                    let response = answer(&request, &telemetry, &*service);
                    async move { Ok::<_, Infallible>(response) }
                });
                let mut protocol = http1::Builder::new();
                protocol.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_headers(64);
                let connection = protocol.serve_connection(TokioIo::new(tcp), answer);
                if let Ok(Err(fault)) = timeout(CONNECTION_TIME, connection).await {
                    tracing::debug!(%fault, "a connection of those who scrape ended with an error");
                }
                drop(place);
            });
        }
    }
}

fn answer(
    request: &Request<Incoming>,
    telemetry: &Telemetry,
    service: &dyn McpService,
) -> Response<Full<Bytes>> {
    let plain = |status, text: &'static str| {
        let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
        *response.status_mut() = status;
        response
    };
    if request.uri().path() != "/metrics" {
        return plain(StatusCode::NOT_FOUND, "nothing is here; the measures are at /metrics\n");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "");
        refused.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let Some(page) = telemetry.page(&service.figures()) else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "nothing is measured\n");
    };
    let mut response = Response::new(Full::new(Bytes::from(page)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(TEXT));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
