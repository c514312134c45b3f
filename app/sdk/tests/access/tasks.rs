//! Tasks ask for what their calls needed, and streams end with their tokens.

use std::time::Duration;

use pm_mcp::{Credential, Outbox, PeerGone, async_trait};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::support::Stage;

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
