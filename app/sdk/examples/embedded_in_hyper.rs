//! An endpoint in a server of plain hyper: whatever hands out `http::Request` and takes `http::Response` can do this.

use std::convert::Infallible;
use std::error::Error;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use pm_mcp::{HttpEndpoint, NoArguments, Output, Server, ToolError, tool};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Serves on `listener` until `stop` is true.
///
/// # Errors
///
/// When a server cannot be built, or its endpoint not be served.
pub async fn serve(listener: TcpListener, mut stop: watch::Receiver<bool>) -> Result<(), Box<dyn Error>> {
    let answers = |_, _: NoArguments| async { Ok::<_, ToolError>(Output::text("Noon.")) };
    let clock = tool("hour", "Tells the hour.").handler(answers);
    let server = Server::builder("clock", "1.0.0").tool(clock).build()?;
    let endpoint = HttpEndpoint::at("/mcp").loopback_only();

    let mounted = endpoint.clone();
    let connections = async move {
        let mut open = JoinSet::new();
        while let Ok((connection, _)) = listener.accept().await {
            let endpoint = mounted.clone();
            let service = service_fn(move |request| {
                let endpoint = endpoint.clone();
                async move { Ok::<_, Infallible>(endpoint.answer(request).await) }
            });
            open.spawn(async move {
                let server = auto::Builder::new(TokioExecutor::new());
                // A connection that broke concerns nobody but its client.
                drop(server.serve_connection(TokioIo::new(connection), service).await);
            });
        }
    };
    let stopped = async move { drop(stop.wait_for(|stop| *stop).await) };
    tokio::select! {
        served = server.serve_until(endpoint, stopped) => served?,
        () = connections => {}
    }
    Ok(())
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
