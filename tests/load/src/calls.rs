//! Good calls over connections that stay open, and the edits that streams hear of.

use std::sync::Arc;
use std::time::Instant;

use pm_mcp_acceptance::{call, request};
use serde_json::{Value, json};

use crate::load::{Load, Pace};
use crate::messages::post;
use crate::wire::{Reply, Wire};

/// Items that are edited in turn, so that no history grows long: an edit reads the item's history again.
const EDITED: u64 = 60;

/// What changes with each of them.
pub(crate) const EDITED_URI: &str = "pm://lists/open";

fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("tools/list", request(1, "tools/list", json!({}))),
        ("call pm_next", call(2, "pm_next", json!({"limit": 5}))),
        ("call pm_get", call(3, "pm_get", json!({"id": "demo-q7aa"}))),
        ("call pm_list", call(4, "pm_list", json!({"limit": 5}))),
        ("call pm_search", call(5, "pm_search", json!({"query": "menu"}))),
        ("resources/read", request(6, "resources/read", json!({"uri": "pm://items/demo-w2m8/body"}))),
        ("resources/list", request(7, "resources/list", json!({}))),
        (
            "prompts/get",
            request(8, "prompts/get", json!({"name": "claim-and-start", "arguments": {"id": "demo-q7aa"}})),
        ),
        ("server/discover", request(9, "server/discover", json!({}))),
        ("call pm_context", call(10, "pm_context", json!({}))),
    ]
}

/// Whether a reply is a good answer to a good request.
pub(crate) fn answer(reply: Reply) -> Result<Value, String> {
    let text = || String::from_utf8_lossy(&reply.body).chars().take(300).collect::<String>();
    if reply.status != 200 {
        return Err(format!("status {}: {}", reply.status, text()));
    }
    let message: Value =
        serde_json::from_slice(&reply.body).map_err(|error| format!("{error}: {}", text()))?;
    let result = &message["result"];
    if !result.is_object() || result["isError"] == true {
        return Err(text());
    }
    Ok(message)
}

/// Sends a request over `wire`, and over a new connection where there is none.
pub(crate) async fn ask(load: &Load, wire: &mut Option<Wire>, bytes: &[u8]) -> Result<Value, String> {
    let exchanged = async {
        let open = match wire.take() {
            Some(open) => open,
            None => Wire::open(load.server).await?,
        };
        let reply = wire.insert(open).exchange(bytes).await?;
        if reply.head.contains("\r\nconnection: close") {
            *wire = None;
        }
        Ok::<_, std::io::Error>(reply)
    };
    match exchanged.await {
        Ok(reply) => answer(reply),
        Err(error) => {
            *wire = None;
            Err(error.to_string())
        }
    }
}

/// Calls, one kind after the other.
pub(crate) async fn call_on(load: Arc<Load>, number: u64, rate: f64) {
    let kinds: Vec<_> =
        kinds().into_iter().map(|(kind, message)| (kind, post(load.server, &message))).collect();
    let (mut pace, mut wire) = (Pace::a_second(rate, number), None);
    let mut at = number as usize;
    while load.goes_on() {
        pace.rest().await;
        let (kind, bytes) = &kinds[at % kinds.len()];
        let begun = Instant::now();
        let answered = ask(&load, &mut wire, bytes).await;
        load.tally.note(kind, begun, answered.map(drop));
        at += 1;
    }
}

/// The arguments of one edit, each of which changes something.
pub(crate) fn edit(round: u64) -> Value {
    json!({"id": format!("demo-f{}", 100 + round % EDITED), "set": {"priority": round / EDITED % 4}})
}

/// Edits one item after the other.
pub(crate) async fn edit_on(load: Arc<Load>, rate: f64) {
    let (mut pace, mut wire, mut round) = (Pace::a_second(rate, 77), None, 0_u64);
    while load.goes_on() {
        pace.rest().await;
        let change = call(1, "pm_update", edit(round));
        let begun = Instant::now();
        load.edits();
        let answered = ask(&load, &mut wire, &post(load.server, &change)).await;
        load.tally.note("call pm_update", begun, answered.map(drop));
        round += 1;
    }
}
