//! Questions of tasks, and their answers (field cases C42, C47, C48).

use pm_mcp::{Context, Execution, Form, NoArguments, Output, Server, ServerBuilder, tool};
use serde_json::{Value, json};

use crate::support::{Gate, Peer, Yes, accepted, nothing, stage};

fn one(builder: ServerBuilder) -> ServerBuilder {
    builder.tool(tool("one", "Asks.").execution(Execution::TaskOnly).handler(
        |ctx: Context, _: NoArguments| async move {
            let Yes { ok } = ctx.ask("name", Form::new("Well?")).await?;
            Ok(Output::text(format!("ok: {ok}")))
        },
    ))
}

fn server() -> Server {
    let builder = one(stage().0.volatile_tasks());
    builder
        .tool(tool("again", "Asks twice under one name.").execution(Execution::TaskOnly).handler(
            |ctx: Context, _: NoArguments| async move {
                let first: Yes = ctx.ask("name", Form::new("First?")).await?;
                let second: Yes = ctx.ask("name", Form::new("Second?")).await?;
                Ok(Output::text(format!("{} {}", first.ok, second.ok)))
            },
        ))
        .tool(tool("two", "Asks two at once.").execution(Execution::TaskOnly).handler(
            |ctx: Context, _: NoArguments| async move {
                let (a, b) =
                    tokio::join!(ctx.ask("a", Form::<Yes>::new("A?")), ctx.ask("b", Form::<Yes>::new("B?")));
                Ok(Output::text(format!("{} {}", a?.ok, b?.ok)))
            },
        ))
        .build()
        .unwrap()
}

fn ok(ok: bool) -> Value {
    accepted(json!({"ok": ok}))
}

/// Lets the workers go on until the task waits for answers to these questions.
async fn asking(peer: &Peer, id: &str, keys: &[&str]) -> Value {
    loop {
        let task = peer.task(id).await.result().clone();
        if let Some(asked) = task.get("inputRequests") {
            let asked: Vec<&String> = asked.as_object().unwrap().keys().collect();
            if asked == keys {
                return task;
            }
        }
        assert!(!["completed", "failed", "cancelled"].contains(&task["status"].as_str().unwrap()), "{task}");
        tokio::task::yield_now().await;
    }
}

async fn text(peer: &Peer, id: &str) -> String {
    loop {
        let task = peer.task(id).await.result().clone();
        match task["status"].as_str() {
            Some("completed") => return task["result"]["content"][0]["text"].as_str().unwrap().to_owned(),
            Some("working" | "input_required") => tokio::task::yield_now().await,
            _ => panic!("{task}"),
        }
    }
}

#[tokio::test]
async fn a_task_asks_waits_and_goes_on() {
    let server = server();
    for peer in Peer::both(&server).map(|peer| peer.with_tasks()) {
        let id = peer.start("one", nothing()).await;
        let task = asking(&peer, &id, &["name"]).await;
        assert_eq!(task["status"], "input_required");
        assert_eq!(task["inputRequests"]["name"]["method"], "elicitation/create");
        let heard = peer.update(&id, json!({"name": ok(true)})).await;
        let members: Vec<&String> = heard.result().as_object().unwrap().keys().collect();
        assert_eq!(members.len(), 2, "an empty acknowledgement: {members:?}");
        assert_eq!(text(&peer, &id).await, "ok: true");
    }
}

#[tokio::test]
async fn a_key_is_never_used_twice_and_a_late_answer_meets_nothing() {
    let server = server();
    let peer = Peer::stdio(&server).with_tasks();
    let id = peer.start("again", nothing()).await;
    asking(&peer, &id, &["name"]).await;
    peer.update(&id, json!({"name": ok(true)})).await.result();
    let second = loop {
        let task = peer.task(&id).await.result().clone();
        match task.get("inputRequests").and_then(Value::as_object) {
            Some(asked) => break asked.keys().next().unwrap().clone(),
            None => tokio::task::yield_now().await,
        }
    };
    assert_ne!(second, "name");
    peer.update(&id, json!({"name": ok(true)})).await.result();
    asking(&peer, &id, &[&second]).await;
    peer.update(&id, json!({second: ok(false)})).await.result();
    assert_eq!(text(&peer, &id).await, "true false");
}

#[tokio::test]
async fn answers_come_in_parts_and_odd_ones_change_nothing() {
    let server = server();
    let peer = Peer::http(&server).with_tasks();
    let id = peer.start("two", nothing()).await;
    let before = asking(&peer, &id, &["a", "b"]).await;
    for odd in [json!({}), json!({"c": ok(true)}), json!({"": 1, "x".repeat(500): null, "A": ok(true)})] {
        peer.update(&id, odd).await.result();
        assert_eq!(peer.task(&id).await.result(), &before);
    }
    for malformed in [json!([]), json!("a"), json!(null)] {
        let heard = peer.update(&id, malformed.clone()).await;
        assert_eq!(heard.code(), -32602, "{malformed}");
        assert!(heard.message().contains("inputResponses"), "{}", heard.message());
    }
    let heard = peer.update(&id, json!({"a": "yes", "b": ok(true)})).await;
    assert_eq!(heard.code(), -32602);
    assert!(heard.answer().to_string().contains("/inputResponses/a"), "{}", heard.answer());
    assert_eq!(peer.task(&id).await.result(), &before, "all of an update or nothing");

    peer.update(&id, json!({"b": ok(true)})).await.result();
    let rest = asking(&peer, &id, &["a"]).await;
    peer.update(&id, json!({"b": ok(false)})).await.result();
    assert_eq!(peer.task(&id).await.result(), &rest, "an answered question takes no second answer");
    peer.update(&id, json!({"a": ok(false)})).await.result();
    assert_eq!(text(&peer, &id).await, "false true");
    peer.update(&id, json!({"a": ok(true)})).await.result();
    assert_eq!(text(&peer, &id).await, "false true", "an ended task takes no answers");
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_again_under_another_key() {
    let server = server();
    let peer = Peer::stdio(&server).with_tasks();
    let id = peer.start("one", nothing()).await;
    let mut key = "name".to_owned();
    for wrong in [json!({}), accepted(json!({})), accepted(json!({"ok": 1})), json!({"action": "maybe"})] {
        asking(&peer, &id, &[&key]).await;
        peer.update(&id, json!({&key: wrong})).await.result();
        key = loop {
            let task = peer.task(&id).await.result().clone();
            match task.get("inputRequests").and_then(Value::as_object) {
                Some(asked) if !asked.contains_key(&key) => break asked.keys().next().unwrap().clone(),
                _ => tokio::task::yield_now().await,
            }
        };
    }
    peer.update(&id, json!({&key: ok(true)})).await.result();
    assert_eq!(text(&peer, &id).await, "ok: true");
}

#[tokio::test]
async fn a_question_that_the_worker_gives_up_is_taken_back() {
    let gate = Gate::new();
    let (hurry, go) = (gate.clone(), Gate::new());
    let last = go.clone();
    let server = stage()
        .0
        .volatile_tasks()
        .tool(tool("hasty", "Does not wait long.").execution(Execution::TaskOnly).handler(
            move |ctx: Context, _: NoArguments| {
                let (hurry, last) = (hurry.clone(), last.clone());
                async move {
                    tokio::select! {
                        _ = ctx.ask("name", Form::<Yes>::new("Well?")) => {}
                        () = hurry.pass() => {}
                    }
                    last.pass().await;
                    Ok(Output::text("went on"))
                }
            },
        ))
        .build()
        .unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    let id = peer.start("hasty", nothing()).await;
    asking(&peer, &id, &["name"]).await;
    gate.open();
    while peer.task(&id).await.result()["status"] != "working" {
        tokio::task::yield_now().await;
    }
    peer.update(&id, json!({"name": ok(true)})).await.result();
    go.open();
    assert_eq!(text(&peer, &id).await, "went on");
}

#[tokio::test]
async fn what_the_client_cannot_answer_ends_the_task_with_words() {
    let server = server();
    let peer = Peer::http(&server).able(json!({})).with_tasks();
    let id = peer.start("one", nothing()).await;
    loop {
        let task = peer.task(&id).await.result().clone();
        if task["status"] == "failed" {
            assert_eq!(task["error"]["code"], -32021);
            assert_eq!(task["error"]["data"]["requiredCapabilities"], json!({"elicitation": {"form": {}}}));
            return;
        }
        tokio::task::yield_now().await;
    }
}
