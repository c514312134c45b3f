//! One connection from its first byte to its last.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::header::HOST;
use http::{HeaderValue, Request};
use hyper::body::Incoming;
use hyper::rt::Executor;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use pm_mcp_domain::limit::Limit;
use pm_mcp_ports::driving::LimitCounts;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use warp::reply::Response;

use crate::handover;
use crate::limits::HttpLimits;
use crate::lingering::Lingering;
use crate::stall::Stall;

/// What all connections of one server share.
#[derive(Clone, Debug)]
pub(crate) struct Lifetime {
    /// No further requests.
    pub(crate) stop: CancellationToken,
    /// The end of the grace.
    pub(crate) cut_off: CancellationToken,
    /// Every task of every connection.
    pub(crate) tasks: TaskTracker,
    pub(crate) limit_counts: Arc<LimitCounts>,
}

/// How hyper reads and writes connections.
pub(crate) fn protocol(limits: &HttpLimits, lifetime: &Lifetime) -> auto::Builder<StreamTasks> {
    // hyper panics below this.
    const SMALLEST_BUFFER: usize = 8192;
    let mut builder = auto::Builder::new(StreamTasks(lifetime.clone()));
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_headers(limits.max_headers);
    builder.http1().max_buf_size(limits.header_bytes.max(SMALLEST_BUFFER));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams_per_connection)
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(limits.idle_time)
        .keep_alive_timeout(limits.unread_time);
    builder
}

/// Serves one connection until it closes, is idle for too long or the server ends.
///
/// While it is not known yet whether the peer speaks HTTP/1 or HTTP/2, hyper runs no timer at all, so the time of the
/// first head is measured here. So is idling: one look in each span costs nothing per request.
pub(crate) async fn serve<S>(
    tcp: Lingering,
    routes: S,
    protocol: Arc<auto::Builder<StreamTasks>>,
    limits: HttpLimits,
    lifetime: Lifetime,
) where
    S: tower_service::Service<Request<Incoming>, Response = Response, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
{
    let activity = Activity::default();
    let mut stall = Stall::new(tcp.writes(), limits.write_time);
    let front = service_fn(|mut request| {
        activity.began();
        name_host(&mut request);
        handover::route(routes.clone(), request)
    });
    let mut connection = pin!(protocol.serve_connection(TokioIo::new(tcp), front));
    let mut pause = pin!(sleep(limits.header_read_time));
    tokio::select! {
        biased;
        ended = connection.as_mut() => return log(ended, &lifetime),
        () = activity.first.notified() => {}
        () = pause.as_mut() => {
            lifetime.limit_counts.count(Limit::HeaderReadTime);
            return tracing::debug!(limit = %Limit::HeaderReadTime, "a connection sent no request in time");
        }
        () = lifetime.stop.cancelled() => return,
    }
    let mut closing = false;
    let mut seen = activity.requests();
    pause.as_mut().reset(Instant::now() + limits.idle_time);
    let mut stop = pin!(lifetime.stop.cancelled());
    let mut cut_off = pin!(lifetime.cut_off.cancelled());
    loop {
        tokio::select! {
            biased;
            ended = connection.as_mut() => return log(ended, &lifetime),
            () = poll_fn(|cx| stall.poll(cx)) => {
                let (time, limit) = (limits.write_time.as_millis(), Limit::WriteDeadline);
                lifetime.limit_counts.count(limit);
                return tracing::warn!("dropped a connection: the peer took nothing within {time} ms (limit {limit})");
            }
            () = cut_off.as_mut() => return tracing::debug!("a connection was cut off at the end of the grace"),
            () = stop.as_mut(), if !closing => closing = true,
            () = pause.as_mut(), if !closing => {
                closing = activity.requests() == seen;
                if closing {
                    lifetime.limit_counts.count(Limit::IdleTime);
                }
                seen = activity.requests();
                pause.as_mut().reset(Instant::now() + limits.idle_time);
            }
        }
        if closing {
            connection.as_mut().graceful_shutdown();
        }
    }
}

fn log(ended: Result<(), Box<dyn std::error::Error + Send + Sync>>, lifetime: &Lifetime) {
    if let Err(error) = ended {
        if error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse_too_large) {
            lifetime.limit_counts.count(Limit::HeaderBytes);
        }
        tracing::debug!(%error, "a connection ended with an error");
    }
}

/// What a connection has seen of requests.
#[derive(Debug, Default)]
struct Activity {
    first: Notify,
    requests: AtomicUsize,
}

impl Activity {
    fn began(&self) {
        if self.requests.fetch_add(1, Ordering::Relaxed) == 0 {
            self.first.notify_one();
        }
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}

/// HTTP/2 names the host in `:authority`, and HTTP/1 may do so in the request line. One that differs from `Host` stands
/// beside it as a second one, which the policy refuses.
pub(crate) fn name_host<B>(request: &mut Request<B>) {
    let Some(authority) = request.uri().authority() else { return };
    let named = request.headers().get(HOST).is_some_and(|host| host == authority.as_str());
    if !named && let Ok(host) = HeaderValue::from_str(authority.as_str()) {
        request.headers_mut().append(HOST, host);
    }
}

/// Runs the streams of HTTP/2 connections, none of which outlives the server.
#[derive(Clone, Debug)]
pub(crate) struct StreamTasks(Lifetime);

impl<F> Executor<F> for StreamTasks
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, stream: F) {
        let cut_off = self.0.cut_off.clone();
        self.0.tasks.spawn(async move {
            let _finished = cut_off.run_until_cancelled(stream).await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_counts_as_host_once() {
        for (uri, host, hosts) in [
            ("/mcp", Some("a:1"), vec!["a:1"]),
            ("http://a:1/mcp", None, vec!["a:1"]),
            ("http://a:1/mcp", Some("a:1"), vec!["a:1"]),
            ("http://evil/mcp", Some("a:1"), vec!["a:1", "evil"]),
        ] {
            let mut request = Request::builder().uri(uri);
            if let Some(host) = host {
                request = request.header(HOST, host);
            }
            let mut request = request.body(()).unwrap();
            name_host(&mut request);
            assert_eq!(request.headers().get_all(HOST).iter().collect::<Vec<_>>(), hosts, "{uri} {host:?}");
        }
    }
}
