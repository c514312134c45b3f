//! Requests as bytes.

use std::net::SocketAddr;

use pm_mcp_acceptance::meta;
use serde_json::{Value, json};

/// A request with the headers that the revision wants, over a connection that stays open.
pub(crate) fn post(to: SocketAddr, message: &Value) -> Vec<u8> {
    let body = message.to_string();
    let mut bytes = head(to, message, &format!("Content-Length: {}\r\n", body.len()));
    bytes.extend_from_slice(body.as_bytes());
    bytes
}

/// The head of such a request with `more` at its end, up to the empty line.
pub(crate) fn head(to: SocketAddr, message: &Value, more: &str) -> Vec<u8> {
    let method = message["method"].as_str().unwrap_or_default();
    let name = match method {
        "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
        "resources/read" => message["params"]["uri"].as_str(),
        _ => None,
    };
    let name = name.map(|name| format!("Mcp-Name: {name}\r\n")).unwrap_or_default();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {to}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n\
         {name}{more}\r\n"
    )
    .into_bytes()
}

/// A message of a client that knows tasks and forms.
pub(crate) fn with_tasks(mut message: Value) -> Value {
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({
        "elicitation": {"form": {}},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    });
    message["params"]["_meta"] = meta;
    message
}
