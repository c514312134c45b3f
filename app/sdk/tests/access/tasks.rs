//! Tasks ask for what their calls needed, and streams end with their tokens.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{
    Credential, LocalStdio, Outbox, PeerGone, Principal, Server, Stdio, TaskStore as _, async_trait,
};
use pm_mcp_memory::MemoryTaskStore;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::http::{send, serve};
use crate::support::{ISSUER, Stage};

#[tokio::test]
async fn a_task_asks_for_the_scopes_of_the_call_that_made_it() {
    let stage = Stage::new(|builder| builder);
    let told = stage.with("writer").with_tasks().call("toil").await;
    let task = told.result()["taskId"].as_str().unwrap().to_owned();
    for (method, more) in [
        ("tasks/get", json!({})),
        ("tasks/update", json!({"inputResponses": {}})),
        ("tasks/cancel", json!({})),
    ] {
        let mut params = more;
        params["taskId"] = json!(task);
        // The same person with a smaller token, the person who made it, and somebody else.
        let told = stage.with("reader").with_tasks().ask(method, params.clone()).await;
        assert_eq!((told.status, told.scopes()), (403, "read write"), "{method}: {told:?}");
        let told = stage.with("bob").with_tasks().ask(method, params.clone()).await;
        assert_eq!((told.status, told.message()), (200, "task not found"), "{method}");
        let told = stage.with("writer").with_tasks().ask(method, params.clone()).await;
        assert_eq!(told.result()["resultType"], "complete", "{method}");
        // Whoever holds too little for any task does not learn whether there is this one.
        params["taskId"] = json!("unknown");
        let told = stage.with("powerless").with_tasks().ask(method, params).await;
        assert_eq!((told.status, told.scopes()), (403, "read"), "{method}");
    }
    let listen = json!({"notifications": {"taskIds": [task]}});
    let told = stage.with("reader").with_tasks().ask("subscriptions/listen", listen).await;
    assert_eq!((told.status, told.scopes()), (403, "read write"), "{told:?}");
}

struct Ear(UnboundedSender<Value>);

#[async_trait]
impl Outbox for Ear {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.0.send(serde_json::from_slice(&message).unwrap()).map_err(|_| PeerGone)
    }
}

#[tokio::test]
async fn a_stream_ends_with_the_token_that_opened_it() {
    let stage = Stage::new(|builder| builder);
    let client = stage.with("reader");
    let listen = client.request("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let (said, mut heard) = unbounded_channel();
    let serving =
        tokio::spawn(
            async move { client.send_with(&listen, Credential::Bearer("reader"), &mut Ear(said)).await },
        );
    let acknowledged = heard.recv().await.unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    // The token ends at 600 s, and the leeway is 30 s.
    stage.clock.advance(Duration::from_secs(529));
    tokio::task::yield_now().await;
    assert!(!serving.is_finished());
    stage.clock.advance(Duration::from_secs(1));
    let told = serving.await.unwrap().unwrap();
    assert_eq!(told.result()["resultType"], "complete");
}

/// C45.
#[tokio::test]
async fn c45_a_task_is_found_over_other_connections_and_servers_by_its_principal_alone() {
    let store = Arc::new(MemoryTaskStore::default());
    let stage = Stage::new(|builder| builder.task_store(Arc::clone(&store)));
    let first = serve(&stage.server).await;
    let ask = async |address, method: &str, params: Value, token: &str| {
        let name = params["name"].as_str().map_or_else(String::new, |name| format!("Mcp-Name: {name}\r\n"));
        let body = stage.client().with_tasks().request(method, params).to_string();
        let headers = format!(
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{name}Authorization: Bearer {token}\r\n"
        );
        send(address, "POST /mcp", &headers, &body).await.json()
    };
    let made = ask(first, "tools/call", json!({"name": "toil"}), "writer").await;
    let task = json!({"taskId": made["result"]["taskId"].as_str().unwrap()});
    // Another server over the same store, as a second process is.
    let other = Stage::new(|builder| builder.task_store(Arc::clone(&store)));
    let second = serve(&other.server).await;
    for address in [first, second] {
        let found = ask(address, "tasks/get", task.clone(), "writer").await;
        assert_eq!(found["result"]["taskId"], task["taskId"], "{found}");
        let foreign = ask(address, "tasks/get", task.clone(), "bob").await;
        let unknown = ask(address, "tasks/get", json!({"taskId": "unknown"}), "bob").await;
        assert_eq!(foreign["error"]["message"], "task not found");
        assert_eq!(foreign["error"], unknown["error"]);
    }
    // A stdio session of the same person, as its host knows, and of somebody else.
    let ada = Principal::of_subject(ISSUER, "ada");
    assert_eq!(store.held(&ada).await.unwrap(), 1);
    for (principal, is_found) in [(ada, true), (Principal::local("bob"), false)] {
        let local = Server::builder("local", "1.0.0")
            .clock(Arc::new(stage.clock.clone()))
            .task_store(Arc::clone(&store))
            .build()
            .unwrap();
        let (mut near, far) = tokio::io::duplex(64 << 10);
        let (input, output) = tokio::io::split(far);
        let stdio = LocalStdio::new(Stdio::over(input, output), principal);
        let serving = tokio::spawn(async move { local.serve(stdio).await });
        let request = stage.client().with_tasks().request("tasks/get", task.clone());
        near.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        let mut line = String::new();
        BufReader::new(&mut near).read_line(&mut line).await.unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["result"]["taskId"] == task["taskId"], is_found, "{answer}");
        assert_eq!(answer["error"]["message"] == "task not found", !is_found, "{answer}");
        drop(near);
        serving.await.unwrap().unwrap();
    }
}
