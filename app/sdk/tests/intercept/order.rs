//! Order, nesting, refusal and panics.

use pm_mcp::{PromptMessage, Read, prompt, resource};
use serde_json::json;

use crate::stage::{Log, Probe, Quirk, Stage, logging, message, plain};

fn nested(log: &Log, quirk: Quirk) -> Stage {
    Stage::new(|builder| {
        let own = plain("own").interceptor(Probe::new("tool", log));
        builder
            .interceptor(Probe::new("outer", log))
            .interceptor(Probe::new("inner", log).with(quirk))
            .tool(logging(own, log))
            .tool(logging(plain("other"), log))
    })
}

#[tokio::test]
async fn interceptors_nest_around_a_call() {
    let log = Log::default();
    let answer = nested(&log, Quirk::None).call("own").await;
    assert_eq!(answer["result"]["content"][0]["text"], "the secret is 42");
    assert_eq!(
        log.take(),
        [
            "outer before tools/call own",
            "inner before tools/call own",
            "tool before tools/call own",
            "handler",
            "tool result",
            "inner result",
            "outer result",
            "tool after complete 0ms",
            "tool lets go",
            "inner after complete 0ms",
            "inner lets go",
            "outer after complete 0ms",
            "outer lets go",
        ]
    );
}

#[tokio::test]
async fn an_interceptor_of_a_tool_stands_around_that_tool_alone() {
    let log = Log::default();
    let stage = Stage::new(|builder| {
        let own = plain("own").interceptor(Probe::new("tool", &log));
        builder.tool(logging(own, &log)).tool(logging(plain("other"), &log))
    });
    stage.call("other").await;
    stage.request("tools/list", json!({})).await;
    assert_eq!(log.take(), ["handler"]);
    stage.call("own").await;
    assert_eq!(log.take()[0], "tool before tools/call own");
}

#[tokio::test]
async fn every_kind_of_request_is_seen_with_what_it_names() {
    let log = Log::default();
    let stage = Stage::new(|builder| {
        let hello = prompt("hello", "Greets.").argument("who", "Whom.");
        let hello = hello.complete("who", |_, _, _| async { Ok(Vec::new()) });
        builder
            .volatile_tasks()
            .interceptor(Probe::new("all", &log))
            .resource(resource("file:///a", "a").reader(|_, _| async { Ok(Read::text("a")) }))
            .prompt(hello.handler(|_, _| async { Ok(vec![PromptMessage::user("hello")]) }))
            .tool(logging(plain("own"), &log))
    });
    for (method, params, about, outcome) in [
        ("server/discover", json!({}), "-", "complete"),
        ("tools/list", json!({}), "-", "complete"),
        ("resources/list", json!({}), "-", "complete"),
        ("resources/read", json!({"uri": "file:///a"}), "file:///a", "complete"),
        ("resources/read", json!({"uri": "file:///b"}), "file:///b", "refused -32602"),
        ("prompts/get", json!({"name": "hello"}), "hello", "complete"),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "hello"}, "argument": {"name": "who", "value": ""}}),
            "hello",
            "complete",
        ),
        ("tools/call", json!({"name": "none"}), "none", "refused -32602"),
        ("tasks/get", json!({"taskId": "t"}), "t", "refused -32602"),
        ("tasks/update", json!({"taskId": "t", "inputResponses": {}}), "t", "refused -32602"),
        ("tasks/cancel", json!({"taskId": "t"}), "t", "refused -32602"),
    ] {
        stage.request(method, params).await;
        let seen = log.take();
        assert_eq!(seen.first().map(String::as_str), Some(&*format!("all before {method} {about}")));
        let after = format!("all after {outcome} 0ms");
        assert_eq!(seen.iter().filter(|line| **line == after).count(), 1, "{method}: {seen:?}");
    }
}

#[tokio::test]
async fn a_refusal_stops_what_is_further_in() {
    let log = Log::default();
    let answer = nested(&log, Quirk::Refuses).call("own").await;
    assert_eq!(message(&answer), "not today");
    assert_eq!(
        log.take(),
        [
            "outer before tools/call own",
            "inner before tools/call own",
            "outer after refused -32603 0ms",
            "outer lets go",
        ]
    );
}

#[tokio::test]
async fn what_an_interceptor_hides_reads_like_what_is_not_there() {
    let log = Log::default();
    let stage = nested(&log, Quirk::HidesAll);
    let hidden = stage.call("own").await;
    let plain = Stage::new(|builder| builder.tool(logging(plain("other"), &log)));
    assert_eq!(hidden, plain.call("own").await);
    assert!(log.take().contains(&"outer after refused -32602 0ms".to_owned()));
}

#[tokio::test]
async fn a_panic_fails_its_own_request() {
    let log = Log::default();
    for quirk in [Quirk::PanicsBefore, Quirk::PanicsAtResult] {
        let stage = Stage::new(|builder| {
            let own = plain("own").interceptor(Probe::new("tool", &log).with(quirk));
            let builder = builder.interceptor(Probe::new("outer", &log));
            builder.tool(logging(own, &log)).tool(logging(plain("other"), &log))
        });
        let answer = stage.call("own").await;
        assert_eq!(answer["error"]["code"], -32603, "{quirk:?}: {answer}");
        assert!(!message(&answer).contains("probe"), "{answer}");
        let seen = log.take();
        let ends = seen.iter().filter(|line| line.starts_with("outer after")).count();
        assert_eq!(ends, 1, "{quirk:?}: {seen:?}");
        assert!(stage.call("other").await["result"].is_object());
        log.take();
    }
}

#[tokio::test]
async fn a_panic_at_the_end_changes_nothing_that_was_done() {
    let log = Log::default();
    let answer = nested(&log, Quirk::PanicsAfter).call("own").await;
    assert!(answer["result"].is_object(), "{answer}");
    let seen = log.take();
    assert!(seen.contains(&"inner lets go".to_owned()), "{seen:?}");
    assert!(seen.contains(&"outer after complete 0ms".to_owned()), "{seen:?}");
}
