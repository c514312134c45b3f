//! Who hears what, and in which order.

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::{Change, Offers};
use serde_json::json;

use super::stage::{End, Manner, Peer, Stage, granted, name, subscription, task, updated};
use crate::hub::HubLimits;

const EVERYTHING: &str = r#"{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,
    "resourceSubscriptions":["a:1","a:2"],"taskIds":["t"]}"#;

#[test]
fn the_acknowledgement_comes_first_and_no_change_is_lost_behind_it() {
    let stage = Stage::new(HubLimits::default());
    let peer = Peer::default();
    peer.behave(Manner::Stalls);
    let mut running =
        stage.start(stage.hub.new_door(), "1", EVERYTHING, &Principal::loopback(), peer.clone());
    running.settle();
    stage.hub.publish(&Change::ToolsListChanged);
    running.settle();
    assert!(peer.take().is_empty(), "nothing may overtake the acknowledgement");
    peer.behave(Manner::Reads);
    assert_eq!(running.settle(), None);
    assert_eq!(peer.methods(), ["subscriptions/acknowledged", "tools/list_changed"]);
}

#[test]
fn changes_arrive_in_the_order_in_which_they_were_published() {
    let stage = Stage::new(HubLimits::default());
    let (mut running, peer) = stage.open("1", EVERYTHING);
    for change in [
        updated("a:2"),
        Change::PromptsListChanged,
        task("t", &Principal::loopback(), r#"{"taskId":"t","status":"working"}"#),
        Change::ResourcesListChanged,
        updated("a:1"),
        Change::ToolsListChanged,
    ] {
        stage.hub.publish(&change);
    }
    running.settle();
    assert_eq!(
        peer.methods(),
        [
            "subscriptions/acknowledged",
            "a:2",
            "prompts/list_changed",
            "tasks",
            "resources/list_changed",
            "a:1",
            "tools/list_changed"
        ]
    );
}

#[test]
fn only_what_was_asked_for_is_sent_and_uris_match_exactly() {
    let stage = Stage::new(HubLimits::default());
    let (mut running, peer) = stage.open("1", r#"{"resourceSubscriptions":["file:///a"]}"#);
    for change in [
        Change::ToolsListChanged,
        Change::PromptsListChanged,
        Change::ResourcesListChanged,
        updated("file:///a/b"),
        updated("file:///A"),
        updated("file:///"),
    ] {
        stage.hub.publish(&change);
    }
    assert_eq!(running.wakes(), 0, "an unwanted change does not even wake the stream");
    stage.hub.publish(&updated("file:///a"));
    running.settle();
    assert_eq!(peer.methods(), ["subscriptions/acknowledged", "file:///a"]);
}

#[test]
fn a_task_is_told_of_to_its_owner_alone() {
    let stage = Stage::new(HubLimits::default());
    let (anna, otto) = (Principal::local("anna"), Principal::local("otto"));
    let filter = r#"{"taskIds":["t"]}"#;
    let (mut of_anna, anna_reads) = stage.open_at(stage.hub.new_door(), "1", filter, &anna);
    let (mut of_otto, otto_reads) = stage.open_at(stage.hub.new_door(), "1", filter, &otto);
    stage.hub.publish(&task("t", &anna, r#"{"taskId":"t","status":"completed","result":{}}"#));
    of_anna.settle();
    of_otto.settle();
    let read = anna_reads.take();
    assert_eq!(
        read[1]["params"],
        json!({
            "_meta": { "io.modelcontextprotocol/subscriptionId": 1 },
            "taskId": "t", "status": "completed", "result": {},
        })
    );
    assert_eq!(read.len(), 2);
    assert_eq!(otto_reads.methods(), ["subscriptions/acknowledged"]);
}

/// Field case C53.
#[test]
fn c53_each_id_is_acknowledged_first_and_hears_only_its_own_kinds() {
    let stage = Stage::new(HubLimits::default());
    let (stdio, http) = (stage.hub.new_door(), stage.hub.new_door());
    let me = Principal::loopback();
    let publish = || {
        for change in [Change::ToolsListChanged, Change::PromptsListChanged, updated("a:1"), updated("a:2")] {
            stage.hub.publish(&change);
        }
    };
    // Both streams of the stdio connection write to one peer, as they do in truth.
    let shared = Peer::default();
    let offered = Offers { prompts_list: false, ..all() };
    let unsupported = r#"{"promptsListChanged":true,"toolsListChanged":true}"#;
    assert_eq!(granted(unsupported).accepted(offered), granted(r#"{"toolsListChanged":true}"#));
    let mut streams = vec![];
    for (door, id, filter, peer) in [
        (stdio, "5", r#"{"toolsListChanged":true}"#, shared.clone()),
        (stdio, "\"5\"", r#"{"resourceSubscriptions":["a:1"]}"#, shared.clone()),
        (http, "5", r#"{"resourceSubscriptions":["a:2"]}"#, Peer::default()),
    ] {
        publish();
        streams.push((stage.start(door, id, filter, &me, peer.clone()), peer));
        publish();
        for _ in 0..3 {
            streams.iter_mut().for_each(|(running, _)| running.poll_once());
            publish();
        }
    }
    streams.iter_mut().for_each(|(running, _)| assert_eq!(running.settle(), None));
    for (messages, id, kind) in
        [(shared.take(), json!(5), "tools/list_changed"), (streams[2].1.take(), json!(5), "a:2")]
    {
        let of = |id: &serde_json::Value| -> Vec<String> {
            messages.iter().filter(|message| subscription(message) == id).map(name).collect()
        };
        let mine = of(&id);
        assert_eq!(mine[0], "subscriptions/acknowledged");
        assert!(mine.len() > 3 && mine[1..].iter().all(|name| name == kind), "{mine:?}");
        let other = of(&json!("5"));
        assert_eq!(mine.len() + other.len(), messages.len(), "every message carries an id: {messages:?}");
        if let [first, rest @ ..] = &*other {
            assert_eq!(first, "subscriptions/acknowledged");
            assert!(rest.len() > 2 && rest.iter().all(|name| name == "a:1"), "{rest:?}");
        }
    }
}

/// Field case C55.
#[test]
fn c55_one_message_a_stream_however_often_the_uri_is_listed() {
    let stage = Stage::new(HubLimits::default());
    let (mut twice, twice_reads) = stage.open("1", r#"{"resourceSubscriptions":["a:1","a:1"]}"#);
    let (mut once, once_reads) = stage.open("2", r#"{"resourceSubscriptions":["a:1"]}"#);
    twice.abandon();
    stage.hub.publish(&updated("a:1"));
    assert_eq!((twice.settle(), once.settle()), (None, None));
    assert_eq!(twice_reads.methods(), ["subscriptions/acknowledged"]);
    assert_eq!(once_reads.methods(), ["subscriptions/acknowledged", "a:1"]);
    once.abandon();
    stage.hub.publish(&updated("a:1"));
    assert!(twice_reads.take().is_empty() && once_reads.take().is_empty());
    assert!(stage.hub.is_clear());
    let (mut again, reads) = stage.open("1", r#"{"resourceSubscriptions":["a:1","a:1"]}"#);
    stage.hub.publish(&updated("a:1"));
    assert_eq!(again.settle(), None);
    assert_eq!(reads.methods(), ["subscriptions/acknowledged", "a:1"]);
}

#[test]
fn a_peer_that_reads_fast_leaves_others_their_turn() {
    let stage = Stage::new(HubLimits::default());
    let uris: Vec<String> = (0..100).map(|n| format!("a:{n}")).collect();
    let filter = json!({ "resourceSubscriptions": uris }).to_string();
    let (mut running, peer) = stage.open("1", &filter);
    peer.take();
    uris.iter().for_each(|uri| stage.hub.publish(&updated(uri)));
    running.poll_once();
    let first = peer.take().len();
    assert!((1..100).contains(&first), "{first} messages in one turn");
    assert_eq!(running.settle(), None::<End>);
    assert_eq!(first + peer.take().len(), 100);
}

fn all() -> Offers {
    Offers { tools_list: true, prompts_list: true, resources_list: true, resource_updates: true, tasks: true }
}
