//! Headers that repeat the body, and headers that do not.

use pm_mcp_acceptance::{HttpRequest, HttpServer, Project, call, request};
use serde_json::json;

#[test]
fn c37_encoded_names_are_compared_by_what_they_say() {
    let http = HttpServer::of(&Project::small());
    // "pm://items/日本" in Base64: the item is not there, so the answer of the tracker shows that the header passed.
    let read = HttpRequest::of(&request(7, "resources/read", json!({"uri": "pm://items/日本"})));
    let right = read.clone().with("Mcp-Name", "=?base64?cG06Ly9pdGVtcy/ml6XmnKw=?=").send(http.address());
    assert_eq!(right.json()["error"]["message"], "resource not found");
    for wrong in ["=?base64?cG06Ly9pdGVtcw==?=", "=?base64?%%%?=", "=?BASE64?cG06Ly9pdGVtcy/ml6XmnKw=?="] {
        let reply = read.clone().with("Mcp-Name", wrong).send(http.address());
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32020)), "{wrong}");
    }
    // A name that reads like an encoded one is encoded once more.
    let marker = request(7, "resources/read", json!({"uri": "=?base64?cG0=?="}));
    let encoded = "=?base64?PT9iYXNlNjQ/Y0cwPT89?=";
    let reply = HttpRequest::of(&marker).with("Mcp-Name", encoded).send(http.address());
    assert_eq!(reply.json()["error"]["message"], "resource not found", "{reply:?}");
}

#[test]
fn c38_a_header_that_differs_from_the_body_stops_the_request() {
    let http = HttpServer::of(&Project::small());
    let get = HttpRequest::of(&call(7, "pm_get", json!({"id": "demo-q7aa"})));
    let rows = [
        get.clone().with("Mcp-Name", "pm_next"),
        get.clone().with("Mcp-Method", "tools/list"),
        get.clone().without("MCP-Protocol-Version"),
        get.clone().with("MCP-Protocol-Version", "2025-11-25"),
    ];
    for request in rows {
        let reply = request.send(http.address());
        let answer = reply.json();
        assert_eq!((reply.status, &answer["error"]["code"]), (400, &json!(-32020)), "{request:?}");
        assert!(answer.get("result").is_none());
    }
    assert_eq!(get.send(http.address()).status, 200);
}

#[test]
fn c40_heads_out_of_bounds_cost_nothing() {
    let http = HttpServer::of(&Project::small());
    let list = HttpRequest::of(&request(7, "tools/list", json!({})));
    let session = list.clone().with("Mcp-Session-Id", &"s".repeat(8 << 10)).send(http.address());
    assert!(matches!(session.status, 200 | 400 | 431), "{session:?}");
    let beyond = list.clone().with("Mcp-Method", "tools/\u{fc}").send(http.address());
    assert_eq!(beyond.status, 400);
    for second in ["tools/list", "tools/call"] {
        let twice = list.clone().with_another("Mcp-Method", second).send(http.address());
        assert_eq!((twice.status, &twice.json()["error"]["code"]), (400, &json!(-32020)), "{second}");
    }
    assert_eq!(list.send(http.address()).status, 200);
}
