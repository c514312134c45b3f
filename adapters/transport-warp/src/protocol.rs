//! How hyper reads and writes connections.

#[cfg(feature = "http2")]
use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
    time::Duration,
};

#[cfg(feature = "http2")]
use hyper::rt::Executor;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
#[cfg(feature = "http2")]
use hyper_util::server::conn::auto;
#[cfg(feature = "http2")]
use pm_mcp_domain::limit::Limit;

use crate::connection::Lifetime;
use crate::limits::HttpLimits;
#[cfg(feature = "http2")]
use crate::owed;
#[cfg(feature = "http2")]
use crate::stall::{Stall, Writes};

/// What a peer begins with that speaks HTTP/2 (RFC 9113 section 3.4).
pub(crate) const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// How hyper reads and writes connections.
pub(crate) struct Protocol {
    pub(crate) http1: http1::Builder,
    /// For who may speak HTTP/2.
    #[cfg(feature = "http2")]
    pub(crate) either: auto::Builder<StreamTasks>,
}

impl Protocol {
    #[cfg_attr(
        not(feature = "http2"),
        expect(unused_variables, reason = "only streams of HTTP/2 outlive a call")
    )]
    pub(crate) fn new(limits: &HttpLimits, lifetime: &Lifetime) -> Self {
        let mut http1 = http1::Builder::new();
        http1.timer(TokioTimer::new()).header_read_timeout(None).max_headers(limits.max_headers);
        // Whoever leaves is found out by the connection, see [`Peer`](crate::peer::Peer).
        http1.max_buf_size(limits.head_room()).half_close(true);
        #[cfg(feature = "http2")]
        let either = {
            let tasks = StreamTasks { lifetime: lifetime.clone(), write_time: limits.write_time };
            let mut either = auto::Builder::new(tasks);
            either.http1().timer(TokioTimer::new()).header_read_timeout(None).max_headers(limits.max_headers);
            either.http1().max_buf_size(limits.head_room());
            either
                .http2()
                .timer(TokioTimer::new())
                .max_concurrent_streams(limits.streams_per_connection)
                .max_header_list_size(limits.header_list_bytes())
                .keep_alive_interval(limits.idle_time)
                .keep_alive_timeout(limits.unread_time);
            either
        };
        Self {
            http1,
            #[cfg(feature = "http2")]
            either,
        }
    }
}

/// Runs the streams of HTTP/2 connections, none of which outlives the server.
#[cfg(feature = "http2")]
#[derive(Clone, Debug)]
pub(crate) struct StreamTasks {
    lifetime: Lifetime,
    write_time: Duration,
}

#[cfg(feature = "http2")]
impl<F> Executor<F> for StreamTasks
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, stream: F) {
        let Self { lifetime, write_time } = self.clone();
        self.lifetime.tasks.spawn(async move {
            let writes = Writes::default();
            let mut stall = Stall::new(writes.clone(), write_time);
            let mut stream = pin!(owed::measured(writes, stream));
            // A stream that is dropped here is reset, and its connection goes on.
            let carried = poll_fn(|cx| match stream.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(false),
                Poll::Pending => stall.poll(cx).map(|()| true),
            });
            if lifetime.cut_off.run_until_cancelled(carried).await == Some(true) {
                let (time, limit) = (write_time.as_millis(), Limit::WriteDeadline);
                lifetime.limit_counts.count(limit);
                tracing::warn!(
                    "dropped a stream: the peer took nothing of it within {time} ms (limit {limit})"
                );
            }
        });
    }
}
