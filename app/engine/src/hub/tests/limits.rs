//! How many streams there may be, and what one costs.

use std::mem::{size_of, size_of_val};

use pm_mcp_domain::ident::{Principal, RequestId};
use pm_mcp_domain::subscription::{Change, Filter};

use super::stage::{End, HandClock, Peer, Stage, raw};
use crate::hub::registry::Stream;
use crate::hub::{Hub, HubLimits, Listen, ListenRefused};

#[test]
fn the_stream_after_the_last_is_refused_until_one_ends() {
    let stage = Stage::new(HubLimits { streams: 3, ..HubLimits::default() });
    let mut open: Vec<_> = (0..3).map(|_| stage.open("1", "{}")).collect();
    let (mut refused, peer) = stage.open("1", "{}");
    assert_eq!(refused.settle(), Some(End::Refused(ListenRefused::TooManyStreams { limit: 3 })));
    assert!(peer.take().is_empty());
    open[1].0.abandon();
    let (mut admitted, peer) = stage.open("1", "{}");
    assert_eq!(admitted.settle(), None);
    assert_eq!(peer.methods(), ["subscriptions/acknowledged"]);
    let counts = stage.hub.counts();
    assert_eq!((counts.open, counts.opened, counts.refused, counts.abandoned), (3, 4, 1, 1));
}

#[test]
fn one_principal_cannot_take_the_streams_of_others() {
    let stage = Stage::new(HubLimits { streams_per_principal: 2, ..HubLimits::default() });
    let (anna, otto) = (Principal::local("anna"), Principal::local("otto"));
    let open = |principal: &Principal| stage.open_at(stage.hub.new_door(), "1", "{}", principal).0;
    let mut of_anna = [open(&anna), open(&anna)];
    let refused = Some(End::Refused(ListenRefused::TooManyOfPrincipal { limit: 2 }));
    assert_eq!(open(&anna).settle(), refused);
    assert_eq!(open(&otto).settle(), None);
    of_anna[0].abandon();
    let mut third = open(&anna);
    assert_eq!(third.settle(), None);
    assert_eq!(open(&anna).settle(), refused);
}

#[test]
fn an_id_in_use_is_refused_at_its_own_door_only() {
    let stage = Stage::new(HubLimits::default());
    let (me, stdio, http) = (Principal::loopback(), stage.hub.new_door(), stage.hub.new_door());
    let open = |door, id| stage.open_at(door, id, r#"{"toolsListChanged":true}"#, &me);
    let (mut first, first_reads) = open(stdio, "5");
    let (mut again, again_reads) = open(stdio, "5");
    assert_eq!(again.settle(), Some(End::Refused(ListenRefused::IdInUse { id: "5".to_owned() })));
    assert!(again_reads.take().is_empty());
    let (mut text, _) = open(stdio, "\"5\"");
    let (mut other, _) = open(http, "5");
    assert_eq!((text.settle(), other.settle()), (None, None));
    stage.hub.publish(&Change::ToolsListChanged);
    assert_eq!(first.settle(), None, "the refusal leaves the stream that has the id");
    assert_eq!(first_reads.methods(), ["subscriptions/acknowledged", "tools/list_changed"]);
    first.abandon();
    assert_eq!(open(stdio, "5").0.settle(), None);
}

#[test]
fn an_id_may_be_as_long_as_the_limit_and_no_longer() {
    let stage = Stage::new(HubLimits { id_bytes: 10, ..HubLimits::default() });
    assert_eq!(stage.open("\"12345678\"", "{}").0.settle(), None);
    let refused = Some(End::Refused(ListenRefused::IdTooLong { limit: 10 }));
    assert_eq!(stage.open("\"123456789\"", "{}").0.settle(), refused);
}

#[test]
fn refusals_name_what_was_reached() {
    for (refused, words) in [
        (ListenRefused::TooManyStreams { limit: 7 }, "7 subscription streams"),
        (ListenRefused::TooManyOfPrincipal { limit: 7 }, "7 subscription streams"),
        (ListenRefused::IdInUse { id: "\"a\"".to_owned() }, "id \"a\" is open"),
        (ListenRefused::IdTooLong { limit: 7 }, "7 bytes"),
        (ListenRefused::ShuttingDown, "shutting down"),
    ] {
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

#[test]
fn an_idle_stream_is_small() {
    let (hub, clock, mut peer) = (Hub::new(HubLimits::default()), HandClock::default(), Peer::default());
    let (id, principal) = (raw("1"), Principal::loopback());
    let id = RequestId::parse(&id).unwrap();
    let listen = Listen { id, filter: Filter::default(), principal: &principal, door: hub.new_door() };
    let future = size_of_val(&hub.listen(listen, &mut peer, &clock));
    let record = size_of::<Stream>();
    assert!(future <= 512, "the future of a stream has {future} bytes");
    assert!(record <= 192, "the record of a stream has {record} bytes");
}

#[test]
fn ten_thousand_streams_hear_of_one_change_and_leave_nothing() {
    let stage = Stage::new(HubLimits { streams_per_principal: 10_000, ..HubLimits::default() });
    let mut open: Vec<_> = (0..10_000)
        .map(|n| {
            let filter = format!(r#"{{"toolsListChanged":true,"resourceSubscriptions":["a:{}"]}}"#, n % 100);
            stage.open("1", &filter)
        })
        .collect();
    stage.hub.publish(&Change::ToolsListChanged);
    for (running, peer) in &mut open {
        assert_eq!(running.settle(), None);
        assert_eq!(peer.methods(), ["subscriptions/acknowledged", "tools/list_changed"]);
    }
    stage.hub.publish(&super::stage::updated("a:7"));
    let woken = open.iter_mut().map(|(running, peer)| (running.settle(), peer.take().len()));
    assert_eq!(woken.map(|(_, read)| read).sum::<usize>(), 100);
    drop(open);
    assert!(stage.hub.is_clear());
    assert_eq!(stage.hub.counts().open, 0);
}
