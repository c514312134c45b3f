//! The published Rust client against one server.
//!
//! ```text
//! pm-mcp-interop-rmcp stdio COMMAND WORKSPACE
//! pm-mcp-interop-rmcp http URL
//! ```
//!
//! Exit status 0 only if every answer was as expected.

use std::collections::BTreeSet;
use std::error::Error;

use rmcp::model::{
    CallToolRequestParams, CompletionContext, GetPromptRequestParams, ProtocolVersion, ReadResourceRequestParams,
};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mode = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let client = match words[..] {
        ["stdio", command, workspace] => {
            let mut command = tokio::process::Command::new(command);
            command.current_dir(workspace).env("PM_PATH", workspace);
            ().serve_with_lifecycle(TokioChildProcess::new(command)?, mode).await?
        }
        ["http", url] => ().serve_with_lifecycle(StreamableHttpClientTransport::from_uri(url), mode).await?,
        _ => return Err("usage: stdio COMMAND WORKSPACE | http URL".into()),
    };
    discovery(&client)?;
    tools(&client).await?;
    resources(&client).await?;
    prompts_and_completions(&client).await?;
    client.cancel().await?;
    Ok(())
}

type Client = RunningService<RoleClient, ()>;

fn discovery(client: &Client) -> Outcome<()> {
    let told = serde_json::to_value(client.peer_info().ok_or("nothing was discovered")?)?;
    assert!(told.to_string().contains("pm_next"), "the instructions say where to begin: {told}");
    assert!(told["capabilities"]["tools"].is_object() && told["capabilities"]["completions"].is_object(), "{told}");
    Ok(())
}

async fn tools(client: &Client) -> Outcome<()> {
    let tools = client.list_all_tools().await?;
    let names: BTreeSet<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names.len(), tools.len(), "no tool is listed twice");
    for wanted in ["pm_context", "pm_next", "pm_list", "pm_search", "pm_get", "pm_events"] {
        assert!(names.contains(wanted), "{wanted} is listed");
    }
    assert!(tools.iter().all(|tool| tool.output_schema.is_some()), "every tool says what it answers");

    let next = call(client, "pm_next", json!({})).await?;
    assert_eq!(next["structuredContent"]["recommended"]["item"]["id"], "demo-q7aa");
    // `workspace` is mirrored into a header over HTTP.
    let item = call(client, "pm_get", json!({"id": "#K3X9", "workspace": "default"})).await?;
    assert_eq!(item["structuredContent"]["id"], "demo-k3x9");
    assert_eq!(item["structuredContent"]["title"], "Retry uploads: back off, then give up");
    assert_eq!(item["structuredContent"]["version"], 3);

    let missing = call(client, "pm_get", json!({"id": "demo-zzzz"})).await?;
    assert_eq!(missing["isError"], true);
    let fault: Value = serde_json::from_str(missing["content"][0]["text"].as_str().ok_or("no text")?)?;
    assert_eq!(fault["code"], "item_not_found");
    assert_eq!(refusal(call_once(client, "pm_nothing", json!({})).await)?, -32602);
    Ok(())
}

async fn resources(client: &Client) -> Outcome<()> {
    let resources = client.list_all_resources().await?;
    let uris: BTreeSet<&str> = resources.iter().map(|resource| resource.uri.as_ref()).collect();
    assert_eq!(uris.len(), resources.len(), "no resource is listed twice");
    assert!(uris.contains("pm://workspace/next") && uris.contains("pm://items/demo-q7aa"), "{uris:?}");
    assert_eq!(uris.iter().filter(|uri| uri.starts_with("pm://items/demo-f")).count(), 60, "every page was read");
    let read = client.read_resource(ReadResourceRequestParams::new("pm://items/demo-w2m8")).await?;
    assert!(serde_json::to_string(&read)?.contains("Ship the café menu"));
    let gone = client.read_resource(ReadResourceRequestParams::new("pm://items/demo-zzzz")).await;
    assert_eq!(refusal(gone)?, -32602);
    Ok(())
}

async fn prompts_and_completions(client: &Client) -> Outcome<()> {
    let prompts = client.list_all_prompts().await?;
    let names: BTreeSet<&str> = prompts.iter().map(|prompt| prompt.name.as_ref()).collect();
    for wanted in ["orient", "claim-and-start", "record-evidence-and-close", "skill/triage"] {
        assert!(names.contains(wanted), "{wanted} is listed");
    }
    let arguments = json!({"id": "demo-q7aa"}).as_object().cloned().ok_or("not an object")?;
    let prompt =
        client.get_prompt(GetPromptRequestParams::new("claim-and-start").with_arguments(arguments)).await?;
    assert!(serde_json::to_string(&prompt)?.contains("Name the errors worth a retry"));

    let ids = client.complete_prompt_simple("claim-and-start", "id", "demo-q").await?;
    assert_eq!(ids, ["demo-q7aa"]);
    let templates = client.list_all_resource_templates().await?;
    let template = templates
        .iter()
        .find(|template| template.uri_template.contains("/history/{version}"))
        .ok_or("the versions of an item have no template")?;
    let known = CompletionContext::with_arguments([("id".to_owned(), "demo-k3x9".to_owned())].into());
    let mut versions = client
        .complete_resource_argument(template.uri_template.clone(), "version", "", Some(known))
        .await?
        .values;
    versions.sort();
    assert_eq!(versions, ["1", "2", "3"]);
    Ok(())
}

async fn call(client: &Client, name: &'static str, arguments: Value) -> Outcome<Value> {
    Ok(serde_json::to_value(call_once(client, name, arguments).await?)?)
}

async fn call_once(
    client: &Client,
    name: &'static str,
    arguments: Value,
) -> Result<rmcp::model::CallToolResult, ServiceError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await
}

fn refusal<T>(outcome: Result<T, ServiceError>) -> Outcome<i32> {
    match outcome {
        Ok(_) => Err("the request was served".into()),
        Err(ServiceError::McpError(error)) => Ok(error.code.0),
        Err(other) => Err(other.into()),
    }
}
