//! A handler or an interceptor that panics fails its own request, not the server.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use pm_mcp_ports::feature::HandlerFault;
use thiserror::Error;

/// Something of the host's panicked.
#[derive(Debug, Error)]
#[error("{what} panicked: {text}")]
struct Panicked {
    what: &'static str,
    text: String,
}

/// Runs something of the host's; a panic becomes an internal fault.
///
/// Its state is not looked at again after a panic, so that it need not be unwind safe.
pub(crate) async fn guard<T>(
    what: &'static str,
    handler: impl Future<Output = Result<T, HandlerFault>>,
) -> Result<T, HandlerFault> {
    let mut handler = pin!(handler);
    std::future::poll_fn(move |task| match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(task))) {
        Ok(poll) => poll,
        Err(payload) => Poll::Ready(Err(panicked(what, &*payload))),
    })
    .await
}

/// Something of the host's at work; a panic becomes an internal fault.
///
/// The same as [`guard`] for what is boxed already: it takes no more room than the box.
pub(crate) struct Guarded<'w, T> {
    what: &'static str,
    work: Pin<Box<dyn Future<Output = Result<T, HandlerFault>> + Send + 'w>>,
}

impl<'w, T> Guarded<'w, T> {
    /// Has the host begin.
    pub(crate) fn begin(
        what: &'static str,
        begin: impl FnOnce() -> Pin<Box<dyn Future<Output = Result<T, HandlerFault>> + Send + 'w>>,
    ) -> Result<Self, HandlerFault> {
        catch(what, begin).map(|work| Self { what, work })
    }
}

impl<T> Future for Guarded<'_, T> {
    type Output = Result<T, HandlerFault>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { what, work } = self.get_mut();
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(task))) {
            Ok(poll) => poll,
            Err(payload) => Poll::Ready(Err(panicked(what, &*payload))),
        }
    }
}

/// Calls something of the host's that does not wait; a panic becomes an internal fault.
pub(crate) fn catch<T>(what: &'static str, call: impl FnOnce() -> T) -> Result<T, HandlerFault> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| panicked(what, &*payload))
}

fn panicked(what: &'static str, payload: &(dyn Any + Send)) -> HandlerFault {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    HandlerFault::internal(Panicked { what, text })
}
