//! A server whose time and randomness are the test's.

use std::sync::Arc;

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{Form, Server, ServerBuilder};
use pm_mcp_contract::{ScriptedEntropy, VirtualClock};
use serde_json::{Value, json};

use super::log::Log;

/// A form with one box to tick.
#[derive(Deserialize, JsonSchema, Debug, Form)]
pub(crate) struct Yes {
    pub(crate) ok: bool,
}

/// A server in the making, and its clock.
pub(crate) fn stage() -> (ServerBuilder, VirtualClock) {
    Log::prepare();
    let clock = VirtualClock::default();
    let builder = Server::builder("scenes", "1.0.0")
        .clock(Arc::new(clock.clone()))
        .entropy(Arc::new(ScriptedEntropy::seeded(20260728)));
    (builder, clock)
}

/// An accepted form with this content.
pub(crate) fn accepted(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

/// No arguments.
pub(crate) fn nothing() -> Value {
    json!({})
}
