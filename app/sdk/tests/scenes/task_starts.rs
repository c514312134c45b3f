//! How calls become tasks, and for whom tasks are there (field cases C43, C44, C49).

use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{BuildError, Context, Execution, Form, NoArguments, Output, Server, ServerBuilder, tool};
use pm_mcp_contract::{Failure, Faulty, Operation, VirtualClock};
use pm_mcp_memory::{Capacity, MemoryTaskStore};
use serde_json::{Value, json};

use crate::support::{Gate, Peer, Yes, accepted, nothing, stage};

const ALL: [(&str, Execution); 4] = [
    ("inline", Execution::Inline),
    ("task", Execution::Task),
    ("task-only", Execution::TaskOnly),
    ("adaptive", Execution::Adaptive),
];

/// A tool of each kind, which pass the gate first.
fn tools(mut builder: ServerBuilder, gate: &Gate) -> ServerBuilder {
    for (name, execution) in ALL {
        let gate = gate.clone();
        builder = builder.tool(tool(name, "Works.").execution(execution).handler(
            move |_: Context, _: NoArguments| {
                let gate = gate.clone();
                async move {
                    gate.pass().await;
                    Ok(Output::text("done"))
                }
            },
        ));
    }
    builder
}

fn server() -> (Server, VirtualClock, Gate) {
    let (builder, clock) = stage();
    let gate = Gate::new();
    (tools(builder.volatile_tasks(), &gate).build().unwrap(), clock, gate)
}

#[tokio::test]
async fn each_execution_works_where_it_says() {
    let (server, _clock, gate) = server();
    for peer in Peer::both(&server) {
        for (name, _) in ALL {
            gate.open();
            let able = peer.with_tasks().call(name, nothing()).await;
            let kind = able.result()["resultType"].as_str().unwrap();
            let expected = if matches!(name, "task" | "task-only") { "task" } else { "complete" };
            assert_eq!(kind, expected, "{name}");
            gate.open();
            let unable = peer.call(name, nothing()).await;
            if name == "task-only" {
                assert_eq!((unable.code(), unable.status()), (-32021, 400));
                let required = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
                assert_eq!(unable.error()["data"]["requiredCapabilities"], required);
                gate.pass().await;
            } else {
                assert_eq!(unable.text(), "done", "{name}");
            }
        }
    }
}

#[tokio::test]
async fn a_handle_says_what_a_client_needs_and_no_more() {
    let (server, clock, gate) = server();
    let peer = Peer::http(&server).with_tasks();
    let heard = peer.call("task", nothing()).await;
    let handle = heard.result().as_object().unwrap();
    let mut members: Vec<&str> = handle.keys().map(String::as_str).collect();
    members.sort_unstable();
    let expected =
        ["_meta", "createdAt", "lastUpdatedAt", "pollIntervalMs", "resultType", "status", "taskId", "ttlMs"];
    assert_eq!(members, expected);
    assert_eq!(handle["status"], "working");
    assert_eq!((&handle["ttlMs"], &handle["pollIntervalMs"]), (&json!(3_600_000), &json!(1_000)));
    assert_eq!(handle["createdAt"], handle["lastUpdatedAt"]);
    let id = handle["taskId"].as_str().unwrap();
    assert!(id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{id}");
    assert_ne!(peer.start("task", nothing()).await, id);

    let got = peer.task(id).await;
    assert_eq!(got.result()["resultType"], "complete");
    assert_eq!(got.result()["status"], "working");
    clock.advance(Duration::from_secs(1));
    gate.open();
    gate.open();
    let done = finished(&peer, id).await;
    assert_eq!(done["status"], "completed");
    assert_eq!(done["result"]["content"][0]["text"], "done");
    assert_eq!(done["result"]["resultType"], "complete");
    assert_ne!(done["lastUpdatedAt"], done["createdAt"]);
    for method in ["tasks/list", "tasks/result"] {
        assert_eq!(peer.ask(1, method, json!({"taskId": id})).await.code(), -32601, "{method}");
    }
}

/// Lets the workers go on until the task is no longer worked on, and gives what `tasks/get` answers.
async fn finished(peer: &Peer, id: &str) -> Value {
    loop {
        let heard = peer.task(id).await;
        if heard.result()["status"] != "working" {
            return heard.result().clone();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn adaptive_work_becomes_a_task_exactly_at_its_budget() {
    let (server, clock, gate) = server();
    for peer in Peer::both(&server) {
        let able = peer.with_tasks();
        let call = able.send(able.request(1, "tools/call", json!({"name": "adaptive", "arguments": {}})));
        clock.asleep(2).await;
        clock.advance(Duration::from_millis(499));
        tokio::task::yield_now().await;
        assert!(!call.has_ended());
        clock.advance(Duration::from_millis(1));
        let heard = call.end().await;
        assert_eq!(heard.result()["resultType"], "task");
        let id = heard.result()["taskId"].as_str().unwrap().to_owned();
        gate.open();
        assert_eq!(finished(&able, &id).await["result"]["content"][0]["text"], "done", "the work went on");

        let call = peer.send(peer.request(2, "tools/call", json!({"name": "adaptive", "arguments": {}})));
        clock.asleep(1).await;
        clock.advance(Duration::from_secs(10));
        tokio::task::yield_now().await;
        assert!(!call.has_ended(), "a client that cannot wait for a task gets the result");
        gate.open();
        assert_eq!(call.end().await.text(), "done");
    }
}

#[tokio::test]
async fn without_a_store_there_are_no_tasks() {
    let gate = Gate::new();
    let refused = tools(stage().0, &gate).build().unwrap_err();
    assert!(
        matches!(refused, BuildError::Catalogue(pm_mcp_engine::BuildError::NoTaskStore(ref name)) if name == "task-only"),
        "{refused}"
    );
    let server = stage()
        .0
        .tool(
            tool("task", "Works.")
                .execution(Execution::Task)
                .handler(|_: Context, _: NoArguments| async { Ok(Output::text("done")) }),
        )
        .build()
        .unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    assert_eq!(peer.call("task", nothing()).await.text(), "done");
    assert_eq!(peer.task("any").await.code(), -32601);
    let discovered = peer.ask(1, "server/discover", json!({})).await;
    assert_eq!(discovered.result()["capabilities"].get("extensions"), None);
}

#[tokio::test]
async fn the_extension_is_asked_for_before_anything_is_looked_up() {
    let (server, _clock, _gate) = server();
    for peer in Peer::both(&server) {
        let id = peer.with_tasks().start("task", nothing()).await;
        for id in [&*id, "no-such-task", ""] {
            for heard in [peer.task(id).await, peer.update(id, json!({})).await, peer.cancel_task(id).await] {
                assert_eq!((heard.code(), heard.status()), (-32021, 400));
                let required = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
                assert_eq!(heard.error()["data"]["requiredCapabilities"], required);
            }
        }
        let discovered = peer.ask(1, "server/discover", json!({})).await;
        let extensions = &discovered.result()["capabilities"]["extensions"];
        assert_eq!(extensions, &json!({"io.modelcontextprotocol/tasks": {}}));
    }
}

#[tokio::test]
async fn an_unknown_a_foreign_and_an_expired_task_cannot_be_told_apart() {
    let (server, clock, _gate) = server();
    for peer in Peer::both(&server) {
        let ann = peer.with_tasks();
        let bob = ann.acting_for("bob");
        let id = ann.start("task", nothing()).await;
        let unknown = "0".repeat(id.len());
        let asked = async |peer: &Peer, id: &str| {
            [peer.task(id).await, peer.update(id, json!({"k": {}})).await, peer.cancel_task(id).await]
                .map(|heard| heard.error().clone())
        };
        let refused = asked(&ann, &unknown).await;
        assert!(refused.iter().all(|error| error["code"] == -32602), "{refused:?}");
        assert_eq!(asked(&ann, "../../etc/passwd").await, refused);
        assert_eq!(asked(&bob, &id).await, refused);
        assert_eq!(ann.task(&id).await.result()["status"], "working", "bob's cancellation did nothing");
        clock.advance(Duration::from_millis(3_599_999 - 20_000));
        // Nobody renews the lease while the clock leaps, and a task without a worker is a failed one.
        assert!(ann.task(&id).await.answer().get("result").is_some());
        clock.advance(Duration::from_millis(20_001));
        for peer in [&ann, &bob] {
            assert_eq!(asked(peer, &id).await, refused);
            let wanted = json!({"notifications": {"taskIds": [id, unknown]}});
            let mut stream = peer.send(peer.request("s", "subscriptions/listen", wanted));
            assert_eq!(stream.next().await["params"]["notifications"], json!({}), "none of them is there");
        }
    }
}

#[tokio::test]
async fn refusing_an_unknown_a_foreign_and_an_expired_task_takes_the_same_steps() {
    let (builder, clock) = stage();
    let store = Arc::new(Faulty::new(MemoryTaskStore::with_capacity(Capacity::default())));
    let gate = Gate::new();
    let server = tools(builder.task_store(Arc::clone(&store)), &gate).build().unwrap();
    let ann = Peer::http(&server).with_tasks();
    let bob = ann.acting_for("bob");
    let id = ann.start("task", nothing()).await;
    // A worker would look at the store on its own.
    gate.open();
    while ann.task(&id).await.result()["status"] != "completed" {}
    let steps = async |id: &str| {
        let calls = || [Operation::Load, Operation::Replace, Operation::Held].map(|one| store.calls(one));
        let before = calls();
        let asked = [bob.task(id).await, bob.update(id, json!({})).await, bob.cancel_task(id).await];
        assert!(asked.iter().all(|heard| heard.code() == -32602));
        calls().iter().zip(before).map(|(now, before)| now - before).collect::<Vec<_>>()
    };
    // Of the same form, so that it is looked for.
    let other = if id.ends_with('a') { "b" } else { "a" };
    let unknown = steps(&format!("{}{other}", &id[..id.len() - 1])).await;
    assert_eq!(unknown, [3, 0, 0], "it is looked for once in each request");
    assert_eq!(steps(&id).await, unknown, "a foreign one");
    clock.advance(Duration::from_millis(3_600_001));
    assert_eq!(steps(&id).await, unknown, "an expired one");
}

#[tokio::test]
async fn a_full_store_says_so_and_takes_tasks_again_later() {
    let (builder, _clock) = stage();
    let gate = Gate::new();
    let store = MemoryTaskStore::with_capacity(Capacity { records: 1, ..Capacity::default() });
    let server = tools(builder.task_store(store), &gate).build().unwrap();
    let peer = Peer::http(&server).with_tasks();
    peer.start("task", nothing()).await;
    let heard = peer.call("task", nothing()).await;
    assert_eq!(heard.code(), -32603);
    assert!(heard.message().contains("tasks") && heard.message().contains('1'), "{}", heard.message());
    gate.open();
    gate.open();
    assert_eq!(peer.call("inline", nothing()).await.text(), "done", "other calls go on");
}

#[tokio::test]
async fn no_handle_leaves_before_its_task_is_stored() {
    for failure in Failure::ALL {
        let (builder, _clock) = stage();
        let store = MemoryTaskStore::with_capacity(Capacity::default());
        let store = Arc::new(Faulty::new(store).failing(Operation::Create, 1, failure));
        let begun = Gate::new();
        let tell = begun.clone();
        let server = builder
            .task_store(Arc::clone(&store))
            .tool(tool("task", "Works.").execution(Execution::Task).handler(move |_, _: NoArguments| {
                tell.open();
                std::future::pending()
            }))
            .build()
            .unwrap();
        let peer = Peer::stdio(&server).with_tasks();
        let heard = peer.call("task", nothing()).await;
        assert_eq!(heard.code(), -32603, "{failure:?}");
        assert!(heard.message().contains("correlation="), "the cause is for the log: {}", heard.message());
        tokio::task::yield_now().await;
        assert!(begun.is_shut(), "{failure:?}: nothing was begun");
        peer.start("task", nothing()).await;
        begun.pass().await;
    }
}

#[tokio::test]
async fn questions_before_a_task_are_rounds_and_questions_in_it_are_its_own() {
    let (builder, _clock) = stage();
    let server = builder
        .volatile_tasks()
        .tool(tool("careful", "Asks first.").execution(Execution::Task).asks_before_task().handler(
            |ctx: Context, _: NoArguments| async move {
                let Yes { ok } = ctx.ask("begin", Form::new("Begin?")).await?;
                if !ok {
                    return Ok(Output::text("not begun"));
                }
                ctx.remember("began", true);
                ctx.start_task("at work").await?;
                let again: Yes = ctx.ask("begin", Form::new("Begin?")).await?;
                let more: Yes = ctx.ask("more", Form::new("More?")).await?;
                let began = ctx.recall("began");
                Ok(Output::text(format!("{} {} {began:?}", again.ok, more.ok)))
            },
        ))
        .build()
        .unwrap();
    let peer = Peer::http(&server).with_tasks();
    let state = peer.call("careful", nothing()).await.state();
    let no = json!({"begin": accepted(json!({"ok": false}))});
    assert_eq!(peer.retry("careful", nothing(), &state, no).await.text(), "not begun");

    let state = peer.call("careful", nothing()).await.state();
    let yes = json!({"begin": accepted(json!({"ok": true}))});
    let heard = peer.retry("careful", nothing(), &state, yes.clone()).await;
    assert_eq!(heard.result()["resultType"], "task");
    assert_eq!(heard.result()["statusMessage"], "at work");
    let id = heard.result()["taskId"].as_str().unwrap();
    let asking = finished(&peer, id).await;
    assert_eq!(asking["status"], "input_required");
    let asked: Vec<&String> = asking["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(asked, ["more"], "what was answered before the task is not asked again");
    peer.update(id, json!({"more": accepted(json!({"ok": false}))})).await.result();
    assert_eq!(finished(&peer, id).await["result"]["content"][0]["text"], "true false Some(Bool(true))");

    let unable = peer.able(json!({"elicitation": {}}));
    let state = unable.call("careful", nothing()).await.state();
    let state = unable.retry("careful", nothing(), &state, yes).await.state();
    let heard =
        unable.retry("careful", nothing(), &state, json!({"more": accepted(json!({"ok": true}))})).await;
    assert_eq!(
        heard.text(),
        "true true Some(Bool(true))",
        "a client without tasks is asked in rounds to the end"
    );
}
