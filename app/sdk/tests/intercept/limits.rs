//! Limits of time and of how much goes on at once.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use pm_mcp::{ConcurrencyLimit, TimeLimit};
use serde_json::json;
use tokio::sync::Notify;

use crate::stage::{Log, Stage, call, message, plain, poll_once, request, waiting};

fn limited(line: usize, log: &Log, release: &Arc<Notify>) -> Stage {
    let limit = ConcurrencyLimit::new("workers", 1.try_into().unwrap()).with_line(line);
    Stage::new(|builder| builder.interceptor(limit).tool(waiting(plain("wait"), log, release)))
}

#[tokio::test]
async fn who_finds_no_place_is_refused_with_the_limits_name() {
    let (log, release) = (Log::default(), Arc::default());
    let stage = limited(0, &log, &release);
    let mut first = Box::pin(stage.serve(call(1, "wait")));
    assert!(poll_once(&mut first).await.is_pending());
    let refused = stage.serve(call(2, "wait")).await.unwrap();
    assert_eq!(
        message(&refused),
        "1 operations are worked on (limit workers); try again when others have ended"
    );
    let listed = stage.serve(request(3, "tools/list", json!({}))).await.unwrap();
    assert_eq!(listed["result"]["tools"][0]["name"], "wait", "lists need no place");
    assert_eq!(log.take(), ["begins"]);
    release.notify_one();
    assert!(first.await.unwrap()["result"].is_object());
    release.notify_one();
    assert!(stage.call("wait").await["result"].is_object(), "the place is free again");
}

#[tokio::test]
async fn a_line_is_served_in_order_and_has_an_end() {
    let (log, release) = (Log::default(), Arc::default());
    let stage = limited(1, &log, &release);
    let mut first = Box::pin(stage.serve(call(1, "wait")));
    assert!(poll_once(&mut first).await.is_pending());
    let mut second = Box::pin(stage.serve(call(2, "wait")));
    assert!(poll_once(&mut second).await.is_pending());
    assert_eq!(log.take(), ["begins"], "the second waits in line");
    let refused = stage.serve(call(3, "wait")).await.unwrap();
    assert!(message(&refused).contains("and 1 wait (limit workers)"), "{refused}");
    release.notify_one();
    first.await.unwrap();
    assert!(poll_once(&mut second).await.is_pending());
    assert_eq!(log.take(), ["handler lets go", "begins"]);
    release.notify_one();
    second.await.unwrap();
}

#[tokio::test]
async fn who_leaves_the_line_makes_room_in_it() {
    let (log, release) = (Log::default(), Arc::default());
    let stage = limited(1, &log, &release);
    let mut first = Box::pin(stage.serve(call(1, "wait")));
    assert!(poll_once(&mut first).await.is_pending());
    let mut second = Box::pin(stage.serve(call(2, "wait")));
    assert!(poll_once(&mut second).await.is_pending());
    drop(second);
    let mut third = Box::pin(stage.serve(call(3, "wait")));
    assert!(poll_once(&mut third).await.is_pending(), "there is room in the line again");
    drop(first);
    assert!(poll_once(&mut third).await.is_pending());
    assert_eq!(log.take(), ["begins", "handler lets go", "begins"], "a dropped request gives its place away");
    release.notify_one();
    assert!(third.await.unwrap()["result"].is_object());
}

#[tokio::test]
async fn a_time_limit_ends_a_call_and_says_which_limit() {
    let (log, release) = (Log::default(), Arc::default());
    let stage = Stage::new(|builder| {
        builder
            .interceptor(TimeLimit::new("generous", Duration::from_secs(60)))
            .interceptor(TimeLimit::new("request_seconds", Duration::from_secs(2)))
            .tool(waiting(plain("wait"), &log, &release))
    });
    let mut calling = Box::pin(stage.serve(call(1, "wait")));
    assert!(poll_once(&mut calling).await.is_pending());
    stage.clock.advance(1_999);
    assert!(poll_once(&mut calling).await.is_pending());
    stage.clock.advance(1);
    let answer = calling.await.unwrap();
    assert_eq!(answer["error"]["code"], -32603);
    assert_eq!(
        message(&answer),
        "the request took longer than 2000 ms (limit request_seconds); narrow it, or ask the server's operator to raise \
         the limit"
    );
    assert_eq!(log.take(), ["begins", "handler lets go"], "the handler is dropped where it waits");
}

#[tokio::test]
async fn a_time_limit_further_out_counts_the_wait_for_a_place() {
    let (log, release) = (Log::default(), Arc::default());
    let stage = Stage::new(|builder| {
        builder
            .interceptor(TimeLimit::new("in_all", Duration::from_secs(2)))
            .interceptor(ConcurrencyLimit::new("workers", 1.try_into().unwrap()).with_line(1))
            .tool(waiting(plain("wait"), &log, &release))
    });
    let mut first = Box::pin(stage.serve(call(1, "wait")));
    assert!(poll_once(&mut first).await.is_pending());
    stage.clock.advance(1_000);
    let mut second = Box::pin(stage.serve(call(2, "wait")));
    assert!(poll_once(&mut second).await.is_pending());
    release.notify_one();
    let Poll::Ready(done) = poll_once(&mut first).await else { panic!("the first is done") };
    assert!(done.unwrap()["result"].is_object());
    assert!(poll_once(&mut second).await.is_pending());
    stage.clock.advance(2_000);
    assert!(message(&second.await.unwrap()).contains("(limit in_all)"));
}
