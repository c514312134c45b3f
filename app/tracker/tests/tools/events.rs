//! Changes, read on from where one stopped.

use pm_tracker_domain::HistoryEntry;
use serde_json::{Value, json};

use crate::client::Client;

fn listed(page: &Value) -> Vec<String> {
    let events = page["events"].as_array().unwrap().iter();
    events
        .map(|event| {
            format!(
                "{}@{} {}",
                event["item_id"].as_str().unwrap(),
                event["version"],
                event["op"].as_str().unwrap()
            )
        })
        .collect()
}

#[tokio::test]
async fn the_latest_changes_come_without_a_place_and_all_from_a_time() {
    let (client, _) = Client::sample().await;
    let latest = client.call("pm_events", json!({"limit": 3})).await;
    assert_eq!(listed(&latest), ["demo-t1@2 claim", "demo-t1@3 comment_add", "demo-gone@2 delete"]);
    assert_eq!(latest["has_more"], false);
    assert_eq!(latest["events"][1]["message"], "First plan");
    assert_eq!(latest["events"][1]["patch_count"], 2);
    assert!(latest["events"][1].get("entry").is_none());
    let all = client.call("pm_events", json!({"since": "1970-01-01"})).await;
    assert_eq!(all["events"].as_array().unwrap().len(), 19);
    let later = client.call("pm_events", json!({"since": "2026-03-02T08:09:30.250Z"})).await;
    assert_eq!(listed(&later), ["demo-t1@3 comment_add", "demo-gone@2 delete"]);
}

#[tokio::test]
async fn changes_are_read_to_the_end_without_repeats_or_gaps() {
    let (client, _) = Client::sample().await;
    let whole = listed(&client.call("pm_events", json!({"since": "1970-01-01", "limit": 1000})).await);
    let (mut seen, mut since) = (Vec::new(), json!("1970-01-01"));
    loop {
        let page = client.call("pm_events", json!({"since": since, "limit": 4})).await;
        seen.extend(listed(&page));
        since = page["next_cursor"].clone();
        assert!(seen.len() <= whole.len());
        if page["has_more"] == false {
            break;
        }
    }
    assert_eq!(seen, whole);
}

#[tokio::test]
async fn what_is_new_is_heard_from_the_end_on() {
    let (client, memory) = Client::sample().await;
    let end = client.call("pm_events", json!({"limit": 0})).await;
    assert_eq!((&end["events"], &end["has_more"]), (&json!([]), &json!(false)));
    let nothing = client.call("pm_events", json!({"since": end["next_cursor"]})).await;
    assert_eq!(nothing["events"], json!([]));
    memory.change(|content| {
        let entry = json!({"ts": "2026-03-09T08:00:00.000Z", "author": "mira", "op": "update",
            "patch": [], "before_hash": "", "after_hash": ""});
        let entry = HistoryEntry::new(entry.as_object().unwrap().clone()).unwrap();
        content.histories.get_mut("demo-c1").unwrap().push(entry);
    });
    let waiting = client.call("pm_events", json!({"since": nothing["next_cursor"], "limit": 0})).await;
    assert_eq!((&waiting["events"], &waiting["has_more"]), (&json!([]), &json!(true)));
    let new = client.call("pm_events", json!({"since": waiting["next_cursor"]})).await;
    assert_eq!(listed(&new), ["demo-c1@2 update"]);
}

#[tokio::test]
async fn changes_are_filtered_and_shown_in_full() {
    let (client, _) = Client::sample().await;
    for (arguments, wanted) in [
        (json!({"item": ["t1", "gone"], "author": ["mira"]}), 3),
        (json!({"author": ["agent-7"]}), 2),
        (json!({"op": ["claim", "delete"]}), 2),
        (json!({"op": ["reopen"]}), 0),
    ] {
        let page = client.call("pm_events", arguments.clone()).await;
        assert_eq!(page["events"].as_array().unwrap().len(), wanted, "{arguments}");
    }
    let full = client.call("pm_events", json!({"op": ["claim"], "full": true})).await;
    assert_eq!(full["events"][0]["entry"]["patch"][0]["value"], "in-progress");
    let cursor = &full["next_cursor"];
    client.call("pm_events", json!({"op": ["claim"], "since": cursor})).await;
    assert_eq!(client.refusal("pm_events", json!({"since": cursor})).await["code"], -32602);
}
