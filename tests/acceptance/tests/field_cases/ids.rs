//! Ids of requests, and messages that have none.

use pm_mcp_acceptance::{HttpRequest, HttpServer, Project, StdioServer, request};
use serde_json::{Value, json};

fn with_id(id: &str) -> String {
    request(7, "tools/list", json!({})).to_string().replace("\"id\":7", &format!("\"id\":{id}"))
}

fn post(body: &str) -> HttpRequest {
    HttpRequest::post(body.into()).with("Mcp-Method", "tools/list")
}

#[test]
fn c17_and_c19_ids_come_back_with_their_type_to_the_last_digit() {
    let project = Project::small();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    let texts = [r#""1""#, r#""""#, r#""01""#, r#""é🙂""#];
    for id in texts.into_iter().chain(["1", "9007199254740993", "-1", "18446744073709551615"]) {
        let echoed = format!("\"id\":{id}");
        stdio.expect_answer(serde_json::from_str::<Value>(id).unwrap(), "tools/list");
        stdio.write(format!("{}\n", with_id(id)).as_bytes());
        let line = stdio.receive_line();
        assert!(line.contains(&echoed) && line.contains("\"result\""), "{line}");
        let message: Value = serde_json::from_str(&with_id(id)).unwrap();
        let reply = HttpRequest::of(&message).send(http.address());
        let text = String::from_utf8(reply.body).unwrap();
        assert!(reply.status == 200 && text.contains(&echoed) && text.contains("\"result\""), "{text}");
    }
}

#[test]
fn c18_and_c19_ids_of_no_use_are_refused_on_both_transports() {
    let project = Project::small();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    for id in ["null", "1.5", "true", "{}", "[]", "1e400", "-0.5"] {
        stdio.write(format!("{}\n", with_id(id)).as_bytes());
        let refused = stdio.receive();
        let code = refused["error"]["code"].as_i64().unwrap();
        assert!(matches!(code, -32600 | -32700), "{id}: {refused}");
        assert_eq!(refused.get("id"), None, "{refused}");
        let reply = post(&with_id(id)).send(http.address());
        assert_eq!((reply.status, reply.json()["error"]["code"].as_i64()), (400, Some(code)), "{id}");
    }
    assert!(stdio.ask(&request(8, "tools/list", json!({})))["result"].is_object());
}

#[test]
fn c20_bodies_that_are_no_request_are_never_accepted() {
    let http = HttpServer::of(&Project::small());
    for body in [r#""x""#, "42", "true", "null", "{}", r#"{"jsonrpc":"2.0"}"#] {
        let reply = post(body).send(http.address());
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32600)), "{body}");
    }
    let with_an_id = request(9, "notifications/cancelled", json!({"requestId": 1}));
    let reply = HttpRequest::of(&with_an_id).send(http.address());
    let answer: Value = reply.json();
    assert_eq!((reply.status, &answer["error"]["code"], &answer["id"]), (404, &json!(-32601), &json!(9)));
}
