//! A handler that panics fails its own request, not the server.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use pm_mcp_ports::feature::HandlerFault;
use thiserror::Error;

/// A handler panicked.
#[derive(Debug, Error)]
#[error("the handler panicked: {0}")]
struct Panicked(String);

/// Runs a handler; a panic becomes an internal fault.
///
/// The handler's state is not looked at again after a panic, so that it need not be unwind safe.
pub(crate) async fn guard<T>(
    handler: impl Future<Output = Result<T, HandlerFault>>,
) -> Result<T, HandlerFault> {
    let mut handler = pin!(handler);
    std::future::poll_fn(move |task| match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(task))) {
        Ok(poll) => poll,
        Err(payload) => {
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "no message".to_owned());
            Poll::Ready(Err(HandlerFault::internal(Panicked(text))))
        }
    })
    .await
}
