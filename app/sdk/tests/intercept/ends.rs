//! Whoever let an operation in hears of its end, once.

use std::sync::Arc;

use pm_mcp::{Context, Form, HandlerFault, NoArguments, Output, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::stage::{Log, Probe, Stage, call, logging, plain, poll_once, request, waiting};

/// The lines of ends.
fn ends(log: &Log) -> Vec<String> {
    log.take().into_iter().filter(|line| line.contains("after")).collect()
}

#[tokio::test]
async fn a_message_that_cancels_is_heard_of_once() {
    let (log, release) = (Log::default(), Arc::default());
    let stage = Stage::new(|builder| {
        builder.interceptor(Probe::new("all", &log)).tool(waiting(plain("wait"), &log, &release))
    });
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let (answer, _) = tokio::join!(stage.serve(call(1, "wait")), async {
        log.until("begins").await;
        stage.clock.advance(30);
        stage.serve(cancel).await
    });
    assert_eq!(answer, None);
    assert_eq!(
        log.take(),
        [
            "all before tools/call wait",
            "begins",
            "handler lets go",
            "all after cancelled 30ms",
            "all lets go"
        ]
    );
}

#[tokio::test]
async fn a_request_that_is_dropped_is_heard_of_once() {
    let (log, release) = (Log::default(), Arc::default());
    let stage = Stage::new(|builder| {
        let builder = builder.interceptor(Probe::new("outer", &log)).interceptor(Probe::new("inner", &log));
        builder.tool(waiting(plain("wait"), &log, &release))
    });
    let mut calling = Box::pin(stage.serve(call(1, "wait")));
    assert!(poll_once(&mut calling).await.is_pending());
    assert_eq!(ends(&log), [""; 0]);
    drop(calling);
    assert_eq!(
        log.take(),
        [
            "handler lets go",
            "inner after cancelled 0ms",
            "inner lets go",
            "outer after cancelled 0ms",
            "outer lets go"
        ]
    );
}

#[derive(Deserialize, JsonSchema, Form)]
struct Name {
    #[expect(dead_code, reason = "nobody answers here")]
    name: String,
}

#[tokio::test]
async fn the_kind_of_end_is_told() {
    let log = Log::default();
    let stage = Stage::new(|builder| {
        builder
            .interceptor(Probe::new("all", &log))
            .tool(logging(plain("fine"), &log))
            .tool(plain("sorry").handler(|_: Context, _: NoArguments| async {
                Err::<Output, _>(ToolError::failed("no luck"))
            }))
            .tool(plain("broken").handler(|_: Context, _: NoArguments| async {
                Err::<Output, ToolError>(HandlerFault::InvalidArgument("no".to_owned()).into())
            }))
            .tool(plain("asks").handler(|context: Context, _: NoArguments| async move {
                context.ask("name", Form::<Name>::new("Who?")).await?;
                Ok(Output::text("thanks"))
            }))
    });
    for (tool, end) in [
        ("fine", "complete"),
        ("sorry", "tool_failed"),
        ("broken", "failed -32602"),
        ("asks", "input_required"),
        ("unknown", "refused -32602"),
    ] {
        stage.call(tool).await;
        assert_eq!(ends(&log), [format!("all after {end} 0ms")], "{tool}");
    }
    stage.request("tools/call", json!({"name": "fine", "arguments": {"more": 1}})).await;
    assert_eq!(ends(&log), ["all after refused -32602 0ms"], "arguments that do not fit");
}

#[tokio::test]
async fn a_stream_ends_when_it_is_closed_or_left() {
    let log = Log::default();
    let stage =
        Stage::new(|builder| builder.interceptor(Probe::new("all", &log)).tool(logging(plain("own"), &log)));
    let listen = request(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let mut stream = Box::pin(stage.serve(listen.clone()));
    assert!(poll_once(&mut stream).await.is_pending());
    assert_eq!(log.take(), ["all before subscriptions/listen -"]);
    drop(stream);
    assert_eq!(log.take(), ["all after cancelled 0ms", "all lets go"]);
    let mut stream = Box::pin(stage.serve(listen));
    assert!(poll_once(&mut stream).await.is_pending());
    stage.clock.advance(5_000);
    stage.door.close();
    assert!(stream.await.unwrap()["result"].is_object());
    assert_eq!(ends(&log), ["all after complete 5000ms"]);
}

#[tokio::test]
async fn no_clock_is_read_where_nothing_is_set() {
    let log = Log::default();
    let unset = Stage::new(|builder| {
        let own = plain("own").interceptor(Probe::new("tool", &log));
        builder.tool(logging(plain("fine"), &log)).tool(logging(own, &log))
    });
    let before = unset.clock.reads();
    unset.call("fine").await;
    assert_eq!(unset.clock.reads(), before);
    unset.call("own").await;
    assert_eq!(unset.clock.reads(), before + 2, "one for the beginning and one for the end");
}
