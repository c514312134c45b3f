//! The transport as a host starts it.

use std::future::{Future, poll_fn};
use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::{Channel, McpService};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use crate::error::StdioError;
use crate::limits::StdioLimits;
use crate::output::{Door, Output};
use crate::process::{StandardInput, StandardOutput};
use crate::session::Session;

/// Serves one client over a pair of byte streams, one message a line.
#[derive(Debug)]
pub struct Stdio<R, W> {
    reader: R,
    writer: W,
    limits: StdioLimits,
}

impl Stdio<StandardInput, StandardOutput> {
    /// Over the standard input and output of this process. To be called once, within a Tokio runtime.
    ///
    /// Pipes and sockets, which is what clients make, are switched to non-blocking operation and served without any
    /// thread of their own. That switch holds for everyone who shares the same open pipe; terminals and files are
    /// therefore left as they are and read by a thread.
    ///
    /// # Errors
    ///
    /// [`StdioError::Open`] when a stream is closed or cannot be used.
    pub fn inherit() -> Result<Self, StdioError> {
        Ok(Self::over(StandardInput::open()?, StandardOutput::open()?))
    }
}

impl<R, W> Stdio<R, W> {
    /// Over any two byte streams, such as the halves of a socket.
    pub fn over(reader: R, writer: W) -> Self {
        Self { reader, writer, limits: StdioLimits::default() }
    }

    /// The same with other limits.
    #[must_use]
    pub fn limits(mut self, limits: StdioLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl<R: AsyncRead + Unpin + Send, W: AsyncWrite + Unpin + Send> Stdio<R, W> {
    /// Serves until the input ends or `shutdown` is ready; then lets what is in flight finish within the grace and
    /// cancels the rest. Every message acts for `principal`.
    ///
    /// If the future is dropped, all requests are cancelled.
    ///
    /// # Errors
    ///
    /// [`StdioError::Read`] and [`StdioError::Write`] when a stream broke; requests in flight are cancelled.
    pub async fn serve(
        self,
        service: Arc<dyn McpService>,
        principal: Principal,
        shutdown: impl Future<Output = ()> + Send,
    ) -> Result<(), StdioError> {
        let output = Output::new(self.limits.max_unread_bytes);
        let limit_counts = service.limit_counts();
        let service = service.open(Channel::Shared);
        let door = Arc::new(Door { service, principal, output, limit_counts });
        let mut session = Session::new(self.reader, self.writer, self.limits, Arc::clone(&door));
        let served = tokio::select! {
            served = poll_fn(|cx| session.poll_serve(cx)) => served,
            () = shutdown => Ok(()),
        };
        // Streams have no end of their own; they get it before the rest is waited for.
        door.service.close();
        let ended = match served {
            Ok(()) => match timeout(self.limits.shutdown_grace, poll_fn(|cx| session.poll_drain(cx))).await {
                Ok(drained) => drained,
                Err(_) => {
                    tracing::warn!(
                        requests = session.unanswered(),
                        "requests were cut off at the end of the grace"
                    );
                    Ok(())
                }
            },
            Err(error) => Err(error),
        };
        door.output.close();
        ended
    }
}
