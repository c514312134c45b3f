//! Calls that are dropped before they end.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Lets a call begin, as far as `polls` polls, and drops it; gives what it ended with, if it did.
pub(crate) fn begin<T>(mut call: Pin<Box<dyn Future<Output = T> + Send + '_>>, polls: usize) -> Option<T> {
    let mut context = Context::from_waker(Waker::noop());
    (0..polls).find_map(|_| match call.as_mut().poll(&mut context) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    })
}
