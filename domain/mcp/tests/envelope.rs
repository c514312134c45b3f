//! Results that hosts compose themselves, and schemas that nobody can change afterwards.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_domain::wire::{Implementation, ServerIdentity, complete_result, with_cache_policy};
use serde_json::{Map, Value, json};

fn identity() -> ServerIdentity {
    ServerIdentity::new(Implementation { name: "demo".into(), title: None, version: "1".into() })
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn a_complete_result_keeps_what_is_there_and_adds_the_server() {
    let payload = object(json!({"answer": 42, "_meta": {"own": true}}));
    let result = complete_result(&identity(), payload).unwrap();
    assert_eq!(
        Value::Object(result),
        json!({
            "answer": 42,
            "resultType": "complete",
            "_meta": {"own": true, "io.modelcontextprotocol/serverInfo": {"name": "demo", "version": "1"}},
        })
    );
}

#[test]
fn a_payload_that_claims_another_result_type_is_refused() {
    for claimed in [json!("task"), json!("input_required"), json!("other"), json!(null), json!(7)] {
        let payload = object(json!({"resultType": claimed}));
        assert!(complete_result(&identity(), payload).is_err(), "{claimed}");
    }
    let complete = object(json!({"resultType": "complete"}));
    assert!(complete_result(&identity(), complete).is_ok());
}

#[test]
fn cache_hints_are_whole_numbers_and_one_of_two_scopes() {
    let hinted = with_cache_policy(Map::new(), CachePolicy::public(5));
    assert_eq!(Value::Object(hinted), json!({"ttlMs": 5, "cacheScope": "public"}));
}

#[test]
fn a_checked_schema_is_a_copy_that_its_maker_cannot_change() {
    let mut schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let checked = CheckedSchema::of_tool_input(&schema, &SchemaLimits::default()).unwrap();
    schema["properties"]["a"] = json!({"$ref": "#"});
    assert_eq!(checked.as_value()["properties"]["a"], json!({"type": "string"}));
}
