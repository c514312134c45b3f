//! Items as they were.

use serde_json::json;

use crate::client::Client;

#[tokio::test]
async fn an_item_is_shown_at_a_version_and_at_a_time() {
    let (client, _) = Client::sample().await;
    let claimed = json!({"status": "in_progress", "assignee": "agent-7"});
    let open = json!({"status": "open"});
    for (at, version, wanted) in [
        (json!(1), 1, &open),
        (json!("2"), 2, &claimed),
        (json!(3), 3, &claimed),
        (json!("2026-03-02"), 1, &open),
        (json!("2026-03-02T08:05:00Z"), 2, &claimed),
        (json!("2026-03-02T10:00:00+01:00"), 3, &claimed),
    ] {
        let item = client.call("pm_get", json!({"id": "t1", "at": at, "depth": "full"})).await;
        assert_eq!(item["version"], version, "{at}");
        assert_eq!(
            (&item["status"], item.get("assignee")),
            (&wanted["status"], wanted.get("assignee")),
            "{at}"
        );
        assert_eq!(item.get("comments").is_some(), version == 3, "{at}");
        assert_eq!(item["body"], "Seen on slow links.");
        assert!(item.get("children").is_none());
    }
}

#[tokio::test]
async fn a_deleted_item_is_shown_as_it_was_before() {
    let (client, _) = Client::sample().await;
    let item = client.call("pm_get", json!({"id": "gone", "at": 1})).await;
    assert_eq!((&item["id"], &item["title"]), (&json!("demo-gone"), &json!("Given up")));
    let failure = client.failure("pm_get", json!({"id": "gone", "at": "2026-03-05"})).await;
    assert_eq!(failure["details"], json!({"id": "demo-gone", "version": 2}));
}
