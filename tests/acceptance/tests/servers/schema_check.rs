//! The schema check of the harness bites: without this, silence of the other tests would prove nothing.

use pm_mcp_acceptance::wire_schema;
use serde_json::{Value, json};

fn listed() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"resultType": "complete", "ttlMs": 1, "cacheScope": "private", "tools": []},
    })
}

#[test]
fn messages_that_do_not_fit_the_revision_are_seen() {
    let Some(schema) = wire_schema() else { return };
    assert_eq!(schema.check(&listed(), Some("tools/list")), Ok(()));
    for left_out in ["resultType", "ttlMs", "cacheScope", "tools"] {
        let mut message = listed();
        message["result"].as_object_mut().unwrap().remove(left_out);
        assert!(schema.check(&message, Some("tools/list")).is_err(), "without {left_out}");
    }
    let error =
        |code: i64, id: Value| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "m"}});
    assert_eq!(schema.check(&error(-32602, json!(1)), None), Ok(()));
    for (what, message) in [
        ("a null id", error(-32700, Value::Null)),
        ("an unknown code", error(-1, json!(1))),
        ("an unsupported version without its data", error(-32022, json!(1))),
        ("a request", json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})),
        ("an unknown notification", json!({"jsonrpc": "2.0", "method": "notifications/made-up"})),
        ("a result that nobody asked for", listed()),
    ] {
        assert!(schema.check(&message, None).is_err(), "{what}");
    }
}
