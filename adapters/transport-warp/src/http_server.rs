//! The server as a host starts it.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::http::HttpPolicy;
use pm_mcp_domain::limit::Limit;
use pm_mcp_ports::driving::{Admission, McpService};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpSocket, TcpStream, lookup_host};
use tokio::sync::{Semaphore, TryAcquireError};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::connection::{self, Lifetime};
use crate::endpoint::Endpoint;
use crate::error::HttpError;
use crate::limits::HttpLimits;
use crate::lingering::Lingering;
use crate::protocol::Protocol;
use crate::terms::Terms;

/// How long accepting rests when the system refuses more, such as when no file descriptors are left.
const ACCEPT_REST: Duration = Duration::from_millis(100);

/// Where and how to serve.
#[derive(Clone, Debug)]
pub struct Http {
    address: String,
    terms: Terms,
    probes: bool,
    admission: Admission,
}

impl Http {
    /// A server on `address`, a host and a port such as `127.0.0.1:3000`; port 0 takes any free one. It answers at
    /// `/mcp`, to the names of the loopback interface and to no browser page, unless told otherwise.
    pub fn bind(address: impl Into<String>) -> Self {
        Self { address: address.into(), terms: Terms::loopback(), probes: true, admission: Admission::Local }
    }

    /// Which requests are taken.
    #[must_use]
    pub fn policy(mut self, policy: HttpPolicy) -> Self {
        self.terms.policy = policy;
        self
    }

    /// Within which bounds.
    #[must_use]
    pub fn limits(mut self, limits: HttpLimits) -> Self {
        self.terms.limits = limits;
        self
    }

    /// After how long a silent stream sends a comment, so that proxies and clients see that it is alive. At least a
    /// millisecond; default 15 s.
    #[must_use]
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.terms.keep_alive(interval);
        self
    }

    /// Whether `GET /livez` and `GET /readyz` are answered, beside the endpoint, with 200 or 503: whether the process
    /// lives, and whether [`McpService::is_ready`] and no shutdown was asked for. They need no token, take any `Host`, as
    /// who probes knows an address only, and tell nothing but that. Default on.
    #[must_use]
    pub fn probes(mut self, answered: bool) -> Self {
        self.probes = answered;
        self
    }

    /// Whom the service that will be served lets in, as it says itself. Unless told, whoever reaches the server, which is
    /// why it then listens on loopback addresses only. Where tokens are asked for, the host of the resource is one of the
    /// server's names.
    #[must_use]
    pub fn admission(mut self, admission: Admission) -> Self {
        self.terms.name_resource(&admission);
        self.admission = admission;
        self
    }

    /// Begins to listen. Connections wait until [`BoundHttp::serve`] takes them.
    ///
    /// # Errors
    ///
    /// When the address cannot be found or bound, or when other machines could reach it.
    pub async fn listen(self) -> Result<BoundHttp, HttpError> {
        let address = self.address.clone();
        let found = lookup_host(&address).await.map(Iterator::collect::<Vec<_>>);
        let found = match found {
            Ok(found) => found,
            Err(source) => return Err(HttpError::Resolve { address, source }),
        };
        if self.admission == Admission::Local {
            is_loopback_only(&found)?;
        }
        let bound = async {
            let listener = bind(&found)?;
            let local_addr = listener.local_addr()?;
            Ok((listener, local_addr))
        };
        let (listener, local_addr) = match bound.await {
            Ok(bound) => bound,
            Err(source) => return Err(HttpError::Bind { address, source }),
        };
        let Self { terms, probes, admission, .. } = self;
        Ok(BoundHttp { listener, local_addr, terms, probes, admission })
    }
}

/// How many connections the system keeps until they are accepted. When it has no more room, it lets whoever comes next wait for
/// a second before they try again.
const BACKLOG: u32 = 4_096;

/// Listens on the first of the addresses that can be had.
fn bind(addresses: &[SocketAddr]) -> io::Result<TcpListener> {
    let mut failed = io::Error::new(io::ErrorKind::InvalidInput, "the name has no address");
    for address in addresses {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
        let bound = socket.and_then(|socket| {
            // Connections of a server that has just ended do not keep the next one from its port.
            #[cfg(not(windows))]
            socket.set_reuseaddr(true)?;
            socket.bind(*address)?;
            socket.listen(BACKLOG)
        });
        match bound {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Goes on only if nobody but this machine can reach any of `addresses`, for as long as callers are not asked who they
/// are. A binary can ask before it binds, to name its own setting.
///
/// # Errors
///
/// [`HttpError::NonLoopback`] with the first address that others can reach.
pub fn is_loopback_only(addresses: &[SocketAddr]) -> Result<(), HttpError> {
    match addresses.iter().find(|address| !address.ip().to_canonical().is_loopback()) {
        Some(address) => Err(HttpError::NonLoopback { address: *address }),
        None => Ok(()),
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct BoundHttp {
    listener: TcpListener,
    local_addr: SocketAddr,
    terms: Terms,
    probes: bool,
    admission: Admission,
}

impl BoundHttp {
    /// The address that is really bound.
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Where clients send their requests, such as `http://127.0.0.1:3000/mcp`.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.local_addr, self.terms.policy.endpoint)
    }

    /// Serves until `shutdown` is ready; then accepts nothing more, lets requests in flight finish within the grace
    /// and cancels the rest. Where nobody has to show a token, every request acts for [`Principal::loopback`](pm_mcp_domain::ident::Principal::loopback), or for
    /// [`Principal::anonymous`](pm_mcp_domain::ident::Principal::anonymous) where strangers may call.
    ///
    /// A service that lets in others than this was bound for is not served: it could be open to everyone.
    ///
    /// If the future is dropped, all requests are cancelled.
    pub async fn serve(self, service: Arc<dyn McpService>, shutdown: impl Future<Output = ()> + Send) {
        let admission = service.admission();
        if admission != self.admission && is_loopback_only(&[self.local_addr]).is_err() {
            tracing::error!(
                "this server was bound for another service; say admission(service.admission()) first"
            );
            return;
        }
        let lifetime = Lifetime {
            stop: CancellationToken::new(),
            cut_off: CancellationToken::new(),
            tasks: TaskTracker::new(),
            limit_counts: service.limit_counts(),
        };
        let _dropped = lifetime.cut_off.clone().drop_guard();
        let limits = self.terms.limits;
        let endpoint = self.terms.endpoint(service, self.probes, lifetime.stop.clone());
        let service = Arc::clone(&endpoint.service);
        tokio::select! {
            () = accept(&self.listener, Arc::new(endpoint), limits, &lifetime) => {}
            () = shutdown => {}
        }
        drop(self.listener);
        lifetime.stop.cancel();
        // Streams have no end of their own; they get it before the rest is waited for.
        service.close();
        lifetime.tasks.close();
        if timeout(limits.shutdown_grace, lifetime.tasks.wait()).await.is_err() {
            tracing::warn!(
                connections = lifetime.tasks.len(),
                "connections are cut off at the end of the grace"
            );
            lifetime.cut_off.cancel();
            lifetime.tasks.wait().await;
        }
    }
}

/// Accepts connections without end.
async fn accept(listener: &TcpListener, endpoint: Arc<Endpoint>, limits: HttpLimits, lifetime: &Lifetime) {
    let protocol = Arc::new(Protocol::new(&limits, lifetime));
    let places = Arc::new(Semaphore::new(limits.connections.clamp(1, Semaphore::MAX_PERMITS)));
    loop {
        let tcp = match listener.accept().await {
            Ok((tcp, _)) => tcp,
            Err(error) if is_of_one_connection(&error) => continue,
            Err(error) => {
                tracing::error!(%error, "cannot accept connections for now");
                sleep(ACCEPT_REST).await;
                continue;
            }
        };
        let place = match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => place,
            // Taken from the system and then left alone, so that it is known that somebody waits.
            Err(TryAcquireError::NoPermits) => {
                lifetime.limit_counts.count(Limit::Connections);
                tracing::warn!(
                    "a connection waits until one of {} others ends (limit {})",
                    limits.connections,
                    Limit::Connections
                );
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
                place
            }
            Err(TryAcquireError::Closed) => return,
        };
        if let Err(error) = prepare(&tcp, &limits) {
            tracing::debug!(%error, "a connection refuses its options");
        }
        let tcp = Lingering::new(tcp, place, lifetime.clone(), limits.head_refusal());
        lifetime.tasks.spawn(connection::serve(tcp, Arc::clone(&endpoint), Arc::clone(&protocol)));
    }
}

/// Errors of the connection that was about to be accepted say nothing of the next one.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    )
}

/// Answers go out at once, and a peer that vanished or stopped reading is found out.
fn prepare(tcp: &TcpStream, limits: &HttpLimits) -> io::Result<()> {
    tcp.set_nodelay(true)?;
    let socket = SockRef::from(tcp);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(limits.idle_time))?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(limits.unread_time))?;
    // Unless told, the system takes megabytes for a peer that does not read, and the server learns of it only then.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_notsent_lowat(limits.unsent_bytes)?;
    Ok(())
}
