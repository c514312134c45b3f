//! When the operating system asks the server to end.

use std::future::Future;
use std::io;

/// Begins to listen for the signals that ask a server to end; the future is ready at the first one.
///
/// # Errors
///
/// When the operating system refuses.
#[cfg(unix)]
pub fn end() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Begins to listen for the signal that asks a server to end; the future is ready at the first one.
///
/// # Errors
///
/// When the operating system refuses.
#[cfg(not(unix))]
pub fn end() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
