//! A stream on its way from its request to its connection.

use std::convert::Infallible;
use std::future::ready;
use std::sync::OnceLock;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::{once, pending};
use warp::reply::Response;

use crate::event_stream::EventStream;
use crate::reply;
use crate::stall::Writes;

/// Where a request leaves its stream, so that its connection carries it without the request, see
/// [`stream_connection`](crate::stream_connection).
///
/// It is filled once at the most: the response of a stream that was left here does not end, so no request follows.
pub(crate) struct Handover {
    stream: OnceLock<Box<EventStream>>,
    /// Those of the connection.
    writes: Writes,
}

impl Handover {
    pub(crate) fn new(writes: Writes) -> Self {
        Self { stream: OnceLock::new(), writes }
    }

    /// Leaves a stream. The response says what the stream begins with, and nothing after that.
    pub(crate) fn leave(&self, first: Bytes, following: EventStream) -> Response {
        self.writes.owe();
        let left = self.stream.set(Box::new(following));
        debug_assert!(left.is_ok(), "a second response on a connection whose first does not end");
        reply::last_stream(once(ready(Ok::<_, Infallible>(first))).chain(pending()))
    }

    /// Whether a stream was left and its beginning is written.
    pub(crate) fn is_due(&self) -> bool {
        self.stream.get().is_some() && self.writes.is_flushed()
    }

    /// The stream that was left.
    pub(crate) fn take(self) -> Option<Box<EventStream>> {
        self.stream.into_inner()
    }
}
