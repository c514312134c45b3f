//! A whole server with one tool.

use pm_mcp::{Http, Output, Server, schemars::JsonSchema, serde::Deserialize, tool};

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
struct Greet {
    /// Whom to greet.
    name: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let greet = tool("greet", "Greets somebody.")
        .handler(|_, args: Greet| async move { Ok(Output::text(format!("Hello, {}!", args.name))) });
    let server = Server::builder("greeter", "1.0.0").tool(greet).build()?;
    server.serve(Http::bind("127.0.0.1:3000")).await?;
    Ok(())
}
