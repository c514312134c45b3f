//! The server that is measured against other servers: `bench_server --http HOST:PORT` or `bench_server --stdio`.
//!
//! Everything that a server does in production is on: header checks, metadata checks, `Host` and `Origin`, arguments
//! against their schema.

use std::error::Error;

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Context, Form, Http, HttpLimits, Limits, Output, PromptMessage, Read, Server, Stdio, ToolEntry, prompt,
    template, tool,
};

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Touch {
    uri: String,
}

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
    #[serde(rename = "note")]
    _note: Option<String>,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Agreement {
    agreed: bool,
}

fn add(number: usize) -> ToolEntry {
    tool(format!("add_{number:02}"), "Adds two numbers.").handler(|_, args: Add| async move {
        match args.a.checked_add(args.b) {
            Some(sum) => Ok(Output::text(sum.to_string())),
            None => Err(pm_mcp::ToolError::failed("the sum is too large")),
        }
    })
}

fn server() -> Result<Server, pm_mcp::BuildError> {
    // The driver opens ten thousand streams as one caller.
    let mut limits = Limits::default();
    limits.hub.streams_per_principal = limits.hub.streams;
    (0..20)
        .fold(
            Server::builder("bench-server", env!("CARGO_PKG_VERSION"))
                .limits(limits)
                .tool(
                    tool("echo", "Answers with the text.")
                        .handler(|_, args: Echo| async move { Ok(Output::text(args.text)) }),
                )
                .tool(tool("touch", "Says that a resource was updated.").handler(
                    |ctx: Context, args: Touch| async move {
                        ctx.resource_updated(args.uri);
                        Ok(Output::text("ok"))
                    },
                ))
                .prompt(prompt("agree", "Asks before it writes.").handler(|ctx: Context, _| async move {
                    let Agreement { agreed } = ctx.ask("agree", Form::new("Do you agree?")).await?;
                    Ok(vec![PromptMessage::user(if agreed { "yes" } else { "no" })])
                }))
                .template(
                    template("bench://{name}", "touched")
                        .reader(|_, request| async move { Ok(Read::text(request.uri)) }),
                ),
            |builder, number| builder.tool(add(number)),
        )
        .build()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--http", address] => {
            let limits = HttpLimits { connections: 20_000, ..HttpLimits::default() };
            server()?.serve(Http::bind(*address).limits(limits)).await?;
        }
        ["--stdio"] => server()?.serve(Stdio::inherit()?).await?,
        _ => return Err("usage: bench_server --http HOST:PORT | --stdio".into()),
    }
    Ok(())
}
