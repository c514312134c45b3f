//! `notifications/tasks`: what `tasks/get` would answer, for those whose tasks they are.

use pm_mcp::{Context, Execution, Form, NoArguments, Output, Server, tool};
use serde_json::{Value, json};

use crate::support::{Exchange, Gate, Peer, Yes, accepted, nothing, stage};

fn server(go: &Gate) -> Server {
    let go = go.clone();
    stage()
        .0
        .volatile_tasks()
        .tool(tool("ask", "Asks and works.").execution(Execution::TaskOnly).handler(
            move |ctx: Context, _: NoArguments| {
                let go = go.clone();
                async move {
                    go.pass().await;
                    let Yes { ok } = ctx.ask("name", Form::new("Well?")).await?;
                    ctx.progress(1, Some(2.0), "half way");
                    go.pass().await;
                    Ok(Output::text(format!("ok: {ok}")))
                }
            },
        ))
        .build()
        .unwrap()
}

async fn listen(peer: &Peer, ids: &[&str]) -> (Exchange, Value) {
    let wanted = json!({"notifications": {"taskIds": ids}});
    let mut stream = peer.send(peer.request("s", "subscriptions/listen", wanted));
    let acknowledged = stream.next().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    let granted = acknowledged["params"]["notifications"].clone();
    (stream, granted)
}

/// The members of a task, without what belongs to the message around them.
fn members(of: &Value) -> Value {
    let mut task = of.as_object().unwrap().clone();
    task.remove("_meta");
    task.remove("resultType");
    Value::Object(task)
}

#[tokio::test]
async fn a_listener_hears_of_each_state_as_get_would_tell_it() {
    let go = Gate::new();
    let server = server(&go);
    for peer in Peer::both(&server).map(|peer| peer.with_tasks()) {
        let id = peer.start("ask", nothing()).await;
        let (mut stream, granted) = listen(&peer, &[&id]).await;
        assert_eq!(granted, json!({"taskIds": [id]}));
        let mut seen = Vec::new();
        go.open();
        loop {
            let notice = stream.next().await;
            assert_eq!(notice["method"], "notifications/tasks");
            assert_eq!(notice["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s");
            let task = members(&notice["params"]);
            let status = task["status"].as_str().unwrap().to_owned();
            if status != "working" || task.get("statusMessage").is_some() {
                let got = peer.task(&id).await;
                assert_eq!(task, members(got.result()), "nothing changes it before the test does");
            }
            match (status.as_str(), task.get("statusMessage")) {
                ("input_required", _) => {
                    peer.update(&id, json!({"name": accepted(json!({"ok": true}))})).await.result();
                    // Back to work; the report may take its place while it waits.
                }
                ("working", Some(message)) => {
                    assert_eq!(message, "half way");
                    go.open();
                }
                ("completed", _) => break assert_eq!(task["result"]["content"][0]["text"], "ok: true"),
                _ => {}
            }
            seen.push(status);
        }
        assert_eq!(seen.first().map(String::as_str), Some("input_required"));
        assert_eq!(seen.last().map(String::as_str), Some("working"));
        peer.close();
        let heard = stream.end().await;
        assert!(heard.before.is_empty(), "an ended task is told of no more");
        assert_eq!(heard.result()["resultType"], "complete");
    }
}

#[tokio::test]
async fn only_own_tasks_are_granted_and_only_with_the_extension() {
    let go = Gate::new();
    let server = server(&go);
    for peer in Peer::both(&server).map(|peer| peer.with_tasks()) {
        let bob = peer.acting_for("bob");
        let (own, foreign) = (peer.start("ask", nothing()).await, bob.start("ask", nothing()).await);
        let (mut stream, granted) = listen(&peer, &[&own, &foreign, "no-such-task"]).await;
        assert_eq!(granted, json!({"taskIds": [own]}));
        bob.cancel_task(&foreign).await.result();
        tokio::task::yield_now().await;
        assert!(stream.waiting().is_none(), "another's task is not told of");
        peer.cancel_task(&own).await.result();
        assert_eq!(stream.next().await["params"]["status"], "cancelled");
        drop(stream);

        let unable = peer.able(json!({}));
        let wanted = json!({"notifications": {"taskIds": [own]}});
        let heard = unable.ask("u", "subscriptions/listen", wanted).await;
        assert_eq!((heard.code(), heard.status()), (-32021, 400));
        let none = json!({"notifications": {"taskIds": [foreign]}});
        let mut stream = peer.send(peer.request("n", "subscriptions/listen", none));
        assert_eq!(stream.next().await["params"]["notifications"], json!({}));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_thing_heard_of_a_task_is_its_end() {
    let server = stage()
        .0
        .volatile_tasks()
        .tool(tool("busy", "Reports a lot.").execution(Execution::TaskOnly).handler(
            |ctx: Context, _: NoArguments| async move {
                for step in 0..20 {
                    ctx.progress(step, None, format!("step {step}"));
                    tokio::task::yield_now().await;
                }
                Ok(Output::text("done"))
            },
        ))
        .build()
        .unwrap();
    let mut heard = 0;
    for round in 0..500 {
        let peer = Peer::http(&server).with_tasks();
        let id = peer.start("busy", nothing()).await;
        let (stream, _) = listen(&peer, &[&id]).await;
        if round % 2 == 0 {
            peer.cancel_task(&id).await.result();
        }
        while peer.task(&id).await.result()["status"] == "working" {
            tokio::task::yield_now().await;
        }
        // Whoever cancels an ended task comes after whatever was told of its end.
        peer.cancel_task(&id).await.result();
        peer.close();
        let last = stream.end().await.before.pop().map(|notice| notice["params"]["status"].clone());
        // A task that ended before the stream began is told of no more.
        assert_ne!(last, Some(json!("working")), "round {round}");
        heard += usize::from(last.is_some());
    }
    assert!(heard > 100, "{heard} ends were heard");
}
