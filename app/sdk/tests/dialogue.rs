//! One handler, every way to run it: as requests that end with a question and come again with the answer, in memory, over
//! stdio and over HTTP, and as a task that waits for the answer. The handler does not know which.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

use std::sync::{Arc, Mutex};

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::serde_json::json;
use pm_mcp::{Context, Execution, Form, Http, LocalStdio, Output, Principal, Server, Stdio, ToolError, tool};
use pm_mcp_contract::VirtualClock;
use pm_mcp_contract::client::{Client, Outcome};

#[derive(Deserialize, JsonSchema)]
struct Service {
    service: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Region {
    region: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Approval {
    approved: bool,
}

async fn deploy(ctx: Context, args: Service) -> Result<Output, ToolError> {
    let Region { region } = ctx.ask("region", Form::new("Which region?")).await?;
    let Approval { approved } = ctx.ask("confirm", Form::new(format!("Deploy to {region}?"))).await?;
    if !approved {
        return Ok(Output::text("nothing was deployed"));
    }
    for (step, message) in [(1, "building"), (2, "uploading"), (3, "starting")] {
        ctx.progress(step, 3, message);
    }
    Ok(Output::text(format!("{} runs in {region}", args.service)))
}

fn server(clock: &VirtualClock) -> Server {
    let deploy = tool("deploy", "Deploys a service.").execution(Execution::Task).handler(deploy);
    let server = Server::builder("deployer", "1.0").clock(Arc::new(clock.clone())).volatile_tasks();
    server.tool(deploy).build().unwrap()
}

/// What happens between a user and the tool, whoever carries it.
async fn dialogue(client: Client) -> Vec<String> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let progress = Arc::clone(&heard);
    let client = client
        .on("region", json!({"region": "eu"}))
        .on("confirm", json!({"approved": true}))
        .on_progress(move |report| progress.lock().unwrap().push(report.message));
    let result = client.call_to_end("deploy", json!({"service": "api"})).await.unwrap();
    assert_eq!(result.text(), "api runs in eu");
    assert_eq!(client.asked(), ["region", "confirm"]);
    let heard = heard.lock().unwrap();
    heard.clone()
}

/// A client over stdio, and one over HTTP, each with a server that serves as long as the test runs.
fn over_stdio(server: Server) -> Client {
    let (theirs, ours) = (tokio::io::duplex(64 * 1024), tokio::io::duplex(64 * 1024));
    let stdio = Stdio::over(ours.1, theirs.1);
    tokio::spawn(async move { server.serve(LocalStdio::new(stdio, Principal::local("test"))).await });
    Client::stdio(theirs.0, ours.0)
}

async fn over_http(server: Server) -> Client {
    let http = Http::bind("127.0.0.1:0").listen().await.unwrap();
    let url = http.url();
    tokio::spawn(async move { server.serve(http).await });
    Client::http(&url)
}

#[tokio::test]
async fn one_handler_is_asked_and_asks_the_same_in_every_form() {
    let clock = VirtualClock::default();
    let server = server(&clock);
    let steps = ["building", "uploading", "starting"];

    // The request ends with a question; the client comes back with the answer, until there is a result.
    assert_eq!(dialogue(Client::memory(server.service())).await, steps);
    assert_eq!(dialogue(over_stdio(server.clone())).await, steps);
    assert_eq!(dialogue(over_http(server.clone()).await).await, steps);

    // The request ends with a task; the task waits for the answer. Progress belongs to requests, so there is none.
    for client in
        [Client::memory(server.service()), over_stdio(server.clone()), over_http(server.clone()).await]
    {
        let heard = dialogue(client.accepting_tasks().clock(clock.clone())).await;
        assert!(heard.is_empty(), "{heard:?}");
    }
}

#[tokio::test]
async fn the_first_answer_says_which_form_it_is() {
    let server = server(&VirtualClock::default());
    let arguments = json!({"service": "api"});
    let plain = Client::memory(server.service()).call_tool("deploy", arguments.clone()).await.unwrap();
    assert!(matches!(plain, Outcome::InputRequired { state: Some(_), .. }), "{plain:?}");
    let task =
        Client::memory(server.service()).accepting_tasks().call_tool("deploy", arguments).await.unwrap();
    assert!(matches!(task, Outcome::Task(_)), "{task:?}");
}
