//! Trace fields of all kinds.

use pm_mcp_acceptance::{HttpRequest, HttpServer, Project, call, meta};
use serde_json::{Value, json};

fn traced(parent: &Value, state: &str, baggage: &str) -> Value {
    let mut meta = meta();
    meta["traceparent"] = parent.clone();
    meta["tracestate"] = json!(state);
    meta["baggage"] = json!(baggage);
    let mut message = call(7, "pm_next", json!({}));
    message["params"]["_meta"] = meta;
    message
}

#[test]
fn c80_bad_trace_fields_are_dropped_and_the_call_succeeds() {
    let project = Project::small();
    let http = HttpServer::start(project.root(), &[("PM_MCP_LOG", "trace")]);
    let zero = "00-00000000000000000000000000000000-0000000000000000-01";
    let upper = "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01";
    let parents = [
        json!(zero),
        json!(upper),
        json!("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        json!("00-12"),
        json!(7),
    ];
    for parent in &parents {
        let answer = http.ask(&traced(parent, &"x=y,".repeat(2_500), "user=secretofmine"));
        assert!(answer["result"].is_object(), "{parent}: {answer}");
        let text = answer.to_string();
        assert!(!text.contains("secretofmine") && !text.contains("traceparent"), "nothing is echoed: {text}");
    }
    let in_header = HttpRequest::of(&call(8, "pm_next", json!({})))
        .with("traceparent", upper)
        .with("baggage", "user=secretofmine")
        .send(http.address());
    assert_eq!(in_header.status, 200);
    let ended = http.terminate();
    assert!(!ended.stderr.contains("secretofmine"), "{}", ended.stderr);
}
