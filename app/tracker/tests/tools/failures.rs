//! What callers read when an operation fails or a call is refused.

use std::sync::Arc;

use serde_json::json;

use crate::client::Client;
use crate::memory::Memory;
use crate::sample;

#[tokio::test]
async fn failures_have_their_codes() {
    let (client, memory) = Client::sample().await;
    for (tool, arguments, code) in [
        ("pm_get", json!({"id": "zzzz"}), "item_not_found"),
        ("pm_get", json!({"id": "../up"}), "item_not_found"),
        ("pm_get", json!({"id": "torn"}), "item_unreadable"),
        ("pm_get", json!({"id": "t1", "at": 4}), "invalid_argument"),
        ("pm_get", json!({"id": "t1", "at": "2020-01-01"}), "invalid_argument"),
        ("pm_get", json!({"id": "t1", "at": "tomorrow"}), "invalid_argument"),
        ("pm_get", json!({"id": "gone"}), "item_not_found"),
        ("pm_get", json!({"id": "gone", "at": 2}), "item_not_found"),
        ("pm_get", json!({"id": "zzzz", "at": 1}), "item_not_found"),
        ("pm_context", json!({"parent": "zzzz"}), "item_not_found"),
        ("pm_next", json!({"parent": "zzzz"}), "item_not_found"),
        ("pm_list", json!({"parent": "zzzz"}), "item_not_found"),
        ("pm_list", json!({"updatedAfter": "soon"}), "invalid_argument"),
        ("pm_list", json!({"fields": ["titel"]}), "invalid_argument"),
        ("pm_list", json!({"fields": ["body"]}), "invalid_argument"),
        ("pm_search", json!({"query": "x", "updatedAfter": "soon"}), "invalid_argument"),
        ("pm_events", json!({"item": ["zzzz"]}), "item_not_found"),
        ("pm_graph", json!({"query": "ancestors"}), "invalid_argument"),
        ("pm_graph", json!({"query": "paths", "id": "t1"}), "invalid_argument"),
        ("pm_graph", json!({"query": "ancestors", "id": "zzzz"}), "item_not_found"),
    ] {
        let failure = client.failure(tool, arguments.clone()).await;
        assert_eq!(failure["code"], code, "{tool} {arguments}: {failure}");
        assert!(failure["message"].is_string() && failure["retryable"].is_boolean(), "{failure}");
    }
    memory.change(|content| content.torn_history = Some("demo-t1".to_owned()));
    assert_eq!(client.failure("pm_get", json!({"id": "t1", "at": 1})).await["code"], "history_unreadable");
    assert_eq!(client.call("pm_get", json!({"id": "t1"})).await["id"], "demo-t1", "the item itself is sound");
}

#[tokio::test]
async fn near_ids_and_fields_are_offered() {
    let (client, _) = Client::sample().await;
    let failure = client.failure("pm_get", json!({"id": "t9"})).await;
    let near = failure["details"]["near"].as_array().unwrap();
    assert_eq!(near.len(), 3);
    assert!(failure["hint"].as_str().unwrap().contains(near[0].as_str().unwrap()));
    let failure = client.failure("pm_list", json!({"fields": ["titel"]})).await;
    assert_eq!(failure["details"]["near"][0], "title");
}

#[tokio::test]
async fn a_workspace_that_is_gone_is_named_and_comes_back() {
    let (client, memory) = Client::sample().await;
    memory.change(|content| content.gone = true);
    for tool in ["pm_context", "pm_next", "pm_list", "pm_events", "pm_validate", "pm_health"] {
        let failure = client.failure(tool, json!({})).await;
        assert_eq!(
            (&failure["code"], &failure["retryable"]),
            (&json!("workspace_missing"), &json!(true)),
            "{tool}"
        );
        assert_eq!(failure["details"]["workspace"], "default");
    }
    memory.change(|content| content.gone = false);
    client.call("pm_next", json!({})).await;
}

#[tokio::test]
async fn arguments_against_the_schema_are_refused() {
    let (client, _) = Client::sample().await;
    for (tool, arguments, said) in [
        ("pm_list", json!({"limt": 3}), "limit"),
        ("pm_next", json!({"ready_only": true}), "readyOnly"),
        ("pm_list", json!({"limit": 201}), "limit"),
        ("pm_list", json!({"status": ["nonsense"]}), "status"),
        ("pm_list", json!({"workspace": "other"}), "workspace"),
        ("pm_search", json!({}), "query"),
        ("pm_get", json!({"id": 7}), "id"),
        ("pm_validate", json!({"fix": "yes"}), "fix"),
        ("pm_update", json!({"id": "demo-t1", "set": {"priority": 9}}), "priority"),
        ("pm_mutate", json!({"transactionId": "a/b", "mutations": [{"op": "delete"}]}), "transactionId"),
        ("pm_graph", json!({"query": "colour"}), "query"),
    ] {
        let error = client.refusal(tool, arguments.clone()).await;
        assert_eq!(error["code"], -32602, "{tool} {arguments}");
        assert!(error.to_string().contains(said), "{tool} {arguments}: {error}");
    }
}

#[tokio::test]
async fn workspaces_are_chosen_by_name() {
    let other = Memory::new(sample::workspace());
    other.change(|content| content.snapshot.items.retain(|id, _| id == "demo-c1"));
    let first = Arc::new(Memory::new(sample::workspace()));
    let client = Client::over(vec![("main", first), ("site", Arc::new(other))]).await;
    assert_eq!(client.call("pm_list", json!({})).await["total"], 15);
    assert_eq!(client.call("pm_list", json!({"workspace": "main"})).await["total"], 15);
    assert_eq!(client.call("pm_list", json!({"workspace": "site"})).await["total"], 1);
    assert_eq!(client.refusal("pm_list", json!({"workspace": "Site"})).await["code"], -32602);
}
