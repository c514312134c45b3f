//! What a server offers can change while it serves.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use pm_mcp::{
    Answer, Binding, BuildError, Channel, Inbound, McpDoor, NoArguments, Outbox, Output, PeerGone, Principal,
    Read, Served, Server, ToolEntry, async_trait, prompt, resource, tool,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

struct Sent(UnboundedSender<Value>);

#[async_trait]
impl Outbox for Sent {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.0.send(serde_json::from_slice(&message).unwrap()).map_err(|_| PeerGone)
    }
}

fn entry(name: &str) -> ToolEntry {
    tool(name, "Answers.").handler(|_, _: NoArguments| async { Ok(Output::text("yes")) })
}

fn message(id: u32, method: &str, params: Value) -> Vec<u8> {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string().into_bytes()
}

async fn send(door: &dyn McpDoor, bytes: &[u8], outbox: &mut dyn Outbox) -> Value {
    let principal = Principal::loopback();
    let inbound = Inbound::local(bytes, Binding::Stdio, &principal);
    let Served::Answered(Answer { body, .. }) = door.serve(inbound, outbox).await else {
        panic!("no answer")
    };
    serde_json::from_slice(&body).unwrap()
}

async fn ask(door: &dyn McpDoor, method: &str, params: Value) -> Value {
    send(door, &message(1, method, params), &mut Sent(unbounded_channel().0)).await
}

async fn tools(door: &dyn McpDoor) -> Vec<String> {
    let listed = ask(door, "tools/list", json!({})).await;
    listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().into())
        .collect()
}

fn listen(door: &Arc<dyn McpDoor>) -> UnboundedReceiver<Value> {
    let (sender, receiver) = unbounded_channel();
    let door = Arc::clone(door);
    tokio::spawn(async move {
        let filter =
            json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true});
        let bytes = message(7, "subscriptions/listen", json!({"notifications": filter}));
        send(&*door, &bytes, &mut Sent(sender)).await
    });
    receiver
}

async fn next(stream: &mut UnboundedReceiver<Value>) -> String {
    stream.recv().await.unwrap()["method"].as_str().unwrap().to_owned()
}

fn server() -> Server {
    Server::builder("edited", "1")
        .tool(entry("first"))
        .tool(entry("second"))
        .prompt(prompt("hello", "Greets.").handler(|_, _| async { Ok(Vec::new()) }))
        .resource(resource("a:1", "one").reader(|_, _| async { Ok(Read::text("1")) }))
        .build()
        .unwrap()
}

#[tokio::test]
async fn tools_come_and_go_in_order_and_listeners_hear_of_it() {
    let server = server();
    let door = server.service().open(Channel::PerRequest);
    let mut stream = listen(&door);
    assert_eq!(next(&mut stream).await, "notifications/subscriptions/acknowledged");
    assert_eq!(tools(&*door).await, ["first", "second"]);

    server
        .edit(|offer| {
            assert!(offer.remove_tool("first"));
            assert!(!offer.remove_tool("third"));
            offer.add_tool(entry("third"))
        })
        .unwrap();
    assert_eq!(next(&mut stream).await, "notifications/tools/list_changed");
    assert_eq!(tools(&*door).await, ["second", "third"]);
    assert_eq!(ask(&*door, "tools/call", json!({"name": "first"})).await["error"]["code"], -32602);
    assert_eq!(ask(&*door, "tools/call", json!({"name": "third"})).await["result"]["resultType"], "complete");

    server
        .edit(|offer| {
            assert!(offer.remove_prompt("hello"));
            Ok(())
        })
        .unwrap();
    assert_eq!(next(&mut stream).await, "notifications/prompts/list_changed");
    let discovered = ask(&*door, "server/discover", json!({})).await;
    assert!(discovered["result"]["capabilities"].get("prompts").is_none());
    assert_eq!(ask(&*door, "prompts/list", json!({})).await["error"]["code"], -32601);

    server
        .edit(|offer| offer.add_resource(resource("a:2", "two").reader(|_, _| async { Ok(Read::text("2")) })))
        .unwrap();
    assert_eq!(next(&mut stream).await, "notifications/resources/list_changed");
    assert!(stream.try_recv().is_err(), "nothing else changed");
}

#[tokio::test]
async fn a_change_that_fails_changes_nothing() {
    let server = server();
    let door = server.service().open(Channel::PerRequest);
    let mut stream = listen(&door);
    assert_eq!(next(&mut stream).await, "notifications/subscriptions/acknowledged");
    let twice = server.edit(|offer| {
        offer.remove_tool("first");
        offer.add_tool(entry("second"))
    });
    assert!(matches!(twice, Err(BuildError::Catalogue(_))), "{twice:?}");
    let bad = server.edit(|offer| {
        offer.remove_tool("first");
        let bad = tool("bad", "Has a bad schema.").input_schema(json!({"$ref": "#"}));
        offer.add_tool(bad.handler(|_, _: Value| async { Ok(Output::text("")) }))
    });
    assert!(matches!(bad, Err(BuildError::Schema { .. })), "{bad:?}");
    assert_eq!(tools(&*door).await, ["first", "second"]);
    assert!(stream.try_recv().is_err());
}

#[tokio::test]
async fn a_cursor_of_a_list_that_changed_is_refused() {
    let server = Server::builder("paged", "1")
        .page_size(1)
        .tool(entry("first"))
        .tool(entry("second"))
        .tool(entry("third"))
        .build()
        .unwrap();
    let door = server.service().open(Channel::PerRequest);
    let page = ask(&*door, "tools/list", json!({})).await;
    let cursor = page["result"]["nextCursor"].clone();
    let second = ask(&*door, "tools/list", json!({"cursor": cursor})).await;
    assert_eq!(second["result"]["tools"][0]["name"], "second");
    server
        .edit(|offer| {
            assert!(offer.remove_tool("third"));
            Ok(())
        })
        .unwrap();
    assert_eq!(ask(&*door, "tools/list", json!({"cursor": cursor})).await["error"]["code"], -32602);
}
