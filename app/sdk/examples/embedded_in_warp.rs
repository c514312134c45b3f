//! Two endpoints with tools of their own in one warp server, beside a page that was there before.

use std::error::Error;

use pm_mcp::{BuildError, HttpEndpoint, NoArguments, Output, Server, ToolError, tool};
use tokio::net::TcpListener;
use tokio::sync::watch;
use warp::Filter;

fn server(name: &str, offers: &'static str, says: &'static str) -> Result<Server, BuildError> {
    let answers = move |_, _: NoArguments| async move { Ok::<_, ToolError>(Output::text(says)) };
    Server::builder(name, "1.0.0").tool(tool(offers, "Answers.").handler(answers)).build()
}

/// Serves on `listener` until `stop` is true.
///
/// # Errors
///
/// When a server cannot be built, or its endpoint not be served.
pub async fn serve(listener: TcpListener, stop: watch::Receiver<bool>) -> Result<(), Box<dyn Error>> {
    let weather = server("weather", "forecast", "Sun.")?;
    let library = server("library", "borrow", "Yours for a month.")?;
    // Nobody is asked for a token, so the host gives its word that only this machine gets here.
    let at_weather = HttpEndpoint::at("/weather/mcp").loopback_only();
    let at_library = HttpEndpoint::at("/library/mcp").loopback_only();

    let page = warp::path::end().map(|| "The page that was here before.");
    let routes = page.or(at_weather.filter()).or(at_library.filter());
    let website = warp::serve(routes).incoming(listener).graceful(stopped(stop.clone())).run();

    let (weather, library, ()) = tokio::join!(
        weather.serve_until(at_weather, stopped(stop.clone())),
        library.serve_until(at_library, stopped(stop)),
        website,
    );
    weather?;
    library?;
    Ok(())
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
