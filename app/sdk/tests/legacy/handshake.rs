//! `initialize`, and doing without it.

use pm_mcp::{Channel, SUPPORTED_VERSIONS, Server};
use serde_json::{Value, json};

use crate::peer::Peer;
use crate::serving::{builder, server};

fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "old", "version": "0.9"}})
}

#[tokio::test]
async fn each_known_revision_is_agreed_on_and_an_unknown_one_gets_the_newest_of_them() {
    assert_eq!(Server::legacy_versions(), ["2025-11-25", "2025-06-18"]);
    let server = server();
    for (asked, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
    ] {
        let answer = Peer::at(&server, Channel::Shared).ask("initialize", initialize(asked)).await;
        assert_eq!(
            answer,
            json!({"jsonrpc": "2.0", "id": 1, "result": {
                "protocolVersion": agreed,
                "capabilities": {
                    "completions": {},
                    "prompts": {"listChanged": true},
                    "resources": {"listChanged": true, "subscribe": true},
                    "tools": {"listChanged": true},
                },
                "serverInfo": {"name": "legacy-test", "version": "1.2.3"},
                "instructions": "Call echo.",
            }}),
            "{asked}"
        );
    }
}

#[tokio::test]
async fn a_handshake_without_a_revision_is_told_which_there_are() {
    let server = server();
    let peer = Peer::at(&server, Channel::Shared);
    for params in [json!({}), json!({"protocolVersion": 7}), json!({"protocolVersion": null})] {
        let answer = peer.ask("initialize", params.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("2025-11-25") && message.contains("2025-06-18"), "{message}");
        assert_eq!(answer["error"]["data"]["supported"], json!(Server::legacy_versions()));
    }
}

#[tokio::test]
async fn unknown_capabilities_and_unknown_notifications_do_no_harm() {
    let server = server();
    let mut peer = Peer::at(&server, Channel::Shared);
    let capabilities =
        json!({"sampling": {}, "roots": {"listChanged": true}, "experimental": {"x": 1}, "dreams": {}});
    let mut params = initialize("2025-11-25");
    params["capabilities"] = capabilities;
    assert!(peer.ask("initialize", params).await["result"].is_object());
    let held = peer.hold(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(
        peer.serve(&json!({"jsonrpc": "2.0", "method": "notifications/made-up", "params": {}})).await,
        None
    );
    assert_eq!(peer.ask("ping", json!({})).await, json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    assert!(peer.has_received_nothing());
    peer.close();
    assert_eq!(held.await.unwrap(), None);
}

#[tokio::test]
async fn the_handshake_adds_the_clients_name_and_nothing_else_needs_it() {
    let server = server();
    let peer = Peer::at(&server, Channel::Shared);
    let whoami = || peer.ask("tools/call", json!({"name": "whoami"}));
    assert_eq!(whoami().await["result"]["content"][0]["text"], "nobody");
    assert_eq!(peer.ask("ping", json!({})).await["result"], json!({}));
    peer.ask("initialize", initialize("2025-06-18")).await;
    assert_eq!(whoami().await["result"]["content"][0]["text"], "old 0.9");
    let other = Peer::at(&server, Channel::Shared);
    let answer = other.ask("tools/call", json!({"name": "whoami"})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "nobody", "another channel has another client");
}

#[tokio::test]
async fn earlier_revisions_are_never_among_those_that_a_request_can_claim() {
    let server = server();
    let peer = Peer::of(&server, "2025-06-18").await;
    let discovered = peer.ask_now("server/discover", json!({})).await;
    assert_eq!(discovered["result"]["supportedVersions"], json!(SUPPORTED_VERSIONS));
    for version in Server::legacy_versions() {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let answer = peer.ask("tools/list", json!({"_meta": meta})).await;
        assert_eq!(answer["error"]["code"], -32022, "{answer}");
    }
}

#[tokio::test]
async fn nothing_of_it_is_there_without_the_hosts_consent_or_where_requests_have_responses_of_their_own() {
    let plain = Server::builder("plain", "1").build().unwrap();
    let with = builder().build().unwrap();
    for (server, channel) in
        [(&plain, Channel::Shared), (&plain, Channel::PerRequest), (&with, Channel::PerRequest)]
    {
        let peer = Peer::at(server, channel);
        let answer = peer.ask("initialize", initialize("2025-11-25")).await;
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("2026-07-28") && !message.contains("2025"), "{message}");
        assert_eq!(peer.ask("ping", json!({})).await["error"]["code"], -32601);
        assert_eq!(peer.ask("server/discover", json!({})).await["error"]["code"], -32602);
    }
}
