//! What the client does in each scenario.

use std::error::Error;

use serde_json::{Value, json};

use crate::mcp::Client;

pub(crate) async fn play(scenario: &str, context: &Value, client: &Client) -> Result<(), Box<dyn Error>> {
    match scenario {
        "tools_call" => add_numbers(client).await,
        "request-metadata" => {
            client.request("server/discover", json!({})).await?;
            client.tools().await.map(drop)
        }
        "sep-2322-client-request-state" => several_rounds(client).await,
        "http-standard-headers" => every_method(client).await,
        "http-custom-headers" => listed_calls(client, context).await,
        "http-invalid-tool-headers" => {
            for tool in client.tools().await? {
                client.call(name(&tool), json!({"region": "eu"})).await?;
            }
            Ok(())
        }
        "json-schema-ref-no-deref" => client.tools().await.map(drop),
        "json-schema-2020-12-preservation" => echo_a_schema(client).await,
        _ if scenario.starts_with("auth/") => {
            client.tools().await?;
            client.call("test-tool", json!({})).await.map(drop)
        }
        other => Err(format!("the scenario {other} is not known").into()),
    }
}

fn name(tool: &Value) -> &str {
    tool.get("name").and_then(Value::as_str).unwrap_or_default()
}

async fn add_numbers(client: &Client) -> Result<(), Box<dyn Error>> {
    client.tools().await?;
    client.call("add_numbers", json!({"a": 5, "b": 3})).await.map(drop)
}

async fn several_rounds(client: &Client) -> Result<(), Box<dyn Error>> {
    client.tools().await?;
    for tool in
        ["test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state", "test_mrtr_no_result_type"]
    {
        let first = client.call(tool, json!({})).await?;
        if first.get("resultType") != Some(&json!("input_required")) {
            continue;
        }
        let asked = first.get("inputRequests").and_then(Value::as_object).cloned().unwrap_or_default();
        let answer = json!({"action": "accept", "content": {"confirmed": true}});
        let answers: serde_json::Map<String, Value> =
            asked.keys().map(|key| (key.clone(), answer.clone())).collect();
        let mut params = json!({"name": tool, "arguments": {}, "inputResponses": answers});
        if let Some(state) = first.get("requestState") {
            params["requestState"] = state.clone();
        }
        client.request("tools/call", params).await?;
    }
    Ok(())
}

async fn every_method(client: &Client) -> Result<(), Box<dyn Error>> {
    client.tools().await?;
    for tool in ["test_headers", "my-hyphenated-tool"] {
        client.call(tool, json!({})).await?;
    }
    client.request("resources/list", json!({})).await?;
    for uri in ["file:///path/to/file%20name.txt", "https://example.com/resource?id=123"] {
        client.request("resources/read", json!({"uri": uri})).await?;
    }
    client.request("prompts/list", json!({})).await?;
    client.request("prompts/get", json!({"name": "test_prompt"})).await.map(drop)
}

async fn listed_calls(client: &Client, context: &Value) -> Result<(), Box<dyn Error>> {
    client.tools().await?;
    for call in context.get("toolCalls").and_then(Value::as_array).into_iter().flatten() {
        let arguments = call.get("arguments").cloned().unwrap_or_else(|| json!({}));
        client.call(name(call), arguments).await?;
    }
    Ok(())
}

async fn echo_a_schema(client: &Client) -> Result<(), Box<dyn Error>> {
    let tools = client.tools().await?;
    let tool = tools.iter().find(|tool| name(tool) == "json_schema_2020_12_tool");
    let schema = tool.and_then(|tool| tool.get("inputSchema")).ok_or("the tool is not listed")?;
    client.call("json_schema_echo", json!({"schema": schema})).await.map(drop)
}
