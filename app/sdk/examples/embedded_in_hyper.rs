//! An endpoint in a server of plain hyper: whatever hands out `http::Request` and takes `http::Response` can do this.

use std::convert::Infallible;
use std::error::Error;
use std::pin::pin;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use pm_mcp::{HttpEndpoint, NoArguments, Output, Server, ToolError, tool};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Serves on `listener` until `stop` is true.
///
/// # Errors
///
/// When a server cannot be built, or its endpoint not be served.
pub async fn serve(listener: TcpListener, stop: watch::Receiver<bool>) -> Result<(), Box<dyn Error>> {
    let answers = |_, _: NoArguments| async { Ok::<_, ToolError>(Output::text("Noon.")) };
    let clock = tool("hour", "Tells the hour.").handler(answers);
    let server = Server::builder("clock", "1.0.0").tool(clock).build()?;
    let endpoint = HttpEndpoint::at("/mcp").loopback_only();

    let (mounted, stopping) = (endpoint.clone(), stopped(stop.clone()));
    let connections = async move {
        let (protocol, open) = (auto::Builder::new(TokioExecutor::new()), GracefulShutdown::new());
        let mut stopping = pin!(stopping);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stopping => break,
            };
            // What broke off before it was accepted says nothing of the next one.
            let Ok((connection, _)) = accepted else { continue };
            let endpoint = mounted.clone();
            let service = service_fn(move |request| {
                let endpoint = endpoint.clone();
                async move { Ok::<_, Infallible>(endpoint.answer(request).await) }
            });
            let connection = protocol.serve_connection(TokioIo::new(connection), service);
            tokio::spawn(open.watch(connection.into_owned()));
        }
        open.shutdown().await;
    };
    let (served, ()) = tokio::join!(server.serve_until(endpoint, stopped(stop)), connections);
    Ok(served?)
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    // Whoever could say so is gone: that is the end, too.
    drop(stop.wait_for(|stop| *stop).await);
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:3000").await?;
    let (stop, stopping) = watch::channel(false);
    let interrupted = async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.send_replace(true);
        }
    };
    let (served, ()) = tokio::join!(serve(listener, stopping), interrupted);
    served
}
