//! Subscriptions and changed lists of the earlier era: streams of the current one, without an id and without an end.
//!
//! On a shared channel whoever serves a message may go on sending. So the message that asks to be told of changes is
//! served for as long as they are sent: a `resources/subscribe` until its `resources/unsubscribe`, a
//! `notifications/initialized` until the channel closes. Each stands for a `subscriptions/listen`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use pm_mcp_ports::driving::{Outbox, PeerGone};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

/// How many resources one client may subscribe to: each takes the place of a request in flight on its channel.
const MOST_SUBSCRIPTIONS: usize = 64;

/// What one client is told of.
#[derive(Default, Debug)]
pub(super) struct Changes {
    open: Mutex<BTreeMap<Topic, Arc<Notify>>>,
    numbers: AtomicU64,
}

/// What a stream is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Topic {
    /// The lists of tools, prompts and resources.
    Lists,
    /// The resource with this URI.
    Resource(String),
}

impl Topic {
    /// What a subscription of the current revision would ask for.
    pub(super) fn filter(&self) -> Value {
        match self {
            Self::Lists => {
                json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true})
            }
            Self::Resource(uri) => json!({"resourceSubscriptions": [uri]}),
        }
    }
}

/// Why a topic is not taken up.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum NotBegun {
    /// It is taken up already.
    Open,
    /// There are as many as one client may have.
    TooMany,
}

impl NotBegun {
    /// What a client that has too many is told.
    pub(super) fn too_many() -> String {
        format!(
            "one client may subscribe to no more than {MOST_SUBSCRIPTIONS} resources; unsubscribe from some"
        )
    }
}

impl Changes {
    /// Takes up a topic.
    pub(super) fn begin(&self, topic: &Topic) -> Result<Entry<'_>, NotBegun> {
        let mut open = self.lock();
        if open.contains_key(topic) {
            return Err(NotBegun::Open);
        }
        let resources = open.keys().filter(|topic| **topic != Topic::Lists).count();
        if *topic != Topic::Lists && resources >= MOST_SUBSCRIPTIONS {
            return Err(NotBegun::TooMany);
        }
        let end = Arc::new(Notify::new());
        open.insert(topic.clone(), Arc::clone(&end));
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        Ok(Entry { changes: self, topic: topic.clone(), end, number })
    }

    /// Ends a topic, if it is taken up.
    pub(super) fn end(&self, topic: &Topic) {
        if let Some(end) = self.lock().remove(topic) {
            end.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Topic, Arc<Notify>>> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A topic while its stream is open.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    changes: &'a Changes,
    topic: Topic,
    end: Arc<Notify>,
    number: u64,
}

impl Entry<'_> {
    /// The id of the stream as JSON text. The peer never sees it; ids of its own must not meet it.
    pub(super) fn id(&self) -> String {
        format!("\"earlier-revision:{}\"", self.number)
    }

    /// Ready when the topic was ended.
    pub(super) async fn ended(&self) {
        self.end.notified().await;
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let mut open = self.changes.lock();
        // It may have been ended and taken up anew meanwhile.
        if open.get(&self.topic).is_some_and(|end| Arc::ptr_eq(end, &self.end)) {
            open.remove(&self.topic);
        }
    }
}

/// Takes the messages of a stream and sends them as the earlier revisions write them.
pub(super) struct PlainOutbox<'a> {
    outbox: &'a mut dyn Outbox,
    /// What the first message, the acknowledgement, is replaced with.
    opening: Option<Option<Vec<u8>>>,
}

impl<'a> PlainOutbox<'a> {
    /// Sends `opening`, if there is one, in place of the acknowledgement.
    pub(super) fn new(outbox: &'a mut dyn Outbox, opening: Option<Vec<u8>>) -> Self {
        Self { outbox, opening: Some(opening) }
    }

    /// Whether the stream was acknowledged.
    pub(super) fn is_open(&self) -> bool {
        self.opening.is_none()
    }
}

#[async_trait]
impl Outbox for PlainOutbox<'_> {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        let message = match self.opening.take() {
            Some(opening) => opening,
            None => Some(plain(message)),
        };
        match message {
            Some(message) => self.outbox.send(message).await,
            None => Ok(()),
        }
    }
}

/// A notification without the id of a subscription, which is all that its `_meta` holds.
fn plain(message: Vec<u8>) -> Vec<u8> {
    let Ok(mut read) = serde_json::from_slice::<Map<String, Value>>(&message) else { return message };
    if let Some(params) = read.get_mut("params").and_then(Value::as_object_mut) {
        params.remove("_meta");
        if params.is_empty() {
            read.remove("params");
        }
    }
    serde_json::to_vec(&read).unwrap_or(message)
}
