//! Tells whoever watches requests of the end of a stream that an outbox carries.

use std::task::{Context, Poll};

use async_trait::async_trait;
use pm_mcp_ports::driven::{RequestEnd, RequestOutcome};
use pm_mcp_ports::driving::{MessageStream, Outbox, PeerGone, StreamStep};

/// An outbox that takes along, with a stream, whoever is to be told of its end.
pub(crate) struct Observing<'a> {
    outbox: &'a mut dyn Outbox,
    observed: &'a mut Option<Box<dyn RequestEnd>>,
}

impl<'a> Observing<'a> {
    pub(crate) fn new(outbox: &'a mut dyn Outbox, observed: &'a mut Option<Box<dyn RequestEnd>>) -> Self {
        Self { outbox, observed }
    }
}

#[async_trait]
impl Outbox for Observing<'_> {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.outbox.send(message).await
    }

    fn carries_streams(&self) -> bool {
        self.outbox.carries_streams()
    }

    fn carry(&mut self, stream: Box<dyn MessageStream>) {
        let observed = match self.observed.take() {
            Some(end) => Box::new(Observed { stream, end: Some(end) }),
            None => stream,
        };
        self.outbox.carry(observed);
    }
}

/// A stream whose end somebody is told of.
struct Observed {
    stream: Box<dyn MessageStream>,
    end: Option<Box<dyn RequestEnd>>,
}

impl MessageStream for Observed {
    fn poll_next(&mut self, task: &mut Context<'_>, say: &mut dyn FnMut(&[&[u8]])) -> Poll<StreamStep> {
        let step = self.stream.poll_next(task, say);
        let outcome = match step {
            Poll::Pending | Poll::Ready(StreamStep::Message) => return step,
            Poll::Ready(StreamStep::Answer) => RequestOutcome::Result,
            Poll::Ready(StreamStep::Cancelled) => RequestOutcome::Cancelled,
        };
        if let Some(end) = self.end.take() {
            end.end(outcome);
        }
        step
    }
}
