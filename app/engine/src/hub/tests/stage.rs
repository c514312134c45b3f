//! A hub, a clock and peers that do as they are told.

use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_domain::ident::{Principal, RequestId};
use pm_mcp_domain::subscription::{Change, DoorId, Filter, FilterLimits, TaskState};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_domain::wire::{Implementation, ServerIdentity};
use pm_mcp_ports::driven::Clock;
use pm_mcp_ports::driving::{Outbox, PeerGone};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::hub::{Ended, Hub, HubLimits, Listen, ListenRefused, SlowReason};

/// A clock that stands still until it is moved.
#[derive(Default, Debug)]
pub(super) struct HandClock(Mutex<(i64, Vec<Waker>)>);

impl HandClock {
    pub(super) fn advance(&self, span: Duration) {
        let mut state = self.0.lock().unwrap();
        state.0 += i64::try_from(span.as_millis()).unwrap();
        for waker in mem::take(&mut state.1) {
            waker.wake();
        }
    }
}

#[async_trait]
impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_ms(self.0.lock().unwrap().0)
    }

    async fn sleep_until(&self, instant: Timestamp) {
        poll_fn(|task| {
            let mut state = self.0.lock().unwrap();
            if state.0 >= instant.as_unix_ms() {
                return Poll::Ready(());
            }
            state.1.push(task.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

/// How a peer takes messages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Manner {
    #[default]
    Reads,
    Stalls,
    /// Takes one message, then stalls.
    ReadsOne,
    Gone,
}

#[derive(Default, Debug)]
struct Wire {
    manner: Manner,
    read: Vec<String>,
    blocked: Option<Waker>,
}

/// The far end of one stream.
#[derive(Clone, Default, Debug)]
pub(super) struct Peer(Arc<Mutex<Wire>>);

impl Peer {
    pub(super) fn behave(&self, manner: Manner) {
        let mut wire = self.0.lock().unwrap();
        wire.manner = manner;
        if let Some(waker) = wire.blocked.take() {
            waker.wake();
        }
    }

    /// How many messages were read since the last look.
    pub(super) fn count(&self) -> usize {
        mem::take(&mut self.0.lock().unwrap().read).len()
    }

    /// What was read since the last look.
    pub(super) fn take(&self) -> Vec<Value> {
        let read = mem::take(&mut self.0.lock().unwrap().read);
        read.iter().map(|message| serde_json::from_str(message).unwrap()).collect()
    }

    /// The methods of what was read since the last look, shortened; `end` is the final result.
    pub(super) fn methods(&self) -> Vec<String> {
        self.take().iter().map(name).collect()
    }
}

/// A message's method without what all have in common; `end` for a result.
pub(super) fn name(message: &Value) -> String {
    match message["method"].as_str() {
        Some("notifications/resources/updated") => message["params"]["uri"].as_str().unwrap().to_owned(),
        Some(method) => method.trim_start_matches("notifications/").to_owned(),
        None => {
            assert_eq!(message["result"]["resultType"], "complete", "{message}");
            "end".to_owned()
        }
    }
}

/// The id of the subscription that a message belongs to.
pub(super) fn subscription(message: &Value) -> &Value {
    let part = if message["method"].is_null() { "result" } else { "params" };
    &message[part]["_meta"]["io.modelcontextprotocol/subscriptionId"]
}

#[async_trait]
impl Outbox for Peer {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        let mut message = Some(String::from_utf8(message).unwrap());
        poll_fn(|task| {
            let mut wire = self.0.lock().unwrap();
            match wire.manner {
                manner @ (Manner::Reads | Manner::ReadsOne) => {
                    if manner == Manner::ReadsOne {
                        wire.manner = Manner::Stalls;
                    }
                    wire.read.extend(message.take());
                    Poll::Ready(Ok(()))
                }
                Manner::Stalls => {
                    wire.blocked = Some(task.waker().clone());
                    Poll::Pending
                }
                Manner::Gone => Poll::Ready(Err(PeerGone)),
            }
        })
        .await
    }
}

/// How a stream ended, with the final result already sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    Closed,
    PeerGone,
    TooSlow(SlowReason),
    Refused(ListenRefused),
}

/// Says that a task is to be polled again, and counts how often it was.
#[derive(Debug)]
struct Woken {
    now: AtomicBool,
    times: AtomicUsize,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.now.store(true, Ordering::SeqCst);
        self.times.fetch_add(1, Ordering::SeqCst);
    }
}

/// A stream being carried; it is polled only when it was woken, so that a lost wake-up shows.
pub(super) struct Running {
    future: Option<Pin<Box<dyn Future<Output = End> + Send>>>,
    woken: Arc<Woken>,
    end: Option<End>,
}

impl Running {
    /// Goes on for as long as there is something to do; tells the end, if it is reached.
    pub(super) fn settle(&mut self) -> Option<End> {
        while self.future.is_some() && self.woken.now.load(Ordering::SeqCst) {
            self.poll_once();
        }
        self.end.clone()
    }

    pub(super) fn poll_once(&mut self) {
        self.woken.now.store(false, Ordering::SeqCst);
        let waker = Waker::from(Arc::clone(&self.woken));
        if let Some(future) = &mut self.future
            && let Poll::Ready(end) = future.as_mut().poll(&mut Context::from_waker(&waker))
        {
            self.end = Some(end);
            self.future = None;
        }
    }

    /// How often it was woken.
    pub(super) fn wakes(&self) -> usize {
        self.woken.times.load(Ordering::SeqCst)
    }

    /// Gives the stream up, as a transport does when the peer cancels or disconnects.
    pub(super) fn abandon(&mut self) {
        self.future = None;
    }
}

/// A hub and its clock.
pub(super) struct Stage {
    pub(super) hub: Arc<Hub>,
    pub(super) clock: Arc<HandClock>,
}

impl Stage {
    pub(super) fn new(limits: HubLimits) -> Self {
        Self { hub: Arc::new(Hub::new(limits)), clock: Arc::default() }
    }

    /// A stream at a door of its own, run up to where it waits.
    pub(super) fn open(&self, id: &str, filter: &str) -> (Running, Peer) {
        self.open_at(self.hub.new_door(), id, filter, &Principal::loopback())
    }

    pub(super) fn open_at(
        &self,
        door: DoorId,
        id: &str,
        filter: &str,
        principal: &Principal,
    ) -> (Running, Peer) {
        let peer = Peer::default();
        let mut running = self.start(door, id, filter, principal, peer.clone());
        running.settle();
        (running, peer)
    }

    /// A stream that has not done anything yet.
    pub(super) fn start(
        &self,
        door: DoorId,
        id: &str,
        filter: &str,
        principal: &Principal,
        mut peer: Peer,
    ) -> Running {
        let (hub, clock, principal) = (Arc::clone(&self.hub), Arc::clone(&self.clock), principal.clone());
        let (id, filter) = (raw(id), granted(filter));
        let future = async move {
            let id = RequestId::parse(&id).unwrap();
            let listen = Listen { id, filter, principal: &principal, door };
            match hub.listen(listen, &mut peer, &*clock).await {
                Ok(Ended::Closed(live)) => {
                    assert_eq!(peer.send(live.end(&identity())).await, Ok(()));
                    End::Closed
                }
                Ok(Ended::PeerGone) => End::PeerGone,
                Ok(Ended::TooSlow(reason)) => End::TooSlow(reason),
                Err(refused) => End::Refused(refused),
            }
        };
        let woken = Arc::new(Woken { now: AtomicBool::new(true), times: AtomicUsize::new(0) });
        Running { future: Some(Box::pin(future)), woken, end: None }
    }
}

pub(super) fn raw(json: &str) -> Box<RawValue> {
    serde_json::from_str(json).unwrap()
}

pub(super) fn granted(filter: &str) -> Filter {
    Filter::parse(Some(&raw(filter)), &FilterLimits::default()).unwrap()
}

pub(super) fn identity() -> ServerIdentity {
    ServerIdentity::new(Implementation { name: "hub".into(), title: None, version: "1".into() })
}

pub(super) fn updated(uri: &str) -> Change {
    Change::ResourceUpdated { uri: Arc::from(uri) }
}

pub(super) fn task(id: &str, principal: &Principal, state: &str) -> Change {
    let state = TaskState::try_from(state).unwrap();
    Change::TaskChanged { task: Arc::from(id), principal: principal.clone(), state }
}
