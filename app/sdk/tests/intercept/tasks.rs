//! Calls that go on as tasks.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{Context, Execution, NoArguments, Output, TimeLimit, ToolDraft};
use serde_json::json;

use crate::results::Redact;
use crate::stage::{Log, Probe, Stage, plain, waiting};

fn deferred() -> ToolDraft {
    plain("wait").execution(Execution::TaskOnly)
}

#[tokio::test]
async fn a_call_that_becomes_a_task_ends_twice_and_holds_on_until_the_second() {
    let (log, release) = (Log::default(), Arc::<tokio::sync::Notify>::default());
    let stage = Stage::new(|builder| {
        builder.volatile_tasks().interceptor(Probe::new("all", &log)).interceptor(Redact).tool(waiting(
            deferred(),
            &log,
            &release,
        ))
    });
    let created = stage.call("wait").await;
    let id = json!({"taskId": created["result"]["taskId"]});
    log.until("begins").await;
    assert_eq!(log.take(), ["all before tools/call wait", "all after task 0ms", "begins"]);
    stage.clock.advance(100);
    release.notify_one();
    log.until("all lets go").await;
    assert_eq!(log.take(), ["handler lets go", "all result", "all task after complete 100ms", "all lets go"]);
    let task = stage.request("tasks/get", id).await;
    assert_eq!(task["result"]["status"], "completed", "{task}");
    assert_eq!(task["result"]["result"]["content"][0]["text"], "[redacted]", "the store keeps no secret");
}

#[tokio::test]
async fn a_cancelled_task_ends_with_its_handler() {
    let log = Log::default();
    let stage = Stage::new(|builder| {
        let tool = {
            let log = log.clone();
            deferred().interceptor(Probe::new("tool", &log)).handler(
                move |context: Context, _: NoArguments| {
                    let log = log.clone();
                    async move {
                        log.push("begins");
                        context.cancelled().await;
                        log.push("stops");
                        Ok(Output::text("half of it"))
                    }
                },
            )
        };
        builder.volatile_tasks().interceptor(Probe::new("all", &log)).tool(tool)
    });
    let created = stage.call("wait").await;
    log.until("begins").await;
    log.take();
    stage.request("tasks/cancel", json!({"taskId": created["result"]["taskId"]})).await;
    log.until("tool lets go").await;
    let seen = log.take();
    let place = |line: &str| {
        let found: Vec<usize> = (0..seen.len()).filter(|place| seen[*place].starts_with(line)).collect();
        assert_eq!(found.len(), 1, "{line}: {seen:?}");
        found[0]
    };
    place("all before tasks/cancel");
    place("all after complete");
    assert!(place("stops") < place("tool task after cancelled 0ms"));
}

#[tokio::test]
async fn time_limits_leave_tasks_alone_unless_told() {
    for with_tasks in [false, true] {
        let (log, release) = (Log::default(), Arc::<tokio::sync::Notify>::default());
        let limit = TimeLimit::new("task_seconds", Duration::from_secs(2));
        let limit = if with_tasks { limit.with_tasks() } else { limit };
        let stage = Stage::new(|builder| {
            let tool = waiting(deferred().interceptor(limit), &log, &release);
            builder.volatile_tasks().interceptor(Probe::new("all", &log)).tool(tool)
        });
        let created = stage.call("wait").await;
        log.until("begins").await;
        stage.clock.advance(2_000);
        tokio::task::yield_now().await;
        release.notify_one();
        log.until("all lets go").await;
        let task = stage.request("tasks/get", json!({"taskId": created["result"]["taskId"]})).await;
        match with_tasks {
            false => assert_eq!(task["result"]["status"], "completed", "{task}"),
            true => {
                assert_eq!(task["result"]["status"], "failed", "{task}");
                let message = task["result"]["error"]["message"].as_str().unwrap();
                assert!(message.contains("(limit task_seconds)"), "{task}");
                assert!(log.take().contains(&"all task after failed -32603 2000ms".to_owned()));
            }
        }
    }
}
