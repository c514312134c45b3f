//! Reports of progress, on the stream of their own request (field case C86).

use std::time::Duration;

use pm_mcp::{Context, Execution, NoArguments, Output, Server, ServerBuilder, tool};
use serde_json::{Value, json};

use crate::support::{Gate, Peer, nothing, stage};

fn steps(builder: ServerBuilder) -> ServerBuilder {
    builder.tool(tool("steps", "Reports.").handler(|ctx: Context, _: NoArguments| async move {
        for (progress, total) in
            [(0.0, Some(10.0)), (5.0, Some(f64::NAN)), (5.0, None), (4.0, None), (10.0, None)]
        {
            ctx.progress(progress, total, format!("at {progress}"));
        }
        ctx.progress(f64::INFINITY, None, None);
        Ok(Output::text("done"))
    }))
}

fn server() -> Server {
    steps(stage().0).build().unwrap()
}

fn with_token(token: Value) -> Value {
    json!({"name": "steps", "arguments": {}, "_meta": {"progressToken": token}})
}

#[tokio::test]
async fn without_a_token_nothing_is_reported() {
    for peer in Peer::both(&server()) {
        let heard = peer.call("steps", nothing()).await;
        assert_eq!((heard.before.len(), heard.text()), (0, "done"));
        let marked =
            json!({"name": "steps", "arguments": {}, "_meta": {"io.modelcontextprotocol/logLevel": "debug"}});
        let heard = peer.ask(1, "tools/call", marked).await;
        assert_eq!((heard.before.len(), heard.text()), (0, "done"), "a log level brings no messages");
    }
}

#[tokio::test]
async fn reports_carry_the_very_token_and_only_grow() {
    for peer in Peer::both(&server()) {
        for token in
            [json!(0), json!("0"), json!(""), json!("é🙂"), json!(9_007_199_254_740_993_u64), json!(-1)]
        {
            let heard = peer.ask(1, "tools/call", with_token(token.clone())).await;
            let said: Vec<f64> =
                heard.before.iter().map(|message| message["params"]["progress"].as_f64().unwrap()).collect();
            assert_eq!(said, [0.0, 5.0, 10.0]);
            for message in &heard.before {
                assert_eq!(message["method"], "notifications/progress");
                assert_eq!(message["params"]["progressToken"], token);
            }
            assert_eq!(heard.before[0]["params"]["total"], 10.0);
            assert_eq!(heard.before[1]["params"].get("total"), None, "a total that is no number is left out");
            assert_eq!(heard.before[2]["params"]["message"], "at 10");
        }
    }
}

#[tokio::test]
async fn two_requests_with_one_token_are_kept_apart() {
    let (builder, _clock) = stage();
    let gate = Gate::new();
    let go = gate.clone();
    let server = builder
        .tool(tool("wait", "Waits.").handler(move |ctx: Context, _: NoArguments| {
            let go = go.clone();
            async move {
                ctx.progress(1, None, None);
                go.pass().await;
                ctx.progress(2, None, None);
                Ok(Output::text("done"))
            }
        }))
        .build()
        .unwrap();
    for peer in Peer::both(&server) {
        let params = json!({"name": "wait", "arguments": {}, "_meta": {"progressToken": "t"}});
        let [mut one, mut two] = [1, 2].map(|id| peer.send(peer.request(id, "tools/call", params.clone())));
        for exchange in [&mut one, &mut two] {
            assert_eq!(exchange.next().await["params"]["progress"], 1.0);
        }
        gate.open();
        gate.open();
        for exchange in [one, two] {
            let heard = exchange.end().await;
            assert_eq!(heard.before.len(), 1);
            assert_eq!(heard.before[0]["params"]["progress"], 2.0);
        }
    }
}

#[tokio::test]
async fn a_flood_is_thinned_and_its_last_report_arrives() {
    let (builder, clock) = stage();
    let server = builder
        .tool(tool("flood", "Reports a lot.").handler(move |ctx: Context, _: NoArguments| {
            let clock = clock.clone();
            async move {
                for step in 1..=1_000 {
                    ctx.progress(step, Some(2_000.0), None);
                }
                tokio::task::yield_now().await;
                clock.advance(Duration::from_millis(100));
                for step in 1_001..=2_000 {
                    ctx.progress(step, Some(2_000.0), None);
                }
                Ok(Output::text("done"))
            }
        }))
        .build()
        .unwrap();
    for peer in Peer::both(&server) {
        let params = json!({"name": "flood", "arguments": {}, "_meta": {"progressToken": 1}});
        let heard = peer.ask(1, "tools/call", params).await;
        let said: Vec<f64> =
            heard.before.iter().map(|message| message["params"]["progress"].as_f64().unwrap()).collect();
        assert!(said.len() <= 19, "{}", said.len());
        assert!(said.is_sorted_by(|a, b| a < b), "{said:?}");
        assert_eq!(said.last(), Some(&2_000.0));
    }
}

#[tokio::test]
async fn the_last_report_of_a_burst_arrives_while_the_handler_is_silent() {
    let (builder, clock) = stage();
    let gate = Gate::new();
    let go = gate.clone();
    let server = builder
        .volatile_tasks()
        .tool(tool("burst", "Reports a lot and falls silent.").execution(Execution::Task).handler(
            move |ctx: Context, _: NoArguments| {
                let go = go.clone();
                async move {
                    for step in 1..=100 {
                        ctx.progress(step, None, format!("step {step}"));
                    }
                    go.pass().await;
                    Ok(Output::text("done"))
                }
            },
        ))
        .build()
        .unwrap();
    for peer in Peer::both(&server) {
        let params = json!({"name": "burst", "arguments": {}, "_meta": {"progressToken": 1}});
        let mut exchange = peer.send(peer.request(1, "tools/call", params));
        let mut said = Vec::new();
        for _ in 0..16 {
            said.push(exchange.next().await["params"]["progress"].as_f64().unwrap());
        }
        // The end of the request, and the turn of the report that is held back.
        clock.asleep(2).await;
        assert_eq!(exchange.waiting(), None);
        clock.advance(Duration::from_millis(50));
        said.push(exchange.next().await["params"]["progress"].as_f64().unwrap());
        assert_eq!((said.len(), said.last()), (17, Some(&100.0)));
        assert!(said.is_sorted_by(|a, b| a < b), "{said:?}");
        gate.open();
        let heard = exchange.end().await;
        assert_eq!((heard.before.len(), heard.text()), (0, "done"), "it is not said twice");
    }

    // In a task it becomes the status message, by the same clock.
    let peer = Peer::http(&server).with_tasks();
    let id = peer.start("burst", nothing()).await;
    // The lease of the worker, and the turn of the report.
    clock.asleep(2).await;
    assert_eq!(peer.task(&id).await.result()["statusMessage"], "step 16");
    clock.advance(Duration::from_millis(50));
    assert_eq!(peer.task(&id).await.result()["statusMessage"], "step 100");
    gate.open();
}

#[tokio::test]
async fn nothing_is_reported_after_the_answer() {
    let (builder, _clock) = stage();
    let (go, done) = (Gate::new(), Gate::new());
    let (started, ended) = (go.clone(), done.clone());
    let server = builder
        .tool(tool("leaves", "Leaves work behind.").handler(move |ctx: Context, _: NoArguments| {
            let (started, ended) = (started.clone(), ended.clone());
            async move {
                ctx.progress(1, None, None);
                tokio::spawn(async move {
                    started.pass().await;
                    ctx.progress(2, None, None);
                    ended.open();
                });
                Ok(Output::text("done"))
            }
        }))
        .build()
        .unwrap();
    let peer = Peer::stdio(&server);
    let params = json!({"name": "leaves", "arguments": {}, "_meta": {"progressToken": 1}});
    let heard = peer.ask(1, "tools/call", params).await;
    assert_eq!(heard.before.len(), 1);
    go.open();
    done.pass().await;
    // The outbox of the request is gone with its answer, so that nobody is left to take the report.
    assert_eq!(peer.call("leaves", nothing()).await.before.len(), 0);
}
