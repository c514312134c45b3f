//! Requests as a client of the revision sends them.

use serde_json::{Value, json};

/// What every request says of itself.
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "acceptance", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A request; `params` is an object, and gets its `_meta` unless it has one.
pub fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    let members = params.as_object_mut().expect("params are an object");
    members.entry("_meta").or_insert_with(meta);
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// A call of a tool.
pub fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({"name": tool, "arguments": arguments}))
}

/// The first text block of a tool's result, read as JSON.
pub fn text_of(answer: &Value) -> Value {
    let text = answer["result"]["content"][0]["text"].as_str();
    let text = text.unwrap_or_else(|| panic!("no text block: {answer}"));
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
