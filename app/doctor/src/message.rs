//! Requests as hosts send them.

use pm_mcp_domain::version::PROTOCOL_VERSION;
use serde_json::{Value, json};

/// The revision with a handshake that older hosts ask for first.
pub(crate) const EARLIER: &str = "2025-11-25";

/// A request of the present revision.
pub(crate) fn request(id: u64, method: &str, params: Value) -> Value {
    of_version(id, method, params, PROTOCOL_VERSION)
}

/// The same under another revision's name.
pub(crate) fn of_version(id: u64, method: &str, mut params: Value, version: &str) -> Value {
    if let Some(members) = params.as_object_mut() {
        members.insert(
            "_meta".to_owned(),
            json!({
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientInfo": {"name": "pm-mcp doctor", "version": env!("CARGO_PKG_VERSION")},
                "io.modelcontextprotocol/clientCapabilities": {},
            }),
        );
    }
    plain(id, method, &params)
}

/// A request with parameters as they are.
pub(crate) fn plain(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The first message of older hosts.
pub(crate) fn initialize(id: u64) -> Value {
    let params = json!({
        "protocolVersion": EARLIER,
        "capabilities": {},
        "clientInfo": {"name": "pm-mcp doctor", "version": env!("CARGO_PKG_VERSION")},
    });
    plain(id, "initialize", &params)
}

/// The code of an error answer.
pub(crate) fn error_code(answer: &Value) -> Option<i64> {
    answer.get("error")?.get("code")?.as_i64()
}

/// An error answer in a few words.
pub(crate) fn error_words(answer: &Value) -> String {
    let error = answer.get("error");
    let code = error.and_then(|error| error.get("code")).map(Value::to_string).unwrap_or_default();
    let message =
        error.and_then(|error| error.get("message")).and_then(Value::as_str).unwrap_or("no message");
    format!("error {code} ({message})")
}

/// A value in a few words.
pub(crate) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
