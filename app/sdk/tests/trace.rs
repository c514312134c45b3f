//! The trace of a request belongs to that request alone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use pm_mcp::{
    Answer, BaggageKeys, Binding, Channel, Context, Inbound, McpDoor, NoArguments, Outbox, Output, PeerGone,
    Principal, Served, Server, async_trait, tool, trace,
};
use serde_json::{Value, json};
use tokio::sync::Barrier;

struct Silent;

#[async_trait]
impl Outbox for Silent {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        panic!("nothing precedes the answer: {}", String::from_utf8_lossy(&message));
    }
}

fn shown(trace: Option<&pm_mcp::TraceContext>) -> Value {
    let Some(trace) = trace else { return Value::Null };
    json!({
        "parent": trace.parent.as_ref().map(ToString::to_string),
        "tenant": trace.baggage.value("tenant"),
        "secret": trace.baggage.value("secret"),
    })
}

/// Tells the trace that it sees by its context, by the task-local scope after others ran, and in work that it spawned.
fn server(together: usize) -> Server {
    let barrier = Arc::new(Barrier::new(together));
    let look = move |ctx: Context, _: NoArguments| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            let spawned = tokio::spawn(async { shown(trace::current().as_ref()) }).await.unwrap();
            let own = ctx.caller().trace.clone();
            let inherited =
                tokio::spawn(trace::within(own, async { shown(trace::current().as_ref()) })).await.unwrap();
            Ok(Output::json(json!({
                "context": shown(Some(&ctx.caller().trace)),
                "scope": shown(trace::current().as_ref()),
                "spawned": spawned,
                "inherited": inherited,
            })))
        }
    };
    let keys = BaggageKeys::new(["tenant"]).unwrap();
    Server::builder("traced", "1")
        .baggage_keys(keys)
        .tool(tool("look", "Looks.").handler(look))
        .build()
        .unwrap()
}

async fn call(door: Arc<dyn McpDoor>, id: usize, fields: Value) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    meta.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "look", "_meta": meta}});
    let bytes = message.to_string().into_bytes();
    let principal = Principal::loopback();
    let inbound = Inbound::local(&bytes, Binding::Stdio, &principal);
    let Served::Answered(Answer { body, .. }) = door.serve(inbound, &mut Silent).await else {
        panic!("no answer")
    };
    let text = String::from_utf8(body).unwrap();
    assert!(!text.contains("hidden"), "what is not listed is nowhere: {text}");
    serde_json::from_str::<Value>(&text).unwrap()["result"]["structuredContent"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_requests_at_once_never_see_the_trace_of_another() {
    const TOGETHER: usize = 1_000;
    let door = server(TOGETHER).service().open(Channel::PerRequest);
    let calls: Vec<_> = (0..TOGETHER)
        .map(|id| {
            let parent = format!("00-{id:032x}-{:016x}-01", id + 1);
            let fields = match id {
                0 => json!({}),
                _ => json!({"traceparent": parent, "baggage": format!("tenant=t{id},secret=hidden")}),
            };
            (id, parent, tokio::spawn(call(Arc::clone(&door), id, fields)))
        })
        .collect();
    for (id, parent, call) in calls {
        let seen = call.await.unwrap();
        let none = json!({"parent": null, "tenant": null, "secret": null});
        let own = json!({"parent": parent, "tenant": format!("t{id}"), "secret": null});
        if id == 0 {
            let wanted = json!({"context": none, "scope": null, "spawned": null, "inherited": none});
            assert_eq!(seen, wanted, "without trace");
        } else {
            let wanted = json!({"context": own, "scope": own, "spawned": null, "inherited": own});
            assert_eq!(seen, wanted, "{id}");
        }
    }
}

#[tokio::test]
async fn a_malformed_trace_takes_nothing_but_itself_away() {
    let door = server(1).service().open(Channel::PerRequest);
    for bad in [json!("00-0-0-01"), json!(7), json!(null), json!("00-".repeat(9_000)), json!({"a": 1})] {
        let seen = call(Arc::clone(&door), 1, json!({"traceparent": bad, "baggage": "tenant=a"})).await;
        assert_eq!(seen["context"]["parent"], Value::Null, "{bad}");
        assert_eq!(seen["context"]["tenant"], "a", "{bad}");
    }
}
