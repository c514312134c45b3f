use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::ident::{Principal, RequestId};
use crate::subscription::{Change, EncodedChange, Filter, FilterLimits, PendingStream, TaskState};
use crate::wire::{Implementation, ServerIdentity};

const IDS: [&str; 6] = ["1", "\"1\"", "9007199254740993", "-5", r#""a\"\\\u00e9""#, "\"é🙂\""];

fn with_id<T>(json: &str, check: impl FnOnce(RequestId<'_>) -> T) -> T {
    let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
    check(RequestId::parse(&raw).unwrap())
}

fn filter(json: &str) -> Filter {
    let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
    Filter::parse(Some(&raw), &FilterLimits::default()).unwrap()
}

/// The message as a value, after checks that hold for each: one line, and the id spelled as the peer spelled it.
fn read(message: &[u8], id: RequestId<'_>) -> Value {
    let text = core::str::from_utf8(message).unwrap();
    assert!(!text.contains(['\n', '\r']), "{text}");
    let tag = alloc::format!(r#""io.modelcontextprotocol/subscriptionId":{}"#, id.as_json());
    assert_eq!(text.matches(&tag).count(), 1, "{text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_acknowledgement_tells_the_id_and_what_is_granted() {
    let asked = r#"{"toolsListChanged":true,"promptsListChanged":false,"resourcesListChanged":true,
        "resourceSubscriptions":["file:///\"q\"\n","file:///\"q\"\n"],"taskIds":["t"]}"#;
    for id in IDS {
        with_id(id, |id| {
            let (live, message) = PendingStream::new(id, filter(asked)).acknowledge();
            assert_eq!(live.id(), id);
            assert_eq!(
                read(&message, id),
                json!({
                    "jsonrpc": "2.0",
                    "method": "notifications/subscriptions/acknowledged",
                    "params": {
                        "_meta": { "io.modelcontextprotocol/subscriptionId": id },
                        "notifications": {
                            "toolsListChanged": true,
                            "resourcesListChanged": true,
                            "resourceSubscriptions": ["file:///\"q\"\n"],
                            "taskIds": ["t"],
                        },
                    },
                })
            );
            let (_, message) = PendingStream::new(id, Filter::default()).acknowledge();
            assert_eq!(read(&message, id)["params"]["notifications"], json!({}));
        });
    }
}

#[test]
fn each_change_has_its_notification() {
    let state = r#"{"taskId":"t","status":"completed","result":{"content":[]}}"#;
    let task = |state: &str| Change::TaskChanged {
        task: "t".into(),
        principal: Principal::loopback(),
        state: TaskState::try_from(state).unwrap(),
    };
    let changes: Vec<(Change, &str, Value)> = Vec::from([
        (Change::ToolsListChanged, "notifications/tools/list_changed", json!({})),
        (Change::PromptsListChanged, "notifications/prompts/list_changed", json!({})),
        (Change::ResourcesListChanged, "notifications/resources/list_changed", json!({})),
        (
            Change::ResourceUpdated { uri: "file:///a?\"b\"\u{1}".into() },
            "notifications/resources/updated",
            json!({ "uri": "file:///a?\"b\"\u{1}" }),
        ),
        (task(state), "notifications/tasks", serde_json::from_str(state).unwrap()),
        (task("{\n}"), "notifications/tasks", json!({})),
    ]);
    for (change, method, mut params) in changes {
        let encoded = EncodedChange::new(&change);
        for id in IDS {
            with_id(id, |id| {
                let (live, _) = PendingStream::new(id, Filter::default()).acknowledge();
                params["_meta"] = json!({ "io.modelcontextprotocol/subscriptionId": id });
                let message = live.notification(&encoded);
                let wanted = json!({ "jsonrpc": "2.0", "method": method, "params": params });
                assert_eq!(read(&message, id), wanted);
                assert_eq!(message.len(), encoded.len() + id.as_json().len());
                assert_eq!(message.capacity(), message.len(), "one allocation, none of it spare");
            });
        }
    }
}

#[test]
fn the_final_result_answers_the_request_and_tells_the_id() {
    let identity = ServerIdentity::new(Implementation {
        name: "de\"mo".to_string(),
        title: None,
        version: "1".to_string(),
    });
    for id in IDS {
        with_id(id, |id| {
            let (live, _) = PendingStream::new(id, Filter::default()).acknowledge();
            assert_eq!(
                read(&live.end(&identity), id),
                json!({
                    "jsonrpc": "2.0",
                    "id": id,
                    "result": {
                        "resultType": "complete",
                        "_meta": {
                            "io.modelcontextprotocol/serverInfo": { "name": "de\"mo", "version": "1" },
                            "io.modelcontextprotocol/subscriptionId": id,
                        },
                    },
                })
            );
        });
    }
}
