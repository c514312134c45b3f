//! The limits of what a task asks and says: just below each, at it and one above, what its handler hears and what is counted.

use pm_mcp::{Context, Execution, Form, Limit, Output, Server, TaskLimits, TaskSettings, tool};
use serde_json::{Value, json};

use crate::support::{Peer, Yes, accepted, reached, stage};

fn server(limits: TaskLimits) -> Server {
    let (builder, _) = stage();
    builder
        .volatile_tasks()
        .task_settings(TaskSettings { limits, ..TaskSettings::default() })
        .tool(
            tool("ask", "Asks a number of questions of a length, says something before, and tells what it could not ask.")
                .execution(Execution::TaskOnly)
                .input_schema(json!({"type": "object"}))
                .handler(|ctx: Context, arguments: Value| async move {
                    let number = |name: &str| usize::try_from(arguments[name].as_u64().unwrap_or(0)).unwrap();
                    if let Some(said) = arguments["says"].as_str() {
                        ctx.progress(1, None, said);
                    }
                    let words = "?".repeat(number("length"));
                    for _ in 0..number("questions") {
                        let _: Yes = ctx.ask("sure", Form::new(words.as_str())).await?;
                    }
                    Ok(Output::text("asked"))
                }),
        )
        .build()
        .unwrap()
}

/// Answers all that a task asks until it ends.
async fn end(peer: &Peer, id: &str) -> Value {
    loop {
        let task = peer.task(id).await.result().clone();
        if let Some(asked) = task.get("inputRequests").and_then(Value::as_object) {
            let answers: Value = asked
                .keys()
                .map(|key| (key.clone(), accepted(json!({"ok": true}))))
                .collect::<serde_json::Map<_, _>>()
                .into();
            peer.update(id, answers).await;
        }
        if ["completed", "failed"].contains(&task["status"].as_str().unwrap()) {
            return task;
        }
        tokio::task::yield_now().await;
    }
}

/// Whether a task with these arguments completes; one that does not fails with words that name the limit.
async fn completes(limits: TaskLimits, arguments: Value, limit: Limit) -> bool {
    let server = server(limits);
    let peer = Peer::http(&server).with_tasks();
    let id = peer.start("ask", arguments).await;
    let task = end(&peer, &id).await;
    let completed = task["status"] == "completed";
    if !completed {
        let message = task["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("(limit {limit})")), "{message}");
        assert_eq!(task["error"]["code"], -32603);
    }
    for other in Limit::ALL {
        assert_eq!(reached(&server, other), u64::from(other == limit && !completed), "{other}");
    }
    completed
}

#[tokio::test]
async fn a_task_asks_as_often_as_the_limit_says_and_hears_of_it_at_one_more() {
    let limits = TaskLimits { questions: 3, ..TaskLimits::default() };
    for (questions, right) in [(2, true), (3, true), (4, false)] {
        let arguments = json!({"questions": questions});
        assert_eq!(completes(limits, arguments, Limit::TaskQuestions).await, right, "{questions}");
    }
}

#[tokio::test]
async fn a_question_is_as_long_as_the_limit_says_and_no_longer() {
    let server = server(TaskLimits::default());
    let peer = Peer::http(&server).with_tasks();
    let id = peer.start("ask", json!({"questions": 1, "length": 10})).await;
    let asked = loop {
        let task = peer.task(&id).await.result().clone();
        match task.get("inputRequests") {
            Some(asked) => break asked["sure"].to_string().len(),
            None => tokio::task::yield_now().await,
        }
    };
    let limits = TaskLimits { question_bytes: asked, ..TaskLimits::default() };
    for (length, right) in [(9, true), (10, true), (11, false)] {
        let arguments = json!({"questions": 1, "length": length});
        assert_eq!(completes(limits, arguments, Limit::TaskQuestionBytes).await, right, "{length}");
    }
}

#[tokio::test]
async fn a_status_message_is_as_long_as_the_limit_says_or_left_out_and_counted() {
    for (said, is_kept) in [("123", true), ("1234", true), ("12345", false)] {
        let server = server(TaskLimits { message_bytes: 4, ..TaskLimits::default() });
        let peer = Peer::http(&server).with_tasks();
        let id = peer.start("ask", json!({"says": said, "questions": 1})).await;
        // It asks after it has said something, so what was said is there by then, or was left out.
        let task = loop {
            let task = peer.task(&id).await.result().clone();
            let counted = reached(&server, Limit::TaskMessageBytes) > 0;
            if task.get("inputRequests").is_some() && (counted || task["statusMessage"] == said) {
                break task;
            }
            tokio::task::yield_now().await;
        };
        assert_eq!(task["statusMessage"] == said, is_kept, "{task}");
        assert_eq!(reached(&server, Limit::TaskMessageBytes), u64::from(!is_kept), "{said}");
        assert_eq!(end(&peer, &id).await["status"], "completed");
    }
}
