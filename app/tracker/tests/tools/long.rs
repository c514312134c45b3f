//! Tools that may take long: tasks for callers that know tasks, a limit for the others.

use serde_json::{Value, json};

use crate::client::Client;

async fn begin(client: &Client, tool: &str, arguments: Value) -> String {
    let answer = client.request_with_tasks("tools/call", json!({"name": tool, "arguments": arguments})).await;
    let result = &answer["result"];
    assert_eq!((&result["resultType"], &result["status"]), (&json!("task"), &json!("working")), "{answer}");
    result["taskId"].as_str().unwrap().to_owned()
}

/// The task, as soon as it is as wanted.
async fn until(client: &Client, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let answer = client.request_with_tasks("tasks/get", json!({"taskId": id})).await;
        let task = answer["result"].clone();
        assert!(task.is_object(), "{answer}");
        if wanted(&task) {
            return task;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn long_tools_are_tasks_for_who_knows_tasks() {
    let (client, _) = Client::impatient().await;
    for (tool, arguments) in [
        ("pm_validate", json!({})),
        ("pm_health", json!({"brief": true})),
        ("pm_graph", json!({"query": "cycles"})),
    ] {
        let id = begin(&client, tool, arguments).await;
        let task = until(&client, &id, |task| task["status"] == "completed").await;
        assert!(task["result"]["structuredContent"].is_object(), "{tool}: {task}");
    }
    let plain = client.request_with_tasks("tools/call", json!({"name": "pm_next", "arguments": {}})).await;
    assert_eq!(plain["result"]["resultType"], "complete", "no other tool becomes a task");
}

#[tokio::test]
async fn a_task_says_how_far_it_is_and_stops_when_it_is_cancelled() {
    let (client, memory) = Client::impatient().await;
    memory.change(|content| content.stuck = true);
    let id = begin(&client, "pm_validate", json!({"checks": ["history_drift"]})).await;
    // The check is held at its first history, so that the number stands still.
    let task = until(&client, &id, |task| task.get("statusMessage").is_some()).await;
    assert_eq!(task["statusMessage"], "checking histories: 1 of 4");
    client.request_with_tasks("tasks/cancel", json!({"taskId": id})).await;
    until(&client, &id, |task| task["status"] == "cancelled").await;
}

#[tokio::test]
async fn who_does_not_know_tasks_is_told_of_the_limit_and_the_extension() {
    let (client, memory) = Client::impatient().await;
    memory.change(|content| content.stuck = true);
    let failure = client.failure("pm_validate", json!({})).await;
    assert_eq!((&failure["code"], &failure["retryable"]), (&json!("foreground_limit"), &json!(false)));
    assert!(failure["hint"].as_str().unwrap().contains("io.modelcontextprotocol/tasks"), "{failure}");
    assert_eq!(failure["details"], json!({"limit_ms": 1, "extension": "io.modelcontextprotocol/tasks"}));
}
