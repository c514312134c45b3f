//! How streams end.

use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::Change;

use super::stage::{End, Manner, Peer, Stage, subscription, updated};
use crate::hub::{HubLimits, ListenRefused, SlowReason};

const TOOLS: &str = r#"{"toolsListChanged":true}"#;

#[test]
fn a_door_that_closes_ends_its_streams_and_no_other() {
    let stage = Stage::new(HubLimits::default());
    let (stdio, me) = (stage.hub.new_door(), Principal::loopback());
    let mut of_stdio: Vec<_> =
        ["1", "\"1\"", "2"].into_iter().map(|id| stage.open_at(stdio, id, TOOLS, &me)).collect();
    let (mut of_http, http_reads) = stage.open("1", TOOLS);
    stage.hub.publish(&Change::ToolsListChanged);
    stage.hub.close_door(stdio);
    stage.hub.publish(&Change::ToolsListChanged);
    for (running, peer) in &mut of_stdio {
        assert_eq!(running.settle(), Some(End::Closed));
        assert_eq!(peer.methods(), ["subscriptions/acknowledged", "tools/list_changed", "end"]);
    }
    assert_eq!(of_http.settle(), None);
    stage.hub.publish(&Change::ToolsListChanged);
    assert_eq!(of_http.settle(), None);
    assert_eq!(
        http_reads.methods(),
        ["subscriptions/acknowledged", "tools/list_changed", "tools/list_changed"]
    );
    assert_eq!(stage.hub.counts().closed, 3);
}

/// Field case C56, the server's part.
#[test]
fn c56_the_final_result_carries_the_id_and_is_the_last_message() {
    let stage = Stage::new(HubLimits::default());
    let (mut running, peer) = stage.open("\"x\"", TOOLS);
    stage.hub.close_all();
    assert_eq!(running.settle(), Some(End::Closed));
    stage.hub.publish(&Change::ToolsListChanged);
    let read = peer.take();
    let [_, end] = &*read else { panic!("{read:?}") };
    assert_eq!((&end["id"], subscription(end)), (&"x".into(), &"x".into()));
}

#[test]
fn no_stream_is_opened_once_all_are_ended() {
    let stage = Stage::new(HubLimits::default());
    stage.hub.close_all();
    let (mut running, peer) = stage.open("1", TOOLS);
    assert_eq!(running.settle(), Some(End::Refused(ListenRefused::ShuttingDown)));
    assert!(peer.take().is_empty());
}

#[test]
fn a_stream_that_is_closed_before_its_acknowledgement_is_still_acknowledged() {
    let stage = Stage::new(HubLimits::default());
    let peer = Peer::default();
    peer.behave(Manner::Stalls);
    let mut running = stage.start(stage.hub.new_door(), "1", TOOLS, &Principal::loopback(), peer.clone());
    running.settle();
    stage.hub.close_all();
    peer.behave(Manner::Reads);
    assert_eq!(running.settle(), Some(End::Closed));
    assert_eq!(peer.methods(), ["subscriptions/acknowledged", "end"]);
}

#[test]
fn what_remains_at_the_end_shares_one_deadline() {
    let deadline = Duration::from_secs(5);
    let stage = Stage::new(HubLimits { write_deadline: deadline, ..HubLimits::default() });
    let (mut running, peer) = stage.open("1", r#"{"resourceSubscriptions":["a:1","a:2","a:3"]}"#);
    peer.behave(Manner::Stalls);
    for uri in ["a:1", "a:2", "a:3"] {
        stage.hub.publish(&updated(uri));
    }
    stage.hub.close_all();
    running.settle();
    for _ in 0..2 {
        stage.clock.advance(deadline / 2 - Duration::from_millis(1));
        assert_eq!(running.settle(), None);
        peer.behave(Manner::ReadsOne);
        running.settle();
    }
    stage.clock.advance(Duration::from_millis(2));
    assert_eq!(running.settle(), Some(End::TooSlow(SlowReason::WriteDeadline(deadline))));
    assert_eq!(peer.methods(), ["subscriptions/acknowledged", "a:1", "a:2"]);
}

#[test]
fn a_peer_that_has_gone_ends_its_own_stream_only() {
    let stage = Stage::new(HubLimits::default());
    let (mut gone, gone_peer) = stage.open("1", TOOLS);
    let (mut healthy, healthy_peer) = stage.open("1", TOOLS);
    gone_peer.behave(Manner::Gone);
    stage.hub.publish(&Change::ToolsListChanged);
    assert_eq!((gone.settle(), healthy.settle()), (Some(End::PeerGone), None));
    assert_eq!(healthy_peer.methods(), ["subscriptions/acknowledged", "tools/list_changed"]);
    let counts = stage.hub.counts();
    assert_eq!((counts.open, counts.peer_gone, counts.abandoned), (1, 1, 0));
}

#[test]
fn a_stream_that_is_given_up_is_forgotten_at_once() {
    let stage = Stage::new(HubLimits::default());
    let (mut running, peer) = stage.open("1", TOOLS);
    peer.behave(Manner::Stalls);
    stage.hub.publish(&Change::ToolsListChanged);
    running.settle();
    running.abandon();
    assert!(stage.hub.is_clear());
    peer.behave(Manner::Reads);
    stage.hub.publish(&Change::ToolsListChanged);
    assert_eq!(peer.methods(), ["subscriptions/acknowledged"]);
    assert_eq!(stage.hub.counts().abandoned, 1);
}

/// Field case C54.
#[test]
fn c54_an_update_and_the_end_at_once_a_thousand_times() {
    let (mut before, mut after) = (0, 0);
    for round in 0..1_000_u32 {
        let stage = Stage::new(HubLimits::default());
        let (mut running, peer) = stage.open("1", TOOLS);
        let start = Arc::new(Barrier::new(3));
        // Spinning a little on either side moves the meeting point through both orders.
        let publisher = {
            let (hub, start) = (Arc::clone(&stage.hub), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                (0..round % 37).for_each(|_| std::hint::spin_loop());
                hub.publish(&Change::ToolsListChanged);
            })
        };
        let closer = {
            let (hub, start) = (Arc::clone(&stage.hub), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                (0..round % 41).for_each(|_| std::hint::spin_loop());
                hub.close_all();
            })
        };
        start.wait();
        running.settle();
        publisher.join().unwrap();
        closer.join().unwrap();
        assert_eq!(running.settle(), Some(End::Closed));
        stage.hub.publish(&Change::ToolsListChanged);
        match &*peer.methods() {
            [first, end] if first == "subscriptions/acknowledged" && end == "end" => after += 1,
            [first, update, end]
                if first == "subscriptions/acknowledged"
                    && update == "tools/list_changed"
                    && end == "end" =>
            {
                before += 1;
            }
            other => panic!("{other:?}"),
        }
        assert!(stage.hub.is_clear());
    }
    assert_eq!(before + after, 1_000);
}

/// The two orders of field case C54, without chance.
#[test]
fn c54_an_update_before_the_end_precedes_the_final_result_and_one_after_it_is_not_sent() {
    for published_first in [true, false] {
        let stage = Stage::new(HubLimits::default());
        let (mut running, peer) = stage.open("1", TOOLS);
        if published_first {
            stage.hub.publish(&Change::ToolsListChanged);
            stage.hub.close_all();
        } else {
            stage.hub.close_all();
            stage.hub.publish(&Change::ToolsListChanged);
        }
        assert_eq!(running.settle(), Some(End::Closed));
        let update = published_first.then_some("tools/list_changed");
        let wanted: Vec<&str> =
            ["subscriptions/acknowledged"].into_iter().chain(update).chain(["end"]).collect();
        assert_eq!(peer.methods(), wanted);
    }
}
