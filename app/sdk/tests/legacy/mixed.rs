//! Both eras in one process.

use pm_mcp::Channel;
use serde_json::{Value, json};

use crate::peer::Peer;
use crate::serving::server;

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("tools/list", json!({})),
        ("tools/call", json!({"name": "echo", "arguments": {"text": "hi"}})),
        ("tools/call", json!({"name": "whoami"})),
        ("tools/call", json!({"name": "ask"})),
        ("resources/read", json!({"uri": "test://none"})),
        ("prompts/get", json!({"name": "greet", "arguments": {"name": "Ada"}})),
        (
            "initialize",
            json!({"protocolVersion": "2025-06-18", "clientInfo": {"name": "late", "version": "2"}}),
        ),
        ("server/discover", json!({})),
    ]
}

#[tokio::test]
async fn neither_era_changes_what_the_other_is_answered() {
    let server = server();
    // What each era answers when it is alone.
    let current = Peer::at(&server, Channel::Shared);
    let mut now = Vec::new();
    for (method, params) in calls() {
        now.push(current.ask_now(method, params).await);
    }
    let earlier = Peer::of(&server, "2025-11-25").await;
    let mut then = Vec::new();
    for (method, params) in calls() {
        then.push(earlier.ask(method, params).await);
    }
    // The same on one channel, one after the other and beside each other.
    let mixed = Peer::of(&server, "2025-11-25").await;
    for (index, (method, params)) in calls().into_iter().enumerate() {
        let first = mixed.ask_now(method, params.clone()).await;
        let second = mixed.ask(method, params.clone()).await;
        let third = mixed.ask_now(method, params).await;
        assert_eq!((&first, &second, &third), (&now[index], &then[index], &now[index]), "{method}");
    }
    let pairs = calls().into_iter().enumerate().map(|(index, (method, mut params))| {
        let (then_id, now_id) = (index * 2, index * 2 + 1);
        let old = json!({"jsonrpc": "2.0", "id": then_id, "method": method, "params": params});
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let new = json!({"jsonrpc": "2.0", "id": now_id, "method": method, "params": params});
        (mixed.hold(old), mixed.hold(new))
    });
    let pairs: Vec<_> = pairs.collect();
    for (index, (old, new)) in pairs.into_iter().enumerate() {
        let body = |answer: Value| (answer.get("result").cloned(), answer.get("error").cloned());
        // The client's name may come from either of the two handshakes by then.
        if calls()[index].1["name"] != "whoami" {
            assert_eq!(body(old.await.unwrap().unwrap()), body(then[index].clone()));
        }
        assert_eq!(body(new.await.unwrap().unwrap()), body(now[index].clone()));
    }
}

#[tokio::test]
async fn a_cursor_of_one_era_holds_in_the_other() {
    let server = crate::serving::builder().page_size(2).build().unwrap();
    let peer = Peer::of(&server, "2025-06-18").await;
    let first = peer.ask("tools/list", json!({})).await;
    let second = peer.ask_now("tools/list", json!({"cursor": first["result"]["nextCursor"]})).await;
    assert_eq!(first["result"]["tools"][1]["name"], "count");
    assert_eq!(second["result"]["tools"][0]["name"], "fail");
}
