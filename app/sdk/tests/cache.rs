//! What may be kept, by whom, and that a hint is no more than a hint.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use pm_mcp::{
    Answer, Binding, CachePolicy, Channel, Inbound, ListCaches, McpDoor, NoArguments, Outbox, Output,
    PeerGone, Principal, Read, Served, Server, ToolEntry, async_trait, prompt, template, tool,
};
use serde_json::{Value, json};

struct Silent;

#[async_trait]
impl Outbox for Silent {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        panic!("nothing precedes the answer: {}", String::from_utf8_lossy(&message));
    }
}

fn entry(number: usize) -> ToolEntry {
    tool(format!("tool{number}"), "Answers.").handler(|_, _: NoArguments| async { Ok(Output::text("yes")) })
}

fn server(caches: ListCaches) -> Server {
    let server = Server::builder("cached", "1").caches(caches).page_size(2);
    (0..5)
        .fold(server, |server, number| server.tool(entry(number)))
        .prompt(prompt("hello", "Greets.").handler(|_, _| async { Ok(Vec::new()) }))
        .template(template("a:{b}", "all").reader(|_, request| async move { Ok(Read::text(request.uri)) }))
        .build()
        .unwrap()
}

async fn ask(door: &Arc<dyn McpDoor>, who: &Principal, client: &str, method: &str, params: Value) -> Vec<u8> {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": if client == "a" { json!({}) } else { json!({"sampling": {}}) },
        "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
    });
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string().into_bytes();
    let inbound = Inbound::local(&message, Binding::Stdio, who);
    let Served::Answered(Answer { body, .. }) = door.serve(inbound, &mut Silent).await else {
        panic!("no answer")
    };
    body
}

#[tokio::test]
async fn a_public_result_is_the_same_for_every_caller() {
    let public = CachePolicy::public(60_000);
    let caches = ListCaches { templates: public, prompts: public, ..ListCaches::default() };
    let door = server(caches).service().open(Channel::PerRequest);
    let (ann, bob) = (Principal::local("ann"), Principal::local("bob"));
    let mut seen = 0;
    for method in
        ["server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"]
    {
        let of_ann = ask(&door, &ann, "a", method, json!({})).await;
        let of_bob = ask(&door, &bob, "b", method, json!({})).await;
        let result = &serde_json::from_slice::<Value>(&of_ann).unwrap()["result"];
        match result["cacheScope"].as_str().unwrap() {
            "public" => {
                seen += 1;
                assert_eq!(of_ann, of_bob, "{method}");
            }
            scope => assert_eq!(scope, "private", "{method}"),
        }
    }
    assert_eq!(seen, 3);
}

#[tokio::test]
async fn all_pages_of_a_list_share_one_scope() {
    let caches = ListCaches { tools: CachePolicy::private(7), ..ListCaches::default() };
    let door = server(caches).service().open(Channel::PerRequest);
    let (who, mut cursor, mut pages) = (Principal::loopback(), json!({}), 0);
    loop {
        let page: Value = serde_json::from_slice(&ask(&door, &who, "a", "tools/list", cursor).await).unwrap();
        pages += 1;
        assert_eq!(page["result"]["cacheScope"], "private");
        assert_eq!(page["result"]["ttlMs"], 7);
        match page["result"].get("nextCursor") {
            Some(next) => cursor = json!({"cursor": next}),
            None => break,
        }
    }
    assert_eq!(pages, 3);
}

#[tokio::test]
async fn a_lifetime_that_has_not_ended_keeps_nothing_from_changing() {
    let server = server(ListCaches { prompts: CachePolicy::private(3_600_000), ..ListCaches::default() });
    let door = server.service().open(Channel::PerRequest);
    let who = Principal::loopback();
    let before = ask(&door, &who, "a", "prompts/list", json!({})).await;
    server
        .edit(|offer| {
            offer.add_prompt(prompt("more", "Greets more.").handler(|_, _| async { Ok(Vec::new()) }))
        })
        .unwrap();
    let after = ask(&door, &who, "a", "prompts/list", json!({})).await;
    assert_ne!(before, after, "an hour has not passed, and the list is new all the same");
}
