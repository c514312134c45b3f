//! The body of a response that became a stream.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use pm_mcp_ports::driving::Served;
use tokio::time::{Instant, Sleep, sleep};

use crate::exchange::{Exchange, Step};
use crate::sse;

/// Events of one request up to its answer, with comments while there is nothing to say.
pub(crate) struct EventStream {
    first: Option<Bytes>,
    /// Never locked: the stream has one owner, but warp wants its type to be shareable.
    exchange: Mutex<Option<Exchange>>,
    pulse: Pin<Box<Sleep>>,
    interval: Duration,
    /// Since when nothing was said. Setting the timer anew for each event would cost more than the event does, so it is
    /// looked at only once it has run out.
    silent_since: Instant,
}

impl EventStream {
    /// A stream that begins with `first` and goes on with what `exchange` still brings.
    pub(crate) fn new(first: Bytes, exchange: Option<Exchange>, interval: Duration) -> Self {
        Self { first: Some(first), ..Self::following(exchange, interval) }
    }

    /// What `exchange` still brings.
    pub(crate) fn following(exchange: Option<Exchange>, interval: Duration) -> Self {
        Self {
            first: None,
            exchange: Mutex::new(exchange),
            pulse: Box::pin(sleep(interval)),
            interval,
            silent_since: Instant::now(),
        }
    }

    /// Ready when nothing was said for the whole interval.
    fn poll_silence(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if self.pulse.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            let due = self.silent_since + self.interval;
            if due <= Instant::now() {
                self.silent_since = Instant::now();
                self.pulse.as_mut().reset(self.silent_since + self.interval);
                return Poll::Ready(());
            }
            self.pulse.as_mut().reset(due);
        }
    }
}

impl Stream for EventStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        let slot = self.exchange.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(exchange) = slot else { return Poll::Ready(None) };
        match exchange.poll_step(cx) {
            Poll::Ready(Step::Event(event)) => {
                self.silent_since = Instant::now();
                Poll::Ready(Some(Ok(event)))
            }
            Poll::Ready(Step::LastEvent(event)) => {
                *slot = None;
                Poll::Ready(Some(Ok(event)))
            }
            Poll::Ready(Step::Ended(served, _)) => {
                *slot = None;
                match served {
                    Served::Answered(answer) => Poll::Ready(Some(Ok(sse::event(&[&answer.body])))),
                    Served::Accepted | Served::Cancelled | Served::HandedOver => Poll::Ready(None),
                }
            }
            Poll::Pending => self.poll_silence(cx).map(|()| Some(Ok(sse::COMMENT))),
        }
    }
}
