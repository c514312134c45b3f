//! What each tool answers where nothing is wrong. Every answer is checked against its tool's output schema on the
//! way, as the engine lets no other one pass.

use serde_json::{Value, json};

use crate::client::{Client, ids};
use crate::sample::item;

#[tokio::test]
async fn a_context_shows_what_matters() {
    let (client, _) = Client::sample().await;
    let context = client.call("pm_context", json!({})).await;
    assert_eq!(context["generated_at"], "2026-03-10T12:00:00.000Z");
    assert_eq!(
        context["counts"]["by_status"],
        json!({"blocked": 1, "canceled": 1, "closed": 1, "draft": 1, "in_progress": 1, "open": 10})
    );
    assert_eq!(context["counts"]["by_type"]["Task"], 8);
    assert_eq!(ids(&context["in_progress"]), "demo-t1");
    assert_eq!(ids(&context["high_level"]), "demo-e1 demo-f1");
    assert_eq!(ids(&context["blockers"]), "demo-t2 demo-t7");
    assert_eq!(context["blockers"][0]["holds_up"], json!(["demo-t3"]));
    assert_eq!(context["recent"][0]["id"], "demo-t1");
    assert_eq!(context["recent"][0]["version"], 3);
    assert_eq!(context["focus"]["id"], "demo-f1");
    assert_eq!(context["truncated"], json!({"recent": 15}));

    let brief = client.call("pm_context", json!({"depth": "brief", "limit": 1})).await;
    assert_eq!((&brief["recent"], &brief["high_level"]), (&json!([]), &json!([])));
    assert_eq!(brief["truncated"], json!({"blockers": 2}));
    let deep = client.call("pm_context", json!({"depth": "deep", "parent": "E1"})).await;
    assert_eq!(ids(&deep["high_level"]), "demo-f1");
    assert_eq!(
        (&deep["high_level"][0]["children"], &deep["high_level"][0]["open_children"]),
        (&json!(3), &json!(3))
    );
    assert_eq!(deep["counts"]["by_type"], json!({"Feature": 1, "Task": 3}));
}

#[tokio::test]
async fn the_next_item_comes_with_its_reasons_and_queues() {
    let (client, _) = Client::sample().await;
    let next = client.call("pm_next", json!({})).await;
    assert_eq!(next["recommended"]["item"]["id"], "demo-t2");
    assert_eq!(next["recommended"]["unblocks"], json!(["demo-t3"]));
    assert_eq!(next["recommended"]["reasons"][0], "priority 0");
    assert_eq!(ids(&next["ready"]), "demo-t2 demo-i1 demo-t7 demo-c1");
    assert_eq!(ids(&next["blocked"]), "demo-t3 demo-m1 demo-t4");
    assert_eq!(next["blocked"][0]["blockers"], json!([{"id": "demo-t2", "state": "open"}]));
    assert_eq!(next["blocked"][2]["blockers"], json!([{"id": "the vendor must answer", "state": "words"}]));
    assert_eq!(
        (ids(&next["decisions"]), ids(&next["held"])),
        ("demo-d1".to_owned(), "demo-t1 demo-h1".to_owned())
    );

    let mine = client.call("pm_next", json!({"assignee": "agent-7", "readyOnly": true, "limit": 1})).await;
    assert_eq!(ids(&mine["ready"]), "demo-t1");
    assert_eq!((&mine["blocked"], &mine["held"]), (&json!([]), &json!([])));
    assert_eq!(mine["totals"]["ready"], 5);
    let below = client.call("pm_next", json!({"parent": "f1", "type": "Task"})).await;
    assert_eq!(ids(&below["ready"]), "demo-t2");
    let nothing = client.call("pm_next", json!({"tag": "absent"})).await;
    assert!(nothing.get("recommended").is_none());
}

#[tokio::test]
async fn lists_are_filtered_sorted_and_narrowed_to_fields() {
    let (client, _) = Client::sample().await;
    for (arguments, wanted) in [
        (json!({"status": ["in_progress", "blocked"]}), "demo-t1 demo-t4"),
        (json!({"type": ["Issue", "Epic"]}), "demo-e1 demo-i1 demo-i2"),
        (json!({"tag": ["OPS"]}), "demo-c1"),
        (json!({"priority": [0, 4]}), "demo-t2 demo-c1"),
        (json!({"parent": "#F1"}), "demo-t1 demo-t2 demo-t3"),
        (json!({"assignee": "mira"}), "demo-h1"),
        (json!({"assignee": "", "type": ["Issue"]}), "demo-i1 demo-i2"),
        (json!({"updatedAfter": "2026-03-02"}), "demo-t1"),
        (json!({"parent": "f1", "sort": "-id"}), "demo-t3 demo-t2 demo-t1"),
        (json!({"status": ["in-review"]}), ""),
    ] {
        let page = client.call("pm_list", arguments.clone()).await;
        assert_eq!(ids(&page["items"]), wanted, "{arguments}");
        assert_eq!(page["total"].as_u64().unwrap(), page["items"].as_array().unwrap().len() as u64);
        assert!(page.get("next_cursor").is_none());
    }
    let fields = json!({"fields": ["title", "story_points", "deadline"], "tag": ["reliability"]});
    let page = client.call("pm_list", fields).await;
    assert_eq!(page["items"], json!([{"id": "demo-t1", "title": "Retry uploads", "story_points": 5}]));
    let row = client.call("pm_list", json!({"tag": ["reliability"]})).await;
    assert_eq!(
        row["items"],
        json!([{"id": "demo-t1", "type": "Task", "status": "in_progress", "priority": 1, "title": "Retry uploads",
            "parent": "demo-f1", "assignee": "agent-7", "tags": ["area:upload", "reliability"],
            "updated_at": "2026-03-02T08:09:30.250Z", "version": 3}])
    );
}

#[tokio::test]
async fn a_search_ranks_filters_and_follows_changes() {
    let (client, memory) = Client::sample().await;
    let page = client.call("pm_search", json!({"query": "upload error"})).await;
    assert_eq!(page["hits"][0]["item"]["id"], "demo-i1");
    assert_eq!(page["hits"][0]["matched"], json!(["title", "description"]));
    assert!(page["hits"][0]["score"].as_f64().unwrap() > page["hits"][1]["score"].as_f64().unwrap());
    let filtered = client.call("pm_search", json!({"query": "upload", "status": ["closed"]})).await;
    assert_eq!((ids(&filtered["hits"]), &filtered["total"]), ("demo-t6".to_owned(), &json!(1)));
    assert_eq!(client.call("pm_search", json!({"query": "zebra"})).await["total"], 0);

    memory.change(|content| {
        let (id, changed) = crate::memory::file(item(&json!({"id": "demo-c1", "title": "Feed the zebra"})));
        content.snapshot.items.insert(id, changed);
        content.snapshot.items.remove("demo-t6");
    });
    assert_eq!(ids(&client.call("pm_search", json!({"query": "zebra"})).await["hits"]), "demo-c1");
    assert_eq!(client.call("pm_search", json!({"query": "certificates"})).await["total"], 0);
    let closed = client.call("pm_search", json!({"query": "upload", "status": ["closed"]})).await;
    assert_eq!(closed["total"], 0);
}

#[tokio::test]
async fn an_item_is_shown_by_depth() {
    let (client, _) = Client::sample().await;
    let standard = client.call("pm_get", json!({"id": " #T1 "})).await;
    assert_eq!((&standard["id"], &standard["status"]), (&json!("demo-t1"), &json!("in_progress")));
    assert_eq!((&standard["story_points"], &standard["version"]), (&json!(5), &json!(3)));
    assert!(standard.get("body").is_none() && standard.get("comments").is_none());
    assert_eq!(standard["children"], json!({"total": 0, "open": 0, "sample": []}));
    let full = client.call("pm_get", json!({"id": "demo-t1", "depth": "full"})).await;
    assert_eq!(
        (&full["body"], &full["comments"][0]["text"]),
        (&json!("Seen on slow links."), &json!("Plan: 1s, 2s, 4s"))
    );
    let brief = client.call("pm_get", json!({"id": "f1", "depth": "brief"})).await;
    assert!(brief.get("created_at").is_none());
    assert_eq!(brief["description"], "");
    assert_eq!(brief["children"]["open"], 3);
    assert_eq!(
        brief["children"]["sample"][0],
        json!({"id": "demo-t1", "status": "in_progress", "title": "Retry uploads"})
    );
}

#[tokio::test]
async fn a_validation_runs_the_checks_that_are_asked_for() {
    let (client, _) = Client::sample().await;
    let all = client.call("pm_validate", json!({})).await;
    let names: Vec<&str> =
        all["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 9);
    assert_eq!(all["ok"], false, "a file with merge marks is wrong");
    let codes = |report: &Value, name: &str| -> Vec<String> {
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["name"] == name).unwrap();
        let findings = check["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    };
    assert!(codes(&all, "storage_integrity").contains(&"merge_unresolved".to_owned()));
    assert_eq!(codes(&all, "files"), ["link_missing"]);
    assert_eq!(codes(&all, "dependency_references"), ["reference_missing"]);
    assert_eq!(codes(&all, "normal_form"), ["not_in_normal_form"]);
    assert!(codes(&all, "history_drift").is_empty());

    let one = client.call("pm_validate", json!({"checks": ["files"]})).await;
    assert_eq!((one["checks"].as_array().unwrap().len(), &one["ok"]), (1, &json!(true)));
    let strict = client.call("pm_validate", json!({"checks": ["files"], "strict": true})).await;
    assert_eq!(strict["ok"], false);
}

#[tokio::test]
async fn health_tells_the_state_of_the_installation() {
    let (client, _) = Client::sample().await;
    let health = client.call("pm_health", json!({"skip": ["settings"]})).await;
    let checks = health["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 8);
    let check = |name: &str| checks.iter().find(|check| check["name"] == name).unwrap();
    assert_eq!(check("locks")["findings"][0]["code"], "lock_stale");
    assert_eq!(check("stale_work")["findings"][0]["item"], "demo-t1");
    assert_eq!(check("history")["counts"]["streams"], 16);
    assert_eq!(check("history")["counts"]["deleted"], 1);
    let brief = client.call("pm_health", json!({"brief": true})).await;
    let rows = brief["checks"].as_array().unwrap();
    assert!(rows.iter().all(|check| check["findings"] == json!([])));
    assert!(rows.iter().any(|check| check["counts"]["findings"] != 0));
}

#[tokio::test]
async fn every_question_on_the_graph_has_an_answer() {
    let (client, _) = Client::sample().await;
    for (arguments, wanted) in [
        (json!({"query": "ancestors", "id": "t1"}), "demo-f1 demo-e1"),
        (json!({"query": "descendants", "id": "demo-e1", "maxDepth": 1}), "demo-f1"),
        (json!({"query": "predecessors", "id": "t3"}), "demo-t2"),
        (json!({"query": "successors", "id": "t2"}), "demo-t3"),
        (json!({"query": "successors", "id": "nowhere", "kinds": ["related"]}), "demo-m1"),
    ] {
        let answer = client.call("pm_graph", arguments.clone()).await;
        assert_eq!(ids(&answer["nodes"]), wanted, "{arguments}");
    }
    for query in ["impact", "cycles", "critical_path", "centrality", "redundancy", "audit"] {
        let answer = client.call("pm_graph", json!({"query": query, "id": "demo-t2"})).await;
        assert_eq!(answer["query"], query);
    }
    let paths = client
        .call("pm_graph", json!({"query": "paths", "id": "t3", "target": "t1", "direction": "both"}))
        .await;
    assert_eq!(paths["paths"][0], json!(["demo-t3", "demo-f1", "demo-t1"]));
    let cut = client.call("pm_graph", json!({"query": "descendants", "id": "e1", "limit": 1})).await;
    assert_eq!(cut["truncated"], true);
}

#[tokio::test]
async fn graphs_are_drawn_beside_their_data() {
    let (client, _) = Client::sample().await;
    let arguments = json!({"query": "descendants", "id": "e1", "render": "mermaid"});
    let answer = client.request("tools/call", json!({"name": "pm_graph", "arguments": arguments})).await;
    let blocks = answer["result"]["content"].as_array().unwrap();
    assert_eq!(blocks.len(), 2, "{answer}");
    let text = blocks[1]["text"].as_str().unwrap();
    assert!(text.starts_with("flowchart ") && text.contains("demo-f1"), "{text}");
    assert_eq!(answer["result"]["structuredContent"]["query"], "descendants");

    let arguments = json!({"query": "descendants", "id": "e1", "render": "svg"});
    let answer = client.request("tools/call", json!({"name": "pm_graph", "arguments": arguments})).await;
    let image = &answer["result"]["content"][1];
    assert_eq!((&image["type"], &image["mimeType"]), (&json!("image"), &json!("image/svg+xml")));
    // `<svg` in Base64.
    assert!(image["data"].as_str().unwrap().starts_with("PHN2Zy"), "{image}");
    let refused = client.refusal("pm_graph", json!({"query": "cycles", "render": "png"})).await;
    assert_eq!(refused["code"], -32602);
}
