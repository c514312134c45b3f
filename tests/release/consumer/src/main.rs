//! A host of somebody else: one tool, served in every way that the facade has.
//!
//! `greeter constants | dispatch | stdio | legacy | http`; `dispatch` takes one message on standard input and hands it
//! to the service without any transport.

use std::error::Error;
use std::io::{Read, Write};

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Binding, BuildError, Channel, Http, Inbound, Outbox, Output, PROTOCOL_VERSION, PeerGone, Principal,
    SUPPORTED_VERSIONS, Served, Server, ServerBuilder, Stdio, ToolError, async_trait, tool,
};

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
struct Greet {
    /// Whom to greet.
    name: String,
}

struct Nobody;

#[async_trait]
impl Outbox for Nobody {
    async fn send(&mut self, _: Vec<u8>) -> Result<(), PeerGone> {
        Err(PeerGone)
    }
}

fn builder() -> ServerBuilder {
    let greet = tool("greet", "Greets somebody.");
    Server::builder("greeter", env!("CARGO_PKG_VERSION")).tool(greet.handler(|_, args: Greet| async move {
        Ok::<_, ToolError>(Output::text(format!("Hello, {}!", args.name)))
    }))
}

fn server() -> Result<Server, BuildError> {
    builder().build()
}

async fn dispatch() -> Result<String, Box<dyn Error>> {
    let mut message = String::new();
    std::io::stdin().read_to_string(&mut message)?;
    let principal = Principal::local("caller");
    let inbound = Inbound::local(message.trim().as_bytes(), Binding::Stdio, &principal);
    match server()?.service().open(Channel::Shared).serve(inbound, &mut Nobody).await {
        Served::Answered(answer) => Ok(String::from_utf8(answer.body)?),
        other => Err(format!("no answer: {other:?}").into()),
    }
}

fn say(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    writeln!(out, "{line}")?;
    out.flush()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("constants") => say(&format!("{PROTOCOL_VERSION} {}", SUPPORTED_VERSIONS.join(" ")))?,
        Some("dispatch") => say(&dispatch().await?)?,
        Some("stdio") => server()?.serve(Stdio::inherit()?).await?,
        Some("legacy") => builder().legacy_stdio().build()?.serve(Stdio::inherit()?).await?,
        Some("http") => {
            let http = Http::bind("127.0.0.1:0").listen().await?;
            say(&http.url().to_string())?;
            server()?.serve(http).await?;
        }
        _ => return Err("usage: greeter constants | dispatch | stdio | legacy | http".into()),
    }
    Ok(())
}
