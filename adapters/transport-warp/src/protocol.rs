//! How hyper reads and writes connections.

#[cfg(feature = "http2")]
use std::future::Future;

#[cfg(feature = "http2")]
use hyper::rt::Executor;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
#[cfg(feature = "http2")]
use hyper_util::server::conn::auto;

use crate::connection::Lifetime;
use crate::limits::HttpLimits;

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
        http1.max_buf_size(limits.head_room());
        #[cfg(feature = "http2")]
        let either = {
            let mut either = auto::Builder::new(StreamTasks(lifetime.clone()));
            either.http1().timer(TokioTimer::new()).header_read_timeout(None).max_headers(limits.max_headers);
            either.http1().max_buf_size(limits.head_room());
            either
                .http2()
                .timer(TokioTimer::new())
                .max_concurrent_streams(limits.streams_per_connection)
                .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
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
pub(crate) struct StreamTasks(Lifetime);

#[cfg(feature = "http2")]
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
