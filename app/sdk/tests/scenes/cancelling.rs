//! Requests that are given up: by message on a shared channel, by going away elsewhere, by the server's own limit
//! (field cases C14, C25).

use std::time::Duration;

use pm_mcp::{Context, Limits, NoArguments, Output, Server, tool};
use pm_mcp_contract::VirtualClock;
use serde::Deserialize;
use serde_json::json;

use crate::support::{Exchange, Gate, Peer, Watch, nothing, stage};

/// A server with a tool that waits until the gate opens, and a gate that opens when its handler is gone.
struct Waiting {
    server: Server,
    clock: VirtualClock,
    go: Gate,
    gone: Gate,
}

impl Waiting {
    fn new() -> Self {
        let (builder, clock) = stage();
        let (go, gone) = (Gate::new(), Gate::new());
        let (open, left) = (go.clone(), gone.clone());
        let limits = Limits { request_time: Duration::from_secs(2), ..Limits::default() };
        let server = builder
            .limits(limits)
            .tool(tool("wait", "Waits.").handler(move |ctx: Context, _: NoArguments| {
                let (open, watch) = (open.clone(), Watch(left.clone()));
                async move {
                    ctx.progress(1, None, None);
                    open.pass().await;
                    drop(watch);
                    Ok(Output::text("done"))
                }
            }))
            .tool(tool("quick", "Answers.").handler(|_, _: NoArguments| async { Ok(Output::text("quick")) }))
            .build()
            .unwrap();
        Self { server, clock, go, gone }
    }

    async fn begin(&self, peer: &Peer, id: u64) -> Exchange {
        let params = json!({"name": "wait", "arguments": {}, "_meta": {"progressToken": id}});
        let mut exchange = peer.send(peer.request(id, "tools/call", params));
        assert_eq!(exchange.next().await["params"]["progress"], 1.0);
        exchange
    }
}

#[tokio::test]
async fn a_cancelled_request_is_not_answered_and_its_handler_is_gone() {
    let stage = Waiting::new();
    let peer = Peer::stdio(&stage.server);
    peer.cancel(1).await;
    let call = stage.begin(&peer, 1).await;
    peer.cancel("1").await;
    assert!(!call.has_ended(), "an id of another type is another id");
    peer.cancel(1).await;
    peer.cancel(1).await;
    let heard = call.end().await;
    assert!(heard.answer.is_none() && heard.before.is_empty(), "{heard:?}");
    stage.gone.pass().await;
    assert_eq!(peer.call("quick", nothing()).await.text(), "quick", "the id can be used again");
    peer.cancel(1).await;
    assert_eq!(peer.call("quick", nothing()).await.text(), "quick", "a late cancellation does nothing");
}

#[tokio::test]
async fn a_cancellation_between_the_end_of_the_work_and_the_answer_wins() {
    let stage = Waiting::new();
    let peer = Peer::stdio(&stage.server);
    let call = stage.begin(&peer, 1).await;
    // Both are known before the request is looked at again.
    stage.go.open();
    peer.cancel(1).await;
    assert!(call.end().await.answer.is_none());
}

#[tokio::test]
async fn whoever_goes_away_takes_the_handler_along() {
    let stage = Waiting::new();
    let peer = Peer::http(&stage.server);
    let call = stage.begin(&peer, 1).await;
    drop(call);
    stage.gone.pass().await;
    let call = stage.begin(&peer, 1).await;
    peer.cancel(1).await;
    stage.go.open();
    assert_eq!(call.end().await.text(), "done", "on HTTP a message cancels nothing");
}

#[tokio::test]
async fn an_id_in_flight_is_refused_to_a_second_request_on_a_shared_channel_only() {
    let stage = Waiting::new();
    let peer = Peer::stdio(&stage.server);
    let call = stage.begin(&peer, 7).await;
    let twin = peer.ask(7, "tools/call", json!({"name": "quick", "arguments": {}})).await;
    assert_eq!(twin.code(), -32600);
    assert_eq!(twin.answer().get("id"), None, "an answer with the id would be taken for the first one's");
    let other = peer.ask("7", "tools/call", json!({"name": "quick", "arguments": {}})).await;
    assert_eq!(other.answer()["id"], "7");
    stage.go.open();
    assert_eq!(call.end().await.text(), "done");

    let peer = Peer::http(&stage.server);
    let [one, two] = [stage.begin(&peer, 7).await, stage.begin(&peer, 7).await];
    stage.go.open();
    stage.go.open();
    assert_eq!((one.end().await.text(), two.end().await.text()), ("done", "done"));
}

#[tokio::test]
async fn a_request_ends_at_its_time_limit_with_an_error_that_names_it() {
    let stage = Waiting::new();
    for peer in Peer::both(&stage.server) {
        let call = stage.begin(&peer, 1).await;
        stage.clock.asleep(1).await;
        stage.clock.advance(Duration::from_millis(1_999));
        tokio::task::yield_now().await;
        assert!(!call.has_ended());
        stage.clock.advance(Duration::from_millis(1));
        let heard = call.end().await;
        assert_eq!(heard.code(), -32603);
        assert!(heard.message().contains("2000 ms"), "{}", heard.message());
        stage.gone.pass().await;
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Turns {
    turns: u32,
}

#[tokio::test]
async fn no_interleaving_answers_twice_or_after_a_cancellation_in_time() {
    let (builder, _clock) = stage();
    let server = builder
        .tool(tool("turns", "Waits some turns.").handler(|_, Turns { turns }: Turns| async move {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
            Ok(Output::text("done"))
        }))
        .build()
        .unwrap();
    let peer = Peer::stdio(&server);
    let mut seed = 0x2026_0728_u64;
    let mut draw = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let (mut cancelled, mut answered) = (0, 0);
    for id in 0..10_000_u64 {
        let params = json!({"name": "turns", "arguments": {"turns": draw(6)}});
        let (before, after, times) = (draw(3) == 0, draw(8), draw(3));
        if before {
            peer.cancel(id).await;
        }
        let call = peer.send(peer.request(id, "tools/call", params));
        for _ in 0..after {
            tokio::task::yield_now().await;
        }
        let mut in_time = false;
        for _ in 0..times {
            // A request that has not begun yet is not known to the server.
            let was_running = after > 0 && !call.has_ended();
            peer.cancel(id).await;
            in_time |= was_running;
        }
        let heard = call.end().await;
        assert!(!(in_time && heard.answer.is_some()), "id {id} was cancelled in time and answered");
        match heard.answer {
            Some(_) => answered += 1,
            None => cancelled += 1,
        }
    }
    assert!(cancelled > 1_000 && answered > 1_000, "{cancelled} cancelled, {answered} answered");
    assert_eq!(
        peer.ask(1, "tools/call", json!({"name": "turns", "arguments": {"turns": 1}})).await.text(),
        "done"
    );
}
