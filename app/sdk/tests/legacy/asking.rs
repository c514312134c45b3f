//! Handlers that ask, for clients that cannot be asked.

use serde_json::json;

use crate::peer::Peer;
use crate::serving::server;

#[tokio::test]
async fn a_handler_that_asks_is_refused_clearly_whatever_the_handshake_declared() {
    let server = server();
    for revision in ["2025-11-25", "2025-06-18"] {
        let mut peer = Peer::of(&server, revision).await;
        let answer = peer.ask("tools/call", json!({"name": "ask"})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("cannot be asked"), "{message}");
        // Answers that nobody asked for change nothing.
        let retry = json!({"name": "ask", "inputResponses": {"text": {"action": "accept", "content": {"text": "x"}}}});
        assert_eq!(peer.ask("tools/call", retry).await["error"]["code"], -32602);
        assert!(peer.has_received_nothing());
    }
}

#[tokio::test]
async fn a_handler_can_tell_such_a_client_and_do_something_else() {
    let server = server();
    let peer = Peer::of(&server, "2025-11-25").await;
    let answer = peer.ask("tools/call", json!({"name": "ask-or-not"})).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(answer["result"]["content"][0]["text"], "consent_unavailable");
    // A current client that declares nothing is told what it lacks.
    let answer = peer.ask_now("tools/call", json!({"name": "ask-or-not"})).await;
    assert_eq!(answer["error"]["code"], -32021, "{answer}");
}
