//! One connection from its first byte to its last.

use std::future::{Future, poll_fn};
use std::ops::DerefMut;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use http::header::HOST;
use http::{HeaderValue, Request, Version};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use pm_mcp_domain::limit::Limit;
use pm_mcp_ports::driving::LimitCounts;
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::bell::Bell;
use crate::endpoint::{Endpoint, respond};
use crate::handover::Handover;
use crate::head::head_length;
use crate::limits::HttpLimits;
use crate::lingering::Lingering;
#[cfg(feature = "http2")]
use crate::owed;
use crate::peer::Peer;
use crate::protocol::{PREFACE, Protocol};
use crate::stall::Stall;
use crate::stream_connection;

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

/// Serves one connection until it closes, is idle for too long or the server ends.
///
/// The first bytes are looked at before hyper reads them, so that a peer that speaks HTTP/1, as nearly all do, costs neither
/// the room nor the detours that HTTP/2 takes. The time of the first head is measured here, from the first moment on.
pub(crate) async fn serve(tcp: Lingering, endpoint: Arc<Endpoint>, protocol: Arc<Protocol>) {
    let (limits, lifetime) = (&endpoint.limits, tcp.lifetime().clone());
    let pause = pin!(sleep(limits.header_read_time));
    let (writes, peer) = (tcp.writes(), tcp.peer());
    let stall = Stall::new(writes.clone(), limits.write_time);
    let mut bounds = Bounds { lifetime: &lifetime, limits, pause, stall };
    let may_be_http2 = tokio::select! {
        biased;
        begins = tcp.begins_like(PREFACE) => begins,
        () = bounds.pause.as_mut() => return out_of_time(&lifetime),
        () = lifetime.stop.cancelled() => return,
    };
    let activity = Activity::default();
    let begin = |request: &mut Request<Incoming>| {
        activity.began();
        name_host(request);
        let is_too_long =
            request.headers().len() > limits.max_headers || head_length(request) > limits.head_room();
        if is_too_long {
            lifetime.limit_counts.count(Limit::HeaderBytes);
        }
        is_too_long
    };
    let io = TokioIo::new(tcp);
    match may_be_http2 {
        // Boxed, because few connections need the room that HTTP/2 takes.
        #[cfg(feature = "http2")]
        Ok(true) => {
            let service = service_fn(|mut request| {
                let is_too_long = begin(&mut request);
                let answered = Box::pin(respond(Arc::clone(&endpoint), request, is_too_long, None));
                async move { answered.await.map(owed::measure) }
            });
            let connection = Box::pin(protocol.either.serve_connection(io, service));
            Box::pin(carry(connection, |connection| connection.graceful_shutdown(), &activity, None, bounds))
                .await;
        }
        Ok(_) => {
            let handover = Handover::new(writes);
            let service = service_fn(|mut request| {
                let is_too_long = begin(&mut request);
                let handover = (request.version() == Version::HTTP_11).then_some(&handover);
                // Boxed, because hyper keeps room for it as long as the connection lives.
                Box::pin(respond(Arc::clone(&endpoint), request, is_too_long, handover))
            });
            let mut connection = protocol.http1.serve_connection(io, service);
            let pinned = Pin::new(&mut connection);
            let close = |connection: Pin<&mut http1::Connection<_, _>>| connection.graceful_shutdown();
            let beside = Beside { handover: &handover, peer };
            if carry(pinned, close, &activity, Some(beside), bounds).await == Carried::ToHandOver {
                let http1::Parts { io, read_buf, .. } = connection.into_parts();
                if let Some(stream) = handover.take() {
                    let (tcp, has_heard) = (io.into_inner(), !read_buf.is_empty());
                    lifetime.tasks.spawn(stream_connection::carry(
                        tcp,
                        *stream,
                        has_heard,
                        limits.write_time,
                    ));
                }
            }
        }
        Err(error) => tracing::debug!(%error, "a connection ended before its first request"),
    }
}

/// What bounds a connection. The pause runs out when its first head is due, later each time that it is looked at.
struct Bounds<'a> {
    lifetime: &'a Lifetime,
    limits: &'a HttpLimits,
    pause: Pin<&'a mut Sleep>,
    stall: Stall,
}

/// What is looked at beside hyper on a connection of HTTP/1.
struct Beside<'a> {
    handover: &'a Handover,
    peer: Peer,
}

/// What happens to a connection next.
enum Turn<E> {
    Ended(Result<(), E>),
    /// Its first request is there.
    Began,
    /// A stream was left, and the connection has nothing else to do.
    HandsOver,
    /// Its peer takes nothing.
    Stalled,
    /// Its peer has gone before its answer.
    PeerLeft,
    CutOff,
    Stop,
    Pause,
}

/// How far a connection was carried.
#[derive(PartialEq, Eq)]
enum Carried {
    ToItsEnd,
    /// To where it has a stream and nothing else.
    ToHandOver,
}

/// Carries a connection to its end, or until a stream was left at `handover` for it to carry. Idling is looked at once in
/// each span, which costs nothing per request.
async fn carry<P, C, E>(
    mut connection: Pin<P>,
    close: impl Fn(Pin<&mut C>),
    activity: &Activity,
    beside: Option<Beside<'_>>,
    bounds: Bounds<'_>,
) -> Carried
where
    P: DerefMut<Target = C>,
    C: Future<Output = Result<(), E>>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let Bounds { lifetime, limits, mut pause, mut stall } = bounds;
    let mut stop = pin!(lifetime.stop.cancelled());
    let mut cut_off = pin!(lifetime.cut_off.cancelled());
    let bell = Bell::new();
    let (mut begun, mut closing, mut seen) = (false, false, 0);
    loop {
        let turn = poll_fn(|cx| {
            if let Poll::Ready(ended) = connection.as_mut().poll(cx) {
                return Poll::Ready(Turn::Ended(ended));
            }
            if stall.poll(cx).is_ready() {
                return Poll::Ready(Turn::Stalled);
            }
            if let Some(Beside { handover, peer }) = &beside {
                if handover.is_due() {
                    return Poll::Ready(Turn::HandsOver);
                }
                // Who gets an answer may have said before that nothing follows.
                if !stall.is_waiting() && peer.poll_leave(cx).is_ready() {
                    return Poll::Ready(Turn::PeerLeft);
                }
            }
            if !begun && activity.requests() > 0 {
                return Poll::Ready(Turn::Began);
            }
            bell.answer(cx, |cx| {
                if cut_off.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Turn::CutOff);
                }
                if !closing && stop.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Turn::Stop);
                }
                if !closing && pause.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Turn::Pause);
                }
                Poll::Pending
            })
        });
        match turn.await {
            Turn::Ended(ended) => {
                log(ended.map_err(Into::into), lifetime);
                break;
            }
            Turn::HandsOver => return Carried::ToHandOver,
            Turn::Stalled => {
                stall.tell(&lifetime.limit_counts);
                break;
            }
            Turn::PeerLeft => {
                tracing::debug!("the peer of a connection left before its answer");
                break;
            }
            Turn::CutOff => {
                tracing::debug!("a connection was cut off at the end of the grace");
                break;
            }
            Turn::Began => begun = true,
            Turn::Stop if !begun => break,
            Turn::Pause if !begun => {
                out_of_time(lifetime);
                break;
            }
            Turn::Stop => closing = true,
            Turn::Pause => {
                closing = activity.requests() == seen;
                if closing {
                    lifetime.limit_counts.count(Limit::IdleTime);
                }
            }
        }
        seen = activity.requests();
        pause.as_mut().reset(Instant::now() + limits.idle_time);
        bell.ring();
        if closing {
            close(connection.as_mut());
        }
    }
    Carried::ToItsEnd
}

fn out_of_time(lifetime: &Lifetime) {
    lifetime.limit_counts.count(Limit::HeaderReadTime);
    tracing::debug!(limit = %Limit::HeaderReadTime, "a connection sent no request in time");
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
    requests: AtomicUsize,
}

impl Activity {
    fn began(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
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
