//! Field cases C12 and C13: more than the limits allow, and a peer that stops reading.

use std::sync::atomic::Ordering;

use pm_mcp_domain::limit::Limit;
use pm_mcp_transport_stdio::StdioLimits;
use serde_json::json;

use crate::support::Client;

#[tokio::test]
async fn requests_above_the_limit_wait_in_line_while_reading_goes_on() {
    let limits = StdioLimits { max_in_flight: 4, ..StdioLimits::default() };
    let mut client = Client::start_with_pipe(limits, 256);
    for id in 0..40 {
        client.request(id, "wait", json!(null)).await;
    }
    client.request(40, "echo", json!(null)).await;
    client.script.started.acquire_many(4).await.unwrap().forget();
    assert_eq!(client.script.started.available_permits(), 0, "only four may run");
    client.script.permits.add_permits(40);
    let mut seen: Vec<u64> = Vec::new();
    for _ in 0..=40 {
        seen.push(client.id().await);
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..=40).collect::<Vec<_>>());
}

#[tokio::test]
async fn as_many_requests_as_the_limit_are_carried_out_and_the_next_waits_in_line() {
    for (asked, waiting) in [(2, 0), (3, 0), (4, 1)] {
        let limits = StdioLimits { max_in_flight: 3, ..StdioLimits::default() };
        let mut client = Client::start(limits);
        for id in 0..asked {
            client.request(id, "wait", json!(null)).await;
        }
        let started = u32::try_from(asked).unwrap() - waiting;
        client.script.started.acquire_many(started).await.unwrap().forget();
        client.end().await;
        client.script.permits.add_permits(4);
        for _ in 0..asked {
            client.id().await;
        }
        assert_eq!(client.script.limit_counts.read(Limit::InFlight), u64::from(waiting), "{asked}");
    }
}

#[tokio::test]
async fn cancellations_overtake_the_line_and_take_requests_out_of_it() {
    let limits = StdioLimits { max_in_flight: 1, ..StdioLimits::default() };
    let mut client = Client::start(limits);
    client.request(0, "wait", json!(null)).await;
    client.script.started.acquire().await.unwrap().forget();
    for id in 1..=3 {
        client.request(id, "echo", json!(null)).await;
    }
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    client.send(format!("{cancelled}\n")).await;
    client.script.noted.acquire().await.unwrap().forget();
    client.script.permits.add_permits(1);
    assert_eq!([client.id().await, client.id().await, client.id().await], [0, 1, 3]);
    client.end().await;
    assert_eq!(client.line().await, "", "the cancelled request is never answered");
}

#[tokio::test]
async fn a_full_line_stops_the_reading_until_a_request_ends() {
    let limits = StdioLimits { max_in_flight: 1, max_waiting_bytes: 100, ..StdioLimits::default() };
    let mut client = Client::start_with_pipe(limits, 64);
    client.request(0, "wait", json!(null)).await;
    client.script.started.acquire().await.unwrap().forget();
    let permits = &client.script.permits;
    let sending = async {
        for id in 1..100_u64 {
            let frame = format!("{}\n", json!({"id": id, "method": "echo", "params": null}));
            tokio::io::AsyncWriteExt::write_all(client.input.as_mut().unwrap(), frame.as_bytes())
                .await
                .unwrap();
        }
    };
    tokio::pin!(sending);
    let blocked =
        std::future::poll_fn(|cx| std::task::Poll::Ready(sending.as_mut().poll(cx).is_pending())).await;
    assert!(blocked);
    permits.add_permits(1);
    let receiving = async {
        let mut ids = Vec::new();
        for _ in 0..100 {
            let mut line = String::new();
            tokio::io::AsyncBufReadExt::read_line(&mut client.output, &mut line).await.unwrap();
            ids.push(serde_json::from_str::<serde_json::Value>(&line).unwrap()["id"].as_u64().unwrap());
        }
        ids
    };
    let ((), ids) = tokio::join!(sending, receiving);
    assert_eq!(ids, (0..100).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_peer_that_does_not_read_holds_back_handlers_and_loses_nothing() {
    let limits = StdioLimits { max_unread_bytes: 1000, ..StdioLimits::default() };
    let mut client = Client::start_with_pipe(limits, 256);
    client.request(1, "say", json!(5_000)).await;
    client.request(2, "echo", json!(null)).await;
    for _ in 0..10_000 {
        tokio::task::yield_now().await;
    }
    // What is unread, what the pipe holds and what is on its way, of some twenty bytes each.
    let taken = client.script.said.load(Ordering::SeqCst);
    assert!((1..=200).contains(&taken), "{taken} messages were taken for a peer that reads nothing");
    let mut said = 0;
    let mut answers = Vec::new();
    while answers.len() < 2 {
        let value = client.value().await;
        match value.get("said") {
            Some(n) => {
                assert_eq!(n, said);
                said += 1;
            }
            None => answers.push(value["id"].clone()),
        }
    }
    assert_eq!(said, 5_000);
}

#[tokio::test]
async fn limits_of_zero_still_let_one_request_through_after_another() {
    let limits =
        StdioLimits { max_in_flight: 0, max_waiting_bytes: 0, max_unread_bytes: 0, ..StdioLimits::default() };
    let mut client = Client::start(limits);
    client.script.permits.add_permits(3);
    for id in 0..3 {
        client.request(id, "wait", json!(null)).await;
        client.request(id, "say", json!(2)).await;
    }
    for id in 0..3 {
        assert_eq!(client.id().await, id);
        for _ in 0..2 {
            assert_eq!(client.value().await["by"], id);
        }
        assert_eq!(client.id().await, id);
    }
}
