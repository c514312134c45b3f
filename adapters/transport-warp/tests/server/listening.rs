//! What the service of these tests leaves of a request that became a stream.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pm_mcp_ports::driving::{MessageStream, StreamStep};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::support::Cancelled;

/// Says a message for each permit, the first without, and answers at the next.
pub(crate) struct Listening {
    said: u64,
    last: u64,
    permits: Arc<Semaphore>,
    permit: Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send>>,
    cancelled: Option<Cancelled>,
}

impl Listening {
    pub(crate) fn until(last: u64, permits: Arc<Semaphore>, cancelled: Cancelled) -> Self {
        let permit = Box::pin(Arc::new(Semaphore::new(1)).acquire_owned());
        Self { said: 0, last, permits, permit, cancelled: Some(cancelled) }
    }
}

impl MessageStream for Listening {
    fn poll_next(&mut self, cx: &mut Context<'_>, say: &mut dyn FnMut(&[&[u8]])) -> Poll<StreamStep> {
        ready!(self.permit.as_mut().poll(cx)).unwrap().forget();
        self.permit = Box::pin(Arc::clone(&self.permits).acquire_owned());
        if self.said == self.last {
            std::mem::forget(self.cancelled.take());
            say(&[br#"{"id":1,"result":"#, self.last.to_string().as_bytes(), b"}"]);
            return Poll::Ready(StreamStep::Answer);
        }
        say(&[br#"{"said":"#, self.said.to_string().as_bytes(), b"}"]);
        self.said += 1;
        Poll::Ready(StreamStep::Message)
    }
}
