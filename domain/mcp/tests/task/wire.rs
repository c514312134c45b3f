//! Tasks as the extension spells them.

use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::task::{Lifetime, Task};
use pm_mcp_domain::wire::{
    Acknowledgement, CallToolResult, ContentBlock, CreatedTask, DetailedTask, Implementation, ResultBody,
    ResultResponse, ServerIdentity, task_result,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::support::*;

fn written(task: &Task) -> Value {
    serde_json::to_value(DetailedTask(task)).unwrap()
}

#[test]
fn each_status_brings_its_own_member_and_no_other() {
    for (name, task) in in_every_state() {
        let value = written(&task);
        assert_eq!(value["status"], name);
        let own = match name {
            "input_required" => Some("inputRequests"),
            "completed" => Some("result"),
            "failed" => Some("error"),
            _ => None,
        };
        for member in ["inputRequests", "result", "error"] {
            assert_eq!(value.get(member).is_some(), own == Some(member), "{name}: {member}");
        }
    }
}

#[test]
fn a_task_is_written_flat_with_times_and_spans() {
    assert_eq!(
        written(&task()),
        json!({
            "taskId": "task-0707070707070707070707070707070707070707",
            "status": "working",
            "statusMessage": "building",
            "createdAt": "2026-07-28T09:30:00.000Z",
            "lastUpdatedAt": "2026-07-28T09:30:00.000Z",
            "ttlMs": 60000,
            "pollIntervalMs": 500,
        })
    );
    let asking = after(&after(&task(), ask(&["b", "a"]), 250), supply(&["b"]), 500);
    let value = written(&asking);
    assert_eq!(value["lastUpdatedAt"], "2026-07-28T09:30:00.500Z");
    assert_eq!(value["inputRequests"], json!({"a": {"method": "roots/list"}}));
    let failed = written(&after(&task(), broke(), 1));
    assert_eq!(failed["error"], json!({"code": -32603, "message": "no such region", "data": null}));
}

#[test]
fn no_end_is_written_as_null() {
    let mut new = new_task();
    new.lifetime = Lifetime::Unlimited;
    new.status_message = None;
    let value = written(&Task::create(new, at(0)));
    assert_eq!(value.get("ttlMs"), Some(&Value::Null));
    assert_eq!(value.get("statusMessage"), None);
}

fn answered(body: &impl ResultBody) -> Value {
    let identity =
        ServerIdentity::new(Implementation { name: "demo".into(), title: None, version: "1".into() });
    let id = RawValue::from_string("1".to_owned()).unwrap();
    let id = RequestId::parse(&id).unwrap();
    serde_json::to_value(ResultResponse::of(id, &identity, body)).unwrap()["result"].clone()
}

#[test]
fn a_created_task_is_the_result_and_says_nothing_of_its_end() {
    for (name, task) in in_every_state() {
        let result = answered(&CreatedTask(&task));
        assert_eq!((&result["resultType"], &result["status"]), (&json!("task"), &json!(name)));
        for member in ["inputRequests", "result", "error", "task", "requestState"] {
            assert_eq!(result.get(member), None, "{name}: {member}");
        }
    }
}

#[test]
fn a_task_that_was_asked_for_is_a_complete_result() {
    assert_eq!(answered(&DetailedTask(&task()))["resultType"], "complete");
}

#[test]
fn an_acknowledgement_has_no_members_of_its_own() {
    let result = answered(&Acknowledgement);
    let mut members: Vec<&String> = result.as_object().unwrap().keys().collect();
    // Which order objects keep depends on what else is built along.
    members.sort();
    assert_eq!(members, ["_meta", "resultType"]);
}

#[test]
fn a_result_is_kept_as_its_own_response_would_have_it() {
    let body =
        CallToolResult { content: vec![ContentBlock::text("done")], is_error: true, ..Default::default() };
    let kept: Value = serde_json::from_str(task_result(&body).unwrap().as_str()).unwrap();
    let mut response = answered(&body);
    response.as_object_mut().unwrap().remove("_meta");
    assert_eq!(kept, response);
    assert_eq!(kept["resultType"], "complete");
}
