//! How tasks end (field cases C41, C46, C49, C51).

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{
    Context, ErrorCode, Execution, HandlerFault, McpService, NoArguments, Output, Server, ServerBuilder,
    Shutdown, TaskSettings, TaskStore, ToolError, Transport, WorkerLiveness, async_trait, tool,
};
use pm_mcp_contract::VirtualClock;
use pm_mcp_domain::task::{TaskId, TaskLimits, TaskQuota};
use pm_mcp_memory::{Capacity, MemoryTaskStore, MemoryWorkerLiveness};
use serde_json::{Value, json};

use crate::support::{Gate, Peer, Watch, nothing, stage};

fn as_task(name: &str) -> pm_mcp::ToolDraft {
    tool(name, "Works.").execution(Execution::TaskOnly)
}

/// Lets the workers go on until the task has ended.
async fn ended(peer: &Peer, id: &str) -> Value {
    loop {
        let task = peer.task(id).await.result().clone();
        if !["working", "input_required"].contains(&task["status"].as_str().unwrap()) {
            return task;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn each_way_to_end_has_its_status() {
    let settings = TaskSettings {
        limits: TaskLimits { result_bytes: 2_000, ..TaskLimits::default() },
        ..TaskSettings::default()
    };
    let server = stage()
        .0
        .volatile_tasks()
        .task_settings(settings)
        .tool(as_task("good").handler(|_, _: NoArguments| async { Ok(Output::text("good")) }))
        .tool(
            as_task("ran-and-failed")
                .handler(|_, _: NoArguments| async { Err(ToolError::failed("no luck")) }),
        )
        .tool(as_task("fault").handler(|_, _: NoArguments| async {
            let (code, message, data) =
                (ErrorCode(-31_999), "not on Sundays".to_owned(), Some(json!({"day": 7})));
            Err::<Output, _>(ToolError::Fault(HandlerFault::Protocol { code, message, data }))
        }))
        .tool(as_task("panics").handler(|_, args: NoArguments| async move {
            if args == (NoArguments {}) {
                panic!("on purpose");
            }
            Ok(Output::text("not reached"))
        }))
        .tool(as_task("large").handler(|_, _: NoArguments| async { Ok(Output::text("x".repeat(3_000))) }))
        .tool(
            as_task("breaks-its-promise")
                .output_schema(json!({"type": "object", "required": ["sum"]}))
                .handler(|_, _: NoArguments| async { Ok(Output::json(json!({"total": 1}))) }),
        )
        .build()
        .unwrap();
    for peer in Peer::both(&server).map(|peer| peer.with_tasks()) {
        let run = async |tool: &str| {
            let id = peer.start(tool, nothing()).await;
            ended(&peer, &id).await
        };
        let good = run("good").await;
        assert_eq!(
            (&good["status"], &good["result"]["content"][0]["text"]),
            (&json!("completed"), &json!("good"))
        );
        let failed = run("ran-and-failed").await;
        assert_eq!((&failed["status"], &failed["result"]["isError"]), (&json!("completed"), &json!(true)));
        assert_eq!(failed["result"]["content"][0]["text"], "no luck");

        let fault = run("fault").await;
        assert_eq!(fault["status"], "failed");
        assert_eq!(fault["error"], json!({"code": -31_999, "message": "not on Sundays", "data": {"day": 7}}));
        let large = run("large").await;
        assert_eq!((&large["status"], &large["error"]["code"]), (&json!("failed"), &json!(-32603)));
        let words = large["error"]["message"].as_str().unwrap();
        assert!(words.contains("2000") && words.contains("result_bytes"), "{words}");
        for tool in ["panics", "breaks-its-promise"] {
            let task = run(tool).await;
            assert_eq!(
                (&task["status"], &task["error"]["code"]),
                (&json!("failed"), &json!(-32603)),
                "{tool}"
            );
            let words = task["error"]["message"].as_str().unwrap();
            assert!(words.contains("correlation=") && !words.contains("purpose"), "{words}");
        }
        assert_eq!(run("good").await["status"], "completed", "the server goes on");
    }
}

/// A tool that waits for the gate, watched, and one that heeds its cancellation.
fn waiting(builder: ServerBuilder, go: &Gate, gone: &Gate) -> ServerBuilder {
    let (go, gone) = (go.clone(), gone.clone());
    let watch = gone.clone();
    builder
        .tool(as_task("stubborn").handler(move |_: Context, _: NoArguments| {
            let (go, watch) = (go.clone(), Watch(gone.clone()));
            async move {
                let _watch = watch;
                go.pass().await;
                Ok(Output::text("done"))
            }
        }))
        .tool(as_task("heedful").handler(move |ctx: Context, _: NoArguments| {
            let watch = Watch(watch.clone());
            async move {
                let _watch = watch;
                ctx.cancelled().await;
                assert!(ctx.is_cancelled());
                Ok(Output::text("stopped"))
            }
        }))
}

#[tokio::test]
async fn a_cancelled_task_signals_its_worker_and_drops_what_comes_late() {
    let (go, gone) = (Gate::new(), Gate::new());
    let (builder, clock) = stage();
    let server = waiting(builder.volatile_tasks(), &go, &gone).build().unwrap();
    let peer = Peer::http(&server).with_tasks();
    for tool in ["stubborn", "heedful"] {
        let id = peer.start(tool, nothing()).await;
        tokio::task::yield_now().await;
        let heard = peer.cancel_task(&id).await;
        assert_eq!(heard.result()["resultType"], "complete");
        let cancelled = peer.task(&id).await.result().clone();
        assert_eq!(cancelled["status"], "cancelled");
        go.open();
        gone.pass().await;
        clock.advance(Duration::from_secs(1));
        for _ in 0..3 {
            peer.cancel_task(&id).await.result();
            tokio::task::yield_now().await;
            assert_eq!(peer.task(&id).await.result(), &cancelled, "{tool}");
        }
    }
}

#[tokio::test]
async fn cancelling_what_has_ended_changes_nothing() {
    let (builder, clock) = stage();
    let server = builder
        .volatile_tasks()
        .tool(as_task("good").handler(|_, _: NoArguments| async { Ok(Output::text("good")) }))
        .tool(as_task("bad").handler(|_, _: NoArguments| async {
            Err::<Output, _>(ToolError::Fault(HandlerFault::InvalidArgument("no".to_owned())))
        }))
        .tool(as_task("endless").handler(|_, _: NoArguments| std::future::pending()))
        .build()
        .unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    for (tool, status) in [("good", "completed"), ("bad", "failed"), ("endless", "cancelled")] {
        let id = peer.start(tool, nothing()).await;
        if status == "cancelled" {
            peer.cancel_task(&id).await.result();
        }
        let before = ended(&peer, &id).await;
        assert_eq!(before["status"], status);
        clock.advance(Duration::from_secs(1));
        let heard = peer.cancel_task(&id).await;
        let mut members: Vec<&String> = heard.result().as_object().unwrap().keys().collect();
        members.sort();
        assert_eq!(members, ["_meta", "resultType"], "an empty acknowledgement");
        assert_eq!(peer.task(&id).await.result(), &before, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_races_of_completion_and_cancellation_have_one_winner_each() {
    let server = stage()
        .0
        .task_store(MemoryTaskStore::with_capacity(Capacity { records: 20_000, ..Capacity::default() }))
        .task_settings(TaskSettings { quota: TaskQuota { per_principal: 20_000 }, ..TaskSettings::default() })
        .tool(as_task("good").handler(|_, _: NoArguments| async {
            tokio::task::yield_now().await;
            Ok(Output::text("good"))
        }))
        .build()
        .unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    let (mut completed, mut cancelled) = (0, 0);
    for round in 0..10_000 {
        let id = peer.start("good", nothing()).await;
        if round % 2 == 0 {
            tokio::task::yield_now().await;
        }
        peer.cancel_task(&id).await.result();
        let end = peer.task(&id).await.result().clone();
        match end["status"].as_str() {
            Some("completed") => completed += 1,
            Some("cancelled") => cancelled += 1,
            _ => panic!("{end}"),
        }
        if round % 10 == 0 {
            tokio::task::yield_now().await;
            assert_eq!(peer.task(&id).await.result(), &end);
        }
    }
    assert_eq!(completed + cancelled, 10_000);
    assert!(cancelled > 0, "{completed} completed, {cancelled} cancelled");
}

/// A transport that ends when it is told to.
struct Idle;

#[async_trait]
impl Transport for Idle {
    type Error = Infallible;

    async fn serve(self, _: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), Infallible> {
        shutdown.await;
        Ok(())
    }
}

#[tokio::test]
async fn a_shutdown_waits_for_tasks_and_ends_the_others_with_words() {
    let (go, gone) = (Gate::new(), Gate::new());
    let (builder, clock) = stage();
    let store = Arc::new(MemoryTaskStore::with_capacity(Capacity::default()));
    let server = waiting(builder.task_store(Arc::clone(&store)), &go, &gone).build().unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    let (done, lost) = (peer.start("stubborn", nothing()).await, peer.start("heedful", nothing()).await);
    let stop = Gate::new();
    let serving = {
        let (server, stop) = (server.clone(), stop.clone());
        tokio::spawn(async move { server.serve_until(Idle, async move { stop.pass().await }).await })
    };
    tokio::task::yield_now().await;
    stop.open();
    go.open();
    gone.pass().await;
    assert_eq!(ended(&peer, &done).await["status"], "completed", "what finishes within the grace is kept");
    assert!(!serving.is_finished());
    // The worker of the other one sleeps until its lease is due, the server until the end of the grace.
    clock.asleep(2).await;
    clock.advance(Duration::from_secs(5));
    gone.pass().await;
    serving.await.unwrap().unwrap();
    let task = ended(&peer, &lost).await;
    assert_eq!((&task["status"], &task["error"]["code"]), (&json!("failed"), &json!(-32603)));
    let words = task["error"]["message"].as_str().unwrap();
    assert!(words.contains("start a new task") && words.contains("not resumed"), "{words}");
}

fn at(clock: &VirtualClock, store: &Arc<MemoryTaskStore>, go: &Gate, gone: &Gate) -> Server {
    let builder = stage().0.clock(Arc::new(clock.clone())).entropy(Arc::new(pm_mcp::SystemEntropy::new()));
    waiting(builder.task_store(Arc::clone(store)), go, gone).build().unwrap()
}

#[tokio::test]
async fn a_task_whose_worker_is_gone_fails_and_is_never_run_again() {
    let (go, gone) = (Gate::new(), Gate::new());
    let store = Arc::new(MemoryTaskStore::with_capacity(Capacity::default()));
    // The clock of the first process stands still: it is cut off and does not renew its lease.
    let (stopped, running) = (VirtualClock::default(), VirtualClock::default());
    let first = Peer::stdio(&at(&stopped, &store, &go, &gone)).with_tasks();
    let second = Peer::http(&at(&running, &store, &go, &gone)).with_tasks();
    let id = first.start("stubborn", nothing()).await;
    assert_eq!(second.task(&id).await.result()["status"], "working", "found by the other process");
    running.advance(Duration::from_millis(29_999));
    assert_eq!(second.task(&id).await.result()["status"], "working");
    running.advance(Duration::from_millis(1));
    let task = second.task(&id).await.result().clone();
    assert_eq!(task["status"], "failed");
    assert!(task["error"]["message"].as_str().unwrap().contains("start a new task"), "{task}");
    go.open();
    gone.pass().await;
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    assert_eq!(second.task(&id).await.result(), &task, "what the lost worker still brings is dropped");
}

/// A task of a process that is killed while it works: its runtime goes, with everything in it.
fn killed_at_work(store: &Arc<MemoryTaskStore>, workers: &MemoryWorkerLiveness) -> String {
    let (store, workers) = (Arc::clone(store), workers.clone());
    let process = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (go, gone) = (Gate::new(), Gate::new());
            let server = aware(&store, &workers, &go, &gone);
            Peer::http(&server).with_tasks().start("stubborn", nothing()).await
        })
    });
    process.join().unwrap()
}

/// A server that knows who works on the tasks of its store; its clock stands still, so that no lease runs out.
fn aware(store: &Arc<MemoryTaskStore>, workers: &MemoryWorkerLiveness, go: &Gate, gone: &Gate) -> Server {
    let builder = stage().0.entropy(Arc::new(pm_mcp::SystemEntropy::new()));
    let builder = builder.task_store(Arc::clone(store)).worker_liveness(workers.clone());
    waiting(builder, go, gone).build().unwrap()
}

#[tokio::test]
async fn a_task_of_a_worker_known_to_be_gone_fails_before_its_lease_runs_out() {
    let store = Arc::new(MemoryTaskStore::with_capacity(Capacity::default()));
    let workers = MemoryWorkerLiveness::default();
    let (go, gone) = (Gate::new(), Gate::new());
    let living = Peer::http(&aware(&store, &workers, &go, &gone)).with_tasks();
    let goes_on = living.start("stubborn", nothing()).await;
    let (asked_for, left) = (killed_at_work(&store, &workers), killed_at_work(&store, &workers));
    let second = aware(&store, &workers, &go, &gone);
    let peer = Peer::http(&second).with_tasks();
    let task = peer.task(&asked_for).await.result().clone();
    assert_eq!(task["status"], "failed");
    assert!(task["error"]["message"].as_str().unwrap().contains("start a new task"), "{task}");
    // Nobody asks for the other one: it is ended for those who listen.
    let serving = tokio::spawn(async move { second.serve(Idle).await });
    let key = TaskId::parse(&left).unwrap();
    while !store.load(&key).await.unwrap().unwrap().record.finished {
        tokio::task::yield_now().await;
    }
    while !workers.gone().await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(peer.task(&goes_on).await.result()["status"], "working", "its worker lives");
    go.open();
    gone.pass().await;
    assert_eq!(ended(&living, &goes_on).await["status"], "completed");
    serving.abort();
}

#[tokio::test]
async fn sweeping_ends_what_nobody_works_on_and_removes_what_has_expired() {
    let (go, gone) = (Gate::new(), Gate::new());
    let store = Arc::new(MemoryTaskStore::with_capacity(Capacity::default()));
    let (stopped, running) = (VirtualClock::default(), VirtualClock::default());
    let first = Peer::stdio(&at(&stopped, &store, &go, &gone)).with_tasks();
    let id = first.start("stubborn", nothing()).await;
    let server = at(&running, &store, &go, &gone);
    let serving = tokio::spawn(async move { server.serve(Idle).await });
    let key = TaskId::parse(&id).unwrap();
    running.asleep(1).await;
    assert!(!store.load(&key).await.unwrap().unwrap().record.finished);
    running.advance(Duration::from_secs(30));
    while !store.load(&key).await.unwrap().unwrap().record.finished {
        tokio::task::yield_now().await;
    }
    running.asleep(1).await;
    running.advance(Duration::from_secs(3_600));
    while store.load(&key).await.unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    serving.abort();
}

#[tokio::test]
async fn a_worker_renews_its_lease_for_as_long_as_it_works() {
    let (go, gone) = (Gate::new(), Gate::new());
    let (builder, clock) = stage();
    let server = waiting(builder.volatile_tasks(), &go, &gone).build().unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    let id = peer.start("stubborn", nothing()).await;
    for _ in 0..20 {
        clock.asleep(1).await;
        clock.advance(Duration::from_secs(10));
    }
    clock.asleep(1).await;
    assert_eq!(peer.task(&id).await.result()["status"], "working");
    go.open();
    assert_eq!(ended(&peer, &id).await["status"], "completed");
}

#[tokio::test]
async fn a_server_that_renews_late_does_not_give_up_its_own_work() {
    let (go, gone) = (Gate::new(), Gate::new());
    let (builder, clock) = stage();
    let server = waiting(builder.volatile_tasks(), &go, &gone).build().unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    let id = peer.start("stubborn", nothing()).await;
    clock.asleep(1).await;
    // Far beyond the lease, and nothing had its turn in between.
    clock.advance(Duration::from_secs(300));
    assert_eq!(peer.task(&id).await.result()["status"], "working");
    go.open();
    assert_eq!(ended(&peer, &id).await["status"], "completed");
}
