//! Paging to the end, and cursors that are used otherwise.

use serde_json::{Value, json};

use crate::client::{Client, ids};
use crate::sample::item;

async fn all(client: &Client, tool: &str, list: &str, arguments: Value) -> (Vec<String>, usize) {
    let (mut seen, mut pages, mut cursor) = (Vec::new(), 0, None::<Value>);
    loop {
        let mut arguments = arguments.clone();
        if let Some(cursor) = cursor {
            arguments["cursor"] = cursor;
        }
        let page = client.call(tool, arguments).await;
        seen.extend(ids(&page[list]).split_whitespace().map(str::to_owned));
        pages += 1;
        assert!(pages < 20, "pages do not end");
        match page.get("next_cursor") {
            Some(next) => cursor = Some(next.clone()),
            None => {
                assert_eq!(page["total"], seen.len());
                return (seen, pages);
            }
        }
    }
}

#[tokio::test]
async fn pages_neither_repeat_nor_leave_out() {
    let (client, _) = Client::sample().await;
    for (tool, list, arguments, wanted) in [
        ("pm_list", "items", json!({}), 15),
        ("pm_list", "items", json!({"sort": "title", "type": ["Task"]}), 8),
        ("pm_search", "hits", json!({"query": "task upload open"}), 14),
    ] {
        let mut whole = arguments.clone();
        whole["limit"] = json!(100);
        let (at_once, pages) = all(&client, tool, list, whole).await;
        assert_eq!((at_once.len(), pages), (wanted, 1), "{tool} {arguments}");
        for limit in [1, 4, 5] {
            let mut paged = arguments.clone();
            paged["limit"] = json!(limit);
            let (seen, pages) = all(&client, tool, list, paged).await;
            assert_eq!(seen, at_once, "{tool} by {limit}");
            assert_eq!(pages, wanted.div_ceil(limit));
        }
    }
}

#[tokio::test]
async fn a_cursor_is_good_for_its_own_list_only() {
    let (client, _) = Client::sample().await;
    let page = client.call("pm_list", json!({"limit": 2, "type": ["Task"]})).await;
    let cursor = &page["next_cursor"];
    let go_on = client
        .call("pm_list", json!({"limit": 3, "type": ["Task"], "cursor": cursor, "fields": ["id"]}))
        .await;
    assert_eq!(go_on["items"].as_array().unwrap().len(), 3, "how much is shown may change on the way");
    let named = json!({"limit": 2, "type": ["Task"], "cursor": cursor, "workspace": "default"});
    client.call("pm_list", named).await;
    for (tool, arguments) in [
        ("pm_list", json!({"cursor": cursor})),
        ("pm_list", json!({"cursor": cursor, "type": ["Task"], "sort": "id"})),
        ("pm_list", json!({"cursor": format!("{}x", cursor.as_str().unwrap()), "type": ["Task"]})),
        ("pm_search", json!({"query": "upload", "type": ["Task"], "cursor": cursor})),
        ("pm_events", json!({"since": cursor})),
    ] {
        assert_eq!(client.refusal(tool, arguments.clone()).await["code"], -32602, "{tool} {arguments}");
    }
}

#[tokio::test]
async fn a_cursor_ends_with_the_list_that_it_was_made_for() {
    let (client, memory) = Client::sample().await;
    let chores = json!({"limit": 1, "type": ["Issue"]});
    let tasks = json!({"limit": 1, "type": ["Task"]});
    let with = |arguments: &Value, page: &Value| {
        let mut arguments = arguments.clone();
        arguments["cursor"] = page["next_cursor"].clone();
        arguments
    };
    let (issues_page, tasks_page) =
        (client.call("pm_list", chores.clone()).await, client.call("pm_list", tasks.clone()).await);
    memory.change(|content| {
        let (id, added) = crate::memory::file(item(&json!({"id": "demo-t0", "priority": 0})));
        content.snapshot.items.insert(id, added);
    });
    client.call("pm_list", with(&chores, &issues_page)).await;
    let refused = client.refusal("pm_list", with(&tasks, &tasks_page)).await;
    assert_eq!(refused["code"], -32602, "an item before the page would be left out or come twice");
}

#[tokio::test]
async fn cursors_outlive_the_process_that_made_them() {
    let (before, after) = (Client::with_shared_key().await, Client::with_shared_key().await);
    let page = before.call("pm_list", json!({"limit": 4})).await;
    let rest = after.call("pm_list", json!({"limit": 100, "cursor": page["next_cursor"]})).await;
    assert_eq!(rest["items"].as_array().unwrap().len(), 11);
    let page = before.call("pm_search", json!({"query": "upload", "limit": 1})).await;
    after.call("pm_search", json!({"query": "upload", "limit": 1, "cursor": page["next_cursor"]})).await;
    let page = before.call("pm_events", json!({"since": "2026-03-02", "limit": 1})).await;
    let rest = after.call("pm_events", json!({"since": page["next_cursor"]})).await;
    assert_eq!(ids(&rest["events"]), "demo-t1 demo-gone");
}
