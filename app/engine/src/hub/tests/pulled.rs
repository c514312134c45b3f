//! Streams whose transport asks for each message.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use pm_mcp_domain::ident::{Principal, RequestId};
use pm_mcp_domain::subscription::Change;
use serde_json::Value;

use super::stage::{Stage, granted, identity, name, raw, subscription, updated};
use crate::hub::{Ended, HubLimits, Listen, ListenRefused, Pulled, SlowReason, Subscription};

const ALL: &str = r#"{"toolsListChanged":true,"resourceSubscriptions":["a:1","a:2"]}"#;

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

struct Pull<'s> {
    stage: &'s Stage,
    subscription: Subscription,
    wakes: Arc<Wakes>,
}

impl<'s> Pull<'s> {
    fn open(stage: &'s Stage, filter: &str) -> Result<Self, ListenRefused> {
        let (id, principal, door) = (raw("\"x\""), Principal::loopback(), stage.hub.new_door());
        let id = RequestId::parse(&id).unwrap();
        let listen = Listen { id, filter: granted(filter), principal: &principal, door };
        let subscription = Subscription::open(&stage.hub, listen)?;
        Ok(Self { stage, subscription, wakes: Arc::default() })
    }

    /// What is next; nothing while there is nothing to say.
    fn next(&mut self) -> Option<Result<Value, Ended>> {
        let waker = Waker::from(Arc::clone(&self.wakes));
        let mut said = Vec::new();
        let mut say = |pieces: &[&[u8]]| said.push(pieces.concat());
        let step =
            self.subscription.poll_next(&mut Context::from_waker(&waker), &*self.stage.clock, &mut say);
        match step {
            Poll::Pending => {
                assert!(said.is_empty());
                None
            }
            Poll::Ready(Pulled::Message) => Some(Ok(serde_json::from_slice(&said.pop().unwrap()).unwrap())),
            Poll::Ready(Pulled::Ended(ended)) => {
                assert!(said.is_empty());
                Some(Err(ended))
            }
        }
    }

    /// The methods of all that is ready, and how the stream ended, if it did.
    fn settle(&mut self) -> (Vec<String>, Option<Ended>) {
        let mut methods = Vec::new();
        loop {
            match self.next() {
                Some(Ok(message)) => {
                    assert_eq!(subscription(&message), "x");
                    methods.push(name(&message));
                }
                Some(Err(ended)) => return (methods, Some(ended)),
                None => return (methods, None),
            }
        }
    }

    fn wakes(&self) -> usize {
        self.wakes.0.load(Ordering::SeqCst)
    }
}

#[test]
fn a_pulled_stream_says_what_a_carried_one_sends() {
    let stage = Stage::new(HubLimits::default());
    let mut pull = Pull::open(&stage, ALL).unwrap();
    stage.hub.publish(&Change::ToolsListChanged);
    assert_eq!(
        pull.settle().0,
        ["subscriptions/acknowledged", "tools/list_changed"],
        "a change before the acknowledgement is not lost"
    );
    for change in [updated("a:1"), updated("a:2"), updated("a:1"), updated("a:3")] {
        stage.hub.publish(&change);
    }
    assert_eq!(pull.wakes(), 1, "woken once for all that waits");
    assert_eq!(pull.settle(), (vec!["a:1".to_owned(), "a:2".to_owned()], None));
    stage.hub.publish(&updated("a:2"));
    stage.hub.close_all();
    stage.hub.publish(&updated("a:1"));
    let (last, ended) = pull.settle();
    let Some(Ended::Closed(live)) = ended else { panic!("{ended:?}") };
    let answer: Value = serde_json::from_slice(&live.end(&identity())).unwrap();
    assert_eq!(
        (last, name(&answer), subscription(&answer)),
        (vec!["a:2".to_owned()], "end".to_owned(), &"x".into())
    );
    drop(pull);
    assert!(stage.hub.is_clear());
    let counts = stage.hub.counts();
    assert_eq!((counts.open, counts.closed, counts.sent, counts.abandoned), (0, 1, 4, 0));
}

#[test]
fn a_pulled_stream_that_is_dropped_leaves_nothing() {
    let stage = Stage::new(HubLimits { streams: 1, ..HubLimits::default() });
    let pull = Pull::open(&stage, ALL).unwrap();
    assert!(matches!(Pull::open(&stage, ALL), Err(ListenRefused::TooManyStreams { limit: 1 })));
    drop(pull);
    assert!(stage.hub.is_clear());
    assert_eq!(stage.hub.counts().abandoned, 1);
}

#[test]
fn a_pulled_stream_for_which_too_much_waits_is_dropped() {
    let stage = Stage::new(HubLimits { queue_entries: 2, streams: 1, ..HubLimits::default() });
    let mut pull = Pull::open(&stage, ALL).unwrap();
    assert_eq!(pull.settle().1, None);
    for change in [Change::ToolsListChanged, updated("a:1"), updated("a:2")] {
        assert_eq!(stage.hub.counts().open, 1);
        stage.hub.publish(&change);
    }
    // Nobody asks for it meanwhile, as while a connection takes next to nothing, and its place is free all the same.
    assert_eq!((stage.hub.counts().open, stage.hub.counts().overflowed), (0, 1));
    assert!(stage.hub.is_clear());
    let mut next = Pull::open(&stage, ALL).unwrap();
    assert_eq!(pull.settle(), (Vec::new(), Some(Ended::TooSlow(SlowReason::QueueEntries(2)))));
    drop(pull);
    assert_eq!(stage.hub.counts().open, 1, "the end of the one before takes no place of another");
    stage.hub.publish(&updated("a:2"));
    assert_eq!(next.settle(), (vec!["subscriptions/acknowledged".to_owned(), "a:2".to_owned()], None));
    let counts = stage.hub.counts();
    assert_eq!((counts.overflowed, counts.abandoned), (1, 0));
}

#[test]
fn all_that_waits_at_the_end_of_a_pulled_stream_shares_one_deadline() {
    let limits = HubLimits::default();
    let stage = Stage::new(limits);
    let mut pull = Pull::open(&stage, ALL).unwrap();
    assert_eq!(pull.settle().1, None);
    for change in [Change::ToolsListChanged, updated("a:1"), updated("a:2")] {
        stage.hub.publish(&change);
    }
    stage.hub.close_all();
    stage.clock.advance(limits.write_deadline * 2);
    assert!(matches!(pull.next(), Some(Ok(_))), "it begins with the first message");
    stage.clock.advance(limits.write_deadline);
    assert!(matches!(pull.next(), Some(Ok(_))));
    stage.clock.advance(std::time::Duration::from_millis(1));
    let reason = SlowReason::WriteDeadline(limits.write_deadline);
    assert_eq!(pull.next(), Some(Err(Ended::TooSlow(reason))));
    assert_eq!(stage.hub.counts().missed_deadline, 1);
}

#[test]
fn a_pulled_stream_with_much_to_say_lets_others_have_their_turn() {
    let stage = Stage::new(HubLimits::default());
    let uris: Vec<String> = (0..40).map(|number| format!("\"a:{number}\"")).collect();
    let mut pull =
        Pull::open(&stage, &format!(r#"{{"resourceSubscriptions":[{}]}}"#, uris.join(","))).unwrap();
    assert_eq!(pull.settle().1, None);
    for number in 0..40 {
        stage.hub.publish(&updated(&format!("a:{number}")));
    }
    let before = pull.wakes();
    let (first, _) = pull.settle();
    assert_eq!(pull.wakes(), before + 1, "it asks to be polled again");
    let (second, _) = pull.settle();
    assert_eq!((first.len(), second.len()), (32, 8));
}
