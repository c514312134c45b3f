//! Peers that read slowly or not at all.

use std::time::Duration;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::Change;
use serde_json::json;

use super::stage::{End, Manner, Peer, Stage, task, updated};
use crate::hub::{HubLimits, SlowReason};

const DEADLINE: Duration = Duration::from_secs(5);

fn stage() -> Stage {
    Stage::new(HubLimits { write_deadline: DEADLINE, ..HubLimits::default() })
}

#[test]
fn of_waiting_changes_of_one_topic_the_newest_is_sent_in_the_place_of_the_first() {
    let stage = stage();
    let me = Principal::loopback();
    let filter = r#"{"toolsListChanged":true,"resourceSubscriptions":["a:1","a:2"],"taskIds":["t"]}"#;
    let (mut running, peer) = stage.open("1", filter);
    peer.take();
    peer.behave(Manner::Stalls);
    stage.hub.publish(&updated("a:2"));
    running.settle();
    for n in 0..1_000 {
        stage.hub.publish(&updated("a:1"));
        stage.hub.publish(&task("t", &me, &json!({ "taskId": "t", "n": n }).to_string()));
        stage.hub.publish(&Change::ToolsListChanged);
        stage.hub.publish(&updated("a:2"));
    }
    assert_eq!(running.wakes(), 1, "a stream whose peer stalls is not woken for every change");
    peer.behave(Manner::Reads);
    running.settle();
    let read = peer.take();
    let names: Vec<String> = read.iter().map(super::stage::name).collect();
    assert_eq!(
        names,
        ["a:2", "a:1", "tasks", "tools/list_changed", "a:2"],
        "what is being sent is not replaced"
    );
    assert_eq!(read[2]["params"]["n"], 999);
    let counts = stage.hub.counts();
    assert_eq!((counts.queued, counts.merged, counts.sent), (5, 3_996, 5));
}

#[test]
fn a_peer_that_misses_the_deadline_is_dropped_and_others_do_not_notice() {
    let stage = stage();
    let filter = r#"{"toolsListChanged":true}"#;
    let (mut stalled, stalled_peer) = stage.open("1", filter);
    let (mut healthy, healthy_peer) = stage.open("2", filter);
    stalled_peer.behave(Manner::Stalls);
    stage.hub.publish(&Change::ToolsListChanged);
    assert_eq!((stalled.settle(), healthy.settle()), (None, None));
    assert_eq!(healthy_peer.methods(), ["subscriptions/acknowledged", "tools/list_changed"]);
    stage.clock.advance(DEADLINE - Duration::from_millis(1));
    assert_eq!(stalled.settle(), None);
    stage.hub.publish(&Change::ToolsListChanged);
    healthy.settle();
    assert_eq!(healthy_peer.methods(), ["tools/list_changed"]);
    stage.clock.advance(Duration::from_millis(1));
    assert_eq!(stalled.settle(), Some(End::TooSlow(SlowReason::WriteDeadline(DEADLINE))));
    assert_eq!(stalled_peer.methods(), ["subscriptions/acknowledged"]);
    stage.hub.publish(&Change::ToolsListChanged);
    assert_eq!(healthy.settle(), None);
    assert_eq!(healthy_peer.methods(), ["tools/list_changed"]);
    let counts = stage.hub.counts();
    assert_eq!((counts.open, counts.missed_deadline), (1, 1));
}

#[test]
fn each_message_has_a_deadline_of_its_own() {
    let stage = stage();
    let (mut running, peer) = stage.open("1", r#"{"resourceSubscriptions":["a:1","a:2","a:3"]}"#);
    peer.behave(Manner::Stalls);
    for uri in ["a:1", "a:2", "a:3"] {
        stage.hub.publish(&updated(uri));
    }
    running.settle();
    for _ in 0..3 {
        stage.clock.advance(DEADLINE - Duration::from_millis(1));
        assert_eq!(running.settle(), None);
        peer.behave(Manner::ReadsOne);
        assert_eq!(running.settle(), None);
    }
    assert_eq!(peer.methods(), ["subscriptions/acknowledged", "a:1", "a:2", "a:3"]);
}

#[test]
fn an_acknowledgement_that_is_not_taken_ends_the_stream_too() {
    let stage = stage();
    let peer = Peer::default();
    peer.behave(Manner::Stalls);
    let mut running = stage.start(stage.hub.new_door(), "1", "{}", &Principal::loopback(), peer);
    running.settle();
    stage.clock.advance(DEADLINE);
    assert_eq!(running.settle(), Some(End::TooSlow(SlowReason::WriteDeadline(DEADLINE))));
    assert!(stage.hub.is_clear());
}

#[test]
fn a_queue_holds_as_many_entries_as_it_may_and_not_one_more() {
    let limit = 4;
    let stage = Stage::new(HubLimits { queue_entries: limit, ..HubLimits::default() });
    let uris: Vec<String> = (0..=limit).map(|n| format!("a:{n}")).collect();
    let filter = json!({ "resourceSubscriptions": uris, "toolsListChanged": true }).to_string();
    let (mut running, peer) = stage.open("1", &filter);
    peer.behave(Manner::Stalls);
    stage.hub.publish(&Change::ToolsListChanged);
    running.settle();
    uris[..limit].iter().for_each(|uri| stage.hub.publish(&updated(uri)));
    assert_eq!(running.settle(), None);
    stage.hub.publish(&updated(&uris[0]));
    assert_eq!(running.settle(), None, "a merged change takes no room");
    stage.hub.publish(&updated(&uris[limit]));
    assert_eq!(running.settle(), Some(End::TooSlow(SlowReason::QueueEntries(limit))));
    assert_eq!(stage.hub.counts().overflowed, 1);
    assert!(stage.hub.is_clear());
}

#[test]
fn a_queue_holds_as_many_bytes_as_it_may_and_a_long_change_waits_alone() {
    let stage = Stage::new(HubLimits { queue_bytes: 1_000, ..HubLimits::default() });
    let me = Principal::loopback();
    let state = |id: &str, bytes: usize| {
        task(id, &me, &json!({ "taskId": id, "statusMessage": "x".repeat(bytes) }).to_string())
    };
    let (mut running, peer) = stage.open("1", r#"{"toolsListChanged":true,"taskIds":["t","u"]}"#);
    peer.behave(Manner::Stalls);
    stage.hub.publish(&Change::ToolsListChanged);
    running.settle();
    stage.hub.publish(&state("t", 5_000));
    assert_eq!(running.settle(), None, "one change may be longer than the queue");
    stage.hub.publish(&state("t", 200));
    stage.hub.publish(&state("u", 200));
    assert_eq!(running.settle(), None, "the shorter state has replaced the longer one");
    stage.hub.publish(&state("u", 900));
    assert_eq!(running.settle(), Some(End::TooSlow(SlowReason::QueueBytes(1_000))));
}

/// Field case C52.
#[test]
fn c52_a_stalled_reader_costs_bounded_memory_and_delays_nobody() {
    let limits = HubLimits { queue_bytes: 65_536, ..HubLimits::default() };
    let stage = Stage::new(limits);
    let me = Principal::loopback();
    let ids: Vec<String> = (0..8).map(|n| format!("t{n}")).collect();
    let filter = json!({ "taskIds": ids }).to_string();
    let (mut stalled, stalled_peer) = stage.open("1", &filter);
    let (mut merging, merging_peer) = stage.open("2", r#"{"taskIds":["t0"]}"#);
    let (mut healthy, healthy_peer) = stage.open("3", &filter);
    stalled_peer.behave(Manner::Stalls);
    merging_peer.behave(Manner::Stalls);
    let text = "x".repeat(10 * 1024);
    let state = |id| task(id, &me, &json!({ "taskId": id, "statusMessage": text }).to_string());
    let changes: Vec<Change> = ids.iter().map(|id| state(id)).collect();
    assert_eq!(healthy_peer.methods(), ["subscriptions/acknowledged"]);
    for change in changes.iter().cycle().take(100_000) {
        stage.hub.publish(change);
        healthy.settle();
        merging.settle();
        assert_eq!(healthy_peer.count(), 1, "a reader that keeps up hears everything");
    }
    assert_eq!(stalled.settle(), Some(End::TooSlow(SlowReason::QueueBytes(65_536))));
    assert_eq!(merging.settle(), None, "what waits for one topic is one change, however often it happens");
    merging_peer.behave(Manner::Reads);
    merging.settle();
    assert_eq!(merging_peer.methods(), ["subscriptions/acknowledged", "tasks", "tasks"]);
}

#[test]
fn a_thousand_stalled_streams_are_dropped_and_leave_nothing() {
    let stage = stage();
    let filter = r#"{"toolsListChanged":true}"#;
    let mut stalled: Vec<_> = (0..1_000).map(|_| stage.open("1", filter)).collect();
    stalled.iter().for_each(|(_, peer)| peer.behave(Manner::Stalls));
    stage.hub.publish(&Change::ToolsListChanged);
    stalled.iter_mut().for_each(|(running, _)| assert_eq!(running.settle(), None));
    stage.clock.advance(DEADLINE);
    let wanted = End::TooSlow(SlowReason::WriteDeadline(DEADLINE));
    stalled.iter_mut().for_each(|(running, _)| assert_eq!(running.settle(), Some(wanted.clone())));
    assert!(stage.hub.is_clear());
    assert_eq!(stage.hub.counts().missed_deadline, 1_000);
}
