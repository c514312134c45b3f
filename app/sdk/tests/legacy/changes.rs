//! Subscriptions and changed lists.

use std::sync::Arc;

use pm_mcp::{Change, Channel, Context, NoArguments, Output, Server, tool};
use serde_json::{Value, json};

use crate::peer::Peer;
use crate::serving::server;

fn subscribe(id: i64, uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "resources/subscribe", "params": {"uri": uri}})
}

fn updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

fn publish(server: &Server, uri: &str) {
    server.publish(&Change::ResourceUpdated { uri: Arc::from(uri) });
}

#[tokio::test]
async fn a_subscription_is_answered_first_and_tells_of_its_resource_until_it_ends() {
    let server = server();
    for revision in ["2025-11-25", "2025-06-18"] {
        let mut peer = Peer::of(&server, revision).await;
        let held = peer.hold(subscribe(5, "test://one"));
        assert_eq!(peer.receive().await, json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
        publish(&server, "test://two");
        publish(&server, "test://one");
        assert_eq!(peer.receive().await, updated("test://one"));
        let again = peer.serve(&subscribe(6, "test://one")).await;
        assert_eq!(again, Some(json!({"jsonrpc": "2.0", "id": 6, "result": {}})));
        assert_eq!(
            peer.ask("resources/unsubscribe", json!({"uri": "test://one"})).await["result"],
            json!({})
        );
        assert_eq!(held.await.unwrap(), None, "a subscription has no second answer");
        publish(&server, "test://one");
        assert!(peer.has_received_nothing());
        // It can be taken up anew.
        let held = peer.hold(subscribe(7, "test://one"));
        assert_eq!(peer.receive().await["id"], 7);
        publish(&server, "test://one");
        assert_eq!(peer.receive().await, updated("test://one"));
        peer.close();
        assert_eq!(held.await.unwrap(), None);
    }
}

#[tokio::test]
async fn changed_lists_are_told_to_who_is_initialised() {
    let server = server();
    let mut peer = Peer::of(&server, "2025-06-18").await;
    let initialised = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let held = peer.hold(initialised.clone());
    // On this thread alone: the held message is served up to where it waits, with its stream open.
    tokio::task::yield_now().await;
    assert_eq!(peer.serve(&initialised).await, None, "a second one ends at once");
    let mut other = Peer::of(&server, "2025-06-18").await;
    server
        .edit(|edit| {
            edit.add_tool(
                tool("new", "Is new.")
                    .handler(|_: Context, _: NoArguments| async { Ok(Output::text("new")) }),
            )
        })
        .unwrap();
    assert_eq!(peer.receive().await, json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
    assert!(other.has_received_nothing(), "it did not say that it is initialised");
    peer.close();
    assert_eq!(held.await.unwrap(), None);
}

#[tokio::test]
async fn subscriptions_are_bounded_and_none_begins_after_the_end() {
    let server = server();
    let mut peer = Peer::of(&server, "2025-11-25").await;
    let mut held = Vec::new();
    for id in 0..64 {
        held.push(peer.hold(subscribe(id, &format!("test://many/{id}"))));
        assert_eq!(peer.receive().await["result"], json!({}));
    }
    let refused = peer.serve(&subscribe(99, "test://many/99")).await.unwrap();
    assert_eq!(refused["error"]["code"], -32603, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("64"), "{refused}");
    peer.ask("resources/unsubscribe", json!({"uri": "test://many/0"})).await;
    let long = format!("test://{}", "x".repeat(10_000));
    assert_eq!(peer.serve(&subscribe(1, &long)).await.unwrap()["error"]["code"], -32602);
    peer.close();
    for held in held {
        assert_eq!(held.await.unwrap(), None);
    }
    let late = peer.serve(&subscribe(1, "test://one")).await.unwrap();
    assert!(late["error"]["message"].as_str().unwrap().contains("shutting down"), "{late}");
    assert_eq!(peer.serve(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await, None);
}

#[tokio::test]
async fn a_server_without_resources_has_no_subscriptions() {
    let server = Server::builder("bare", "1").legacy_stdio().build().unwrap();
    let peer = Peer::at(&server, Channel::Shared);
    for method in ["resources/subscribe", "resources/unsubscribe", "resources/read", "tools/list"] {
        let answer = peer.ask(method, json!({"uri": "test://one"})).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
}
