//! The server that the official conformance suite is run against: every fixture that it asks for, written only against
//! the public facade. `--port N` (0 for any free one); the first line on stdout is the server's URL.
#![allow(clippy::print_stdout, reason = "scripts read the URL from standard output")]

mod asking;
mod content;
mod skills;
mod tasks;

use std::error::Error;

use pm_mcp::{Http, Server};

fn server() -> Result<Server, Box<dyn Error>> {
    let server = Server::builder("conformance-server", env!("CARGO_PKG_VERSION")).volatile_tasks();
    let server = skills::register(tasks::register(asking::register(content::register(server))))?;
    Ok(server.build()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let port: u16 = match (arguments.next().as_deref(), arguments.next()) {
        (None, None) => 3000,
        (Some("--port"), Some(port)) => port.parse()?,
        _ => return Err("usage: conformance_server [--port N]".into()),
    };
    let http = Http::bind(format!("127.0.0.1:{port}")).listen().await?;
    println!("{}", http.url());
    server()?.serve(http).await?;
    Ok(())
}
