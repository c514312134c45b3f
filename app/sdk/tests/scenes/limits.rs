//! Every limit of the engine: just below it, at it and one above, with a refusal that names it and a count of its own.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{
    Context, Execution, HubLimits, LifetimeLimits, Limit, Limits, NoArguments, Output, RequestLimits, Server,
    TaskLimits, TaskQuota, TaskSettings, TimeToLive, tool,
};
use pm_mcp_contract::{Failure, Faulty, Operation, VirtualClock};
use pm_mcp_memory::{Capacity, MemoryTaskStore};
use serde_json::{Value, json};

use crate::support::{Gate, Peer, nothing, reached, stage};

fn with_limits(limits: Limits, tasks: TaskSettings) -> (Server, VirtualClock, Gate, Gate) {
    let (started, gate) = (Gate::new(), Gate::new());
    let (begun, opened) = (started.clone(), gate.clone());
    let (builder, clock) = stage();
    let server = builder
        .limits(limits)
        .task_settings(tasks)
        .task_store(MemoryTaskStore::with_capacity(Capacity { records: 10, ..Capacity::default() }))
        .tool(tool("wait", "Waits.").handler(move |_, _: NoArguments| {
            let (begun, opened) = (begun.clone(), opened.clone());
            async move {
                begun.open();
                opened.pass().await;
                Ok(Output::text("waited"))
            }
        }))
        .tool(
            tool("say", "Says a text of a length.")
                .execution(Execution::TaskOnly)
                .input_schema(json!({"type": "object", "properties": {"length": {"type": "integer"}}}))
                .handler(|_: Context, arguments: Value| async move {
                    let length = usize::try_from(arguments["length"].as_u64().unwrap_or(0)).unwrap();
                    Ok(Output::text("x".repeat(length)))
                }),
        )
        .build()
        .unwrap();
    (server, clock, started, gate)
}

#[tokio::test]
async fn requests_above_the_limit_are_refused_until_one_is_answered() {
    let requests = RequestLimits { requests: 2, ..RequestLimits::default() };
    let (server, _, started, gate) =
        with_limits(Limits { requests, ..Limits::default() }, TaskSettings::default());
    for peer in Peer::both(&server) {
        let before = reached(&server, Limit::Requests);
        let call =
            |id: u64| peer.send(peer.request(id, "tools/call", json!({"name": "wait", "arguments": {}})));
        let open = [call(1), call(2)];
        started.pass().await;
        started.pass().await;
        let refused = peer.ask(3, "server/discover", json!({})).await;
        assert_eq!((refused.status(), refused.code()), (503, -32603));
        assert!(refused.message().contains("(limit requests)"), "{refused:?}");
        assert_eq!(reached(&server, Limit::Requests), before + 1);
        // Streams have limits of their own.
        let mut stream = peer.send(peer.request(
            4,
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        ));
        assert_eq!(stream.next().await["method"], "notifications/subscriptions/acknowledged");
        drop(stream);
        gate.open();
        gate.open();
        for exchange in open {
            assert_eq!(exchange.end().await.text(), "waited");
        }
        assert_eq!(peer.ask(5, "server/discover", json!({})).await.status(), 200);
    }
}

#[tokio::test]
async fn a_request_that_is_given_up_leaves_its_place() {
    let requests = RequestLimits { requests_per_principal: 1, ..RequestLimits::default() };
    let (server, _, started, _) =
        with_limits(Limits { requests, ..Limits::default() }, TaskSettings::default());
    let peer = Peer::http(&server);
    for _ in 0..3 {
        let waiting = peer.send(peer.request(1, "tools/call", json!({"name": "wait", "arguments": {}})));
        started.pass().await;
        let refused = peer.ask(2, "server/discover", json!({})).await;
        assert_eq!(refused.status(), 429);
        assert!(refused.message().contains("(limit requests_per_principal)"), "{refused:?}");
        drop(waiting);
        while peer.ask(3, "server/discover", json!({})).await.status() != 200 {
            tokio::task::yield_now().await;
        }
    }
    assert!(reached(&server, Limit::RequestsPerPrincipal) >= 3);
}

#[tokio::test]
async fn messages_may_be_as_deep_as_the_limit_and_no_deeper() {
    let limits = Limits { json_depth: 8, ..Limits::default() };
    let (server, ..) = with_limits(limits, TaskSettings::default());
    // The message, its params and its _meta are three levels.
    let nested = |levels: usize| {
        let inner = (0..levels - 2).fold(json!(1), |inner, _| json!([inner]));
        json!({"_meta": {"com.example/x": 1}, "cursor": null, "x": inner})
    };
    for peer in Peer::both(&server) {
        let before = reached(&server, Limit::JsonDepth);
        for (levels, is_read) in [(7, true), (8, true), (9, false)] {
            let heard = peer.ask(1, "server/discover", nested(levels)).await;
            assert_eq!(heard.status() == 200, is_read, "{levels}: {heard:?}");
            if !is_read {
                assert_eq!((heard.status(), heard.code()), (400, -32600));
                assert!(heard.message().contains("8 levels (limit json_depth)"), "{heard:?}");
            }
        }
        assert_eq!(reached(&server, Limit::JsonDepth), before + 1);
    }
}

#[tokio::test]
async fn a_request_may_take_its_time_and_no_longer() {
    let limits = Limits { request_time: Duration::from_secs(60), ..Limits::default() };
    let (server, clock, started, gate) = with_limits(limits, TaskSettings::default());
    let peer = Peer::http(&server);
    let call = || peer.send(peer.request(1, "tools/call", json!({"name": "wait", "arguments": {}})));
    let waiting = call();
    started.pass().await;
    clock.asleep(1).await;
    clock.advance(Duration::from_millis(59_999));
    gate.open();
    assert_eq!(waiting.end().await.text(), "waited");
    assert_eq!(reached(&server, Limit::RequestTime), 0);
    let waiting = call();
    started.pass().await;
    clock.asleep(1).await;
    clock.advance(Duration::from_secs(60));
    let heard = waiting.end().await;
    assert!(heard.message().contains("60000 ms (limit request_time)"), "{heard:?}");
    assert_eq!(reached(&server, Limit::RequestTime), 1);
}

#[tokio::test]
async fn streams_above_a_limit_are_refused_and_counted() {
    let hub = HubLimits { streams: 3, streams_per_principal: 2, id_bytes: 4, ..HubLimits::default() };
    let (server, ..) = with_limits(Limits { hub, ..Limits::default() }, TaskSettings::default());
    let peer = Peer::http(&server);
    let listen = |peer: &Peer, id: Value| {
        peer.send(peer.request(
            id,
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        ))
    };
    let mut open = Vec::new();
    for id in ["a", "bb"] {
        let mut stream = listen(&peer, json!(id));
        stream.next().await;
        open.push(stream);
        assert_eq!(reached(&server, Limit::StreamsPerPrincipal), 0, "{id}");
    }
    let refused = listen(&peer, json!("c")).end().await;
    assert!(
        refused.message().contains("2 subscription streams (limit streams_per_principal)"),
        "{refused:?}"
    );
    let mut third = listen(&peer.acting_for("bob"), json!("d"));
    third.next().await;
    let refused = listen(&peer.acting_for("eve"), json!("e")).end().await;
    assert!(refused.message().contains("3 subscription streams (limit streams)"), "{refused:?}");
    open.pop();
    drop(open.pop());
    let refused = listen(&peer, json!("fff")).end().await;
    assert!(refused.message().contains("4 bytes (limit id_bytes)"), "{refused:?}");
    for limit in [Limit::StreamsPerPrincipal, Limit::Streams, Limit::StreamIdBytes] {
        assert_eq!(reached(&server, limit), 1, "{limit}");
    }
}

/// C44.
#[tokio::test]
async fn c44_one_principal_cannot_take_the_room_of_others() {
    let longest = TimeToLive::from_ms(7 * 24 * 3_600_000);
    let tasks = TaskSettings {
        lifetime: LifetimeLimits::new(longest, longest).unwrap(),
        quota: TaskQuota { per_principal: 3 },
        ..TaskSettings::default()
    };
    let (server, clock, ..) = with_limits(Limits::default(), tasks);
    let ann = Peer::http(&server).with_tasks();
    for held in 1..=3 {
        ann.start("say", nothing()).await;
        assert_eq!(reached(&server, Limit::TasksPerPrincipal), 0, "{held}");
    }
    for more in 1..=5 {
        let refused = ann.call("say", nothing()).await;
        assert_eq!(
            (refused.status(), refused.code()),
            (200, -32603),
            "outside of what the revision reserves"
        );
        assert!(refused.message().contains("3 tasks at a time (limit tasks_per_principal)"), "{refused:?}");
        assert_eq!(reached(&server, Limit::TasksPerPrincipal), more);
    }
    let bob = ann.acting_for("bob");
    let of_bob = bob.start("say", nothing()).await;
    assert_eq!(bob.task(&of_bob).await.status(), 200);
    // What has ended counts until it is removed.
    clock.advance(Duration::from_secs(7 * 24 * 3_600 + 1));
    sweep(&server).await;
    ann.start("say", nothing()).await;
}

#[tokio::test]
async fn many_calls_at_the_same_moment_do_not_go_over_the_quota() {
    let tasks = TaskSettings { quota: TaskQuota { per_principal: 4 }, ..TaskSettings::default() };
    let (server, ..) = with_limits(Limits::default(), tasks);
    let peer = Peer::http(&server).with_tasks();
    let calls: Vec<_> = (0..20)
        .map(|id| peer.send(peer.request(id, "tools/call", json!({"name": "say", "arguments": {}}))))
        .collect();
    let mut made = 0;
    for call in calls {
        made += usize::from(call.end().await.answer().get("result").is_some());
    }
    assert!((1..=4).contains(&made), "{made} tasks were made");
}

#[tokio::test]
async fn a_store_that_is_full_is_told_as_such() {
    let (server, ..) = with_limits(Limits::default(), TaskSettings::default());
    let peer = Peer::http(&server).with_tasks();
    for held in 1..=10 {
        let id = peer.start("say", nothing()).await;
        assert_eq!(peer.task(&id).await.status(), 200, "{held}");
        assert_eq!(reached(&server, Limit::Tasks), 0, "{held}");
    }
    let refused = peer.call("say", nothing()).await;
    assert_eq!((refused.status(), refused.code()), (200, -32603));
    assert!(refused.message().contains("(limit tasks)"), "{refused:?}");
    assert_eq!(reached(&server, Limit::Tasks), 1);
}

#[tokio::test]
async fn a_result_may_be_as_long_as_the_limit_and_no_longer() {
    let length_of = async |text: usize, most: usize| {
        let limits = TaskLimits { result_bytes: most, ..TaskLimits::default() };
        let (server, ..) = with_limits(Limits::default(), TaskSettings { limits, ..TaskSettings::default() });
        let peer = Peer::http(&server).with_tasks();
        let id = peer.start("say", json!({"length": text})).await;
        loop {
            let task = peer.task(&id).await.result().clone();
            if task["status"] != "working" {
                return (task, reached(&server, Limit::TaskResultBytes));
            }
            tokio::task::yield_now().await;
        }
    };
    let (whole, _) = length_of(100, 4_000).await;
    let bytes = whole["result"].to_string().len();
    for (text, completes) in [(99, true), (100, true), (101, false)] {
        let (task, reached) = length_of(text, bytes).await;
        assert_eq!(task["status"] == "completed", completes, "{text}: {task}");
        assert_eq!(reached, u64::from(!completes));
        if !completes {
            let message = task["error"]["message"].as_str().unwrap();
            assert!(message.contains("(limit result_bytes)"), "{message}");
        }
    }
}

/// Serves over nothing for as long as one sweep takes.
async fn sweep(server: &Server) {
    let (input, _kept) = tokio::io::duplex(64);
    let served = server.serve_until(pm_mcp::Stdio::over(input, tokio::io::sink()), std::future::pending());
    tokio::select! {
        served = served => served.unwrap(),
        () = async {
            for _ in 0..1_000 {
                tokio::task::yield_now().await;
            }
        } => {}
    }
}

#[tokio::test]
async fn readiness_asks_the_task_store() {
    let store = Arc::new(Faulty::new(MemoryTaskStore::default()));
    let server = stage().0.task_store(Arc::clone(&store)).build().unwrap();
    assert!(server.is_ready().await);
    store.break_down(Operation::Held, Failure::RequestLost);
    assert!(!server.is_ready().await);
    store.heal();
    assert!(server.is_ready().await);
    assert!(stage().0.build().unwrap().is_ready().await, "a server without tasks stands on nothing");
}
