//! Plain answers: form, status, headers.

use serde_json::json;

use crate::support::{Server, call};

#[tokio::test]
async fn a_call_is_answered_by_one_json_object() {
    let server = Server::start().await;
    let reply = server.post("", &call("echo", json!("é"))).await;
    assert_eq!((reply.status, reply.json()), (200, json!({"id": 1, "result": "é"})));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert_eq!(reply.header("access-control-allow-origin"), None);
    assert_eq!(reply.header("mcp-session-id"), None);
}

#[tokio::test]
async fn the_status_of_the_answer_is_the_status_of_the_response() {
    let server = Server::start().await;
    for status in [200, 400, 404] {
        assert_eq!(server.post("", &call("status", json!(status))).await.status, status);
    }
}

#[tokio::test]
async fn a_notification_is_accepted_without_a_body() {
    let server = Server::start().await;
    let reply = server.post("", "{\"method\":\"note\"}").await;
    assert_eq!((reply.status, reply.body.as_str()), (202, ""));
}

#[tokio::test]
async fn a_connection_serves_one_request_after_another() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    for n in 0..20 {
        client.post("", &call("echo", json!(n))).await;
        assert_eq!(client.reply().await.json()["result"], n);
    }
    assert_eq!(server.script.calls.available_permits(), 20, "each request is served once");
}

#[tokio::test]
async fn a_panic_is_an_internal_error_and_the_connection_goes_on() {
    let server = Server::start().await;
    let mut client = server.connect().await;
    client.post("", &call("panic", json!(null))).await;
    let reply = client.reply().await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (500, &json!(-32603)));
    client.post("", &call("late_panic", json!(null))).await;
    let reply = client.reply().await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.events()[1]["error"]["code"], -32603);
    client.post("", &call("echo", json!(1))).await;
    assert_eq!(client.reply().await.status, 200);
}
