//! Which streams there are, and who wants what.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;
use std::task::Waker;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::{Change, DoorId, EncodedChange, Topic};

use super::limits::HubLimits;
use super::listen::{Listen, ListenRefused, SlowReason};
use super::mailbox::{Mailbox, Put};

/// Tables this small are left as they are when they empty.
const KEPT_CAPACITY: usize = 64;

/// One open stream.
#[derive(Debug)]
pub(super) struct Stream {
    /// Tells streams apart that have the same key one after the other; grows with each stream.
    pub(super) number: u64,
    pub(super) key: StreamKey,
    pub(super) principal: Principal,
    topics: Box<[Topic]>,
    pub(super) mailbox: Mailbox,
}

/// What is unique among open streams: an id may be in use at several doors.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct StreamKey {
    pub(super) door: DoorId,
    /// The id's JSON text, so that 5 and "5" differ.
    id: Arc<str>,
}

/// A stream that wants to hear of a topic, which is number `slot` of its own topics.
#[derive(Debug)]
struct Subscriber {
    stream: Arc<Stream>,
    slot: u32,
}

/// The open streams and the index from topics to them.
#[derive(Default, Debug)]
pub(super) struct Registry {
    streams: BTreeMap<StreamKey, Arc<Stream>>,
    /// Ordered by the streams' numbers; no entry is empty.
    subscribers: HashMap<Topic, Vec<Subscriber>>,
    per_principal: HashMap<Principal, usize>,
    last_number: u64,
    shut: bool,
}

/// What became of a change.
#[derive(Default, Debug)]
pub(super) struct Delivery {
    pub(super) queued: u64,
    pub(super) merged: u64,
    /// The streams for which it was one too many.
    pub(super) overflowed: Vec<(Arc<Stream>, SlowReason)>,
    /// The writers that have something to do now.
    pub(super) wakers: Vec<Waker>,
}

impl Registry {
    /// Opens a stream: from here on every change that it wants waits for it.
    pub(super) fn register(
        &mut self,
        listen: &Listen<'_>,
        limits: &HubLimits,
    ) -> Result<Arc<Stream>, ListenRefused> {
        let id = listen.id.as_json();
        if self.shut {
            return Err(ListenRefused::ShuttingDown);
        }
        if id.len() > limits.id_bytes {
            return Err(ListenRefused::IdTooLong { limit: limits.id_bytes });
        }
        let key = StreamKey { door: listen.door, id: Arc::from(id) };
        if self.streams.contains_key(&key) {
            return Err(ListenRefused::IdInUse { id: id.to_owned() });
        }
        if self.streams.len() >= limits.streams {
            return Err(ListenRefused::TooManyStreams { limit: limits.streams });
        }
        let held = self.per_principal.get(listen.principal).copied().unwrap_or(0);
        if held >= limits.streams_per_principal {
            return Err(ListenRefused::TooManyOfPrincipal { limit: limits.streams_per_principal });
        }
        self.per_principal.insert(listen.principal.clone(), held + 1);
        self.last_number += 1;
        let number = self.last_number;
        let principal = listen.principal.clone();
        let topics = listen.filter.topics().map(|topic| self.shared(topic)).collect();
        let stream = Arc::new(Stream { number, key, principal, topics, mailbox: Mailbox::default() });
        for (slot, topic) in (0..).zip(&stream.topics) {
            let subscriber = Subscriber { stream: Arc::clone(&stream), slot };
            self.subscribers.entry(topic.clone()).or_default().push(subscriber);
        }
        self.streams.insert(stream.key.clone(), Arc::clone(&stream));
        Ok(stream)
    }

    /// The same topic with the text that the index already holds, so that many streams of one URI keep one copy.
    fn shared(&self, topic: Topic) -> Topic {
        self.subscribers.get_key_value(&topic).map_or(topic, |(known, _)| known.clone())
    }

    /// Forgets a stream; does nothing when it is forgotten already.
    pub(super) fn unregister(&mut self, stream: &Stream) {
        if self.streams.get(&stream.key).is_none_or(|open| open.number != stream.number) {
            return;
        }
        self.streams.remove(&stream.key);
        if let Entry::Occupied(mut held) = self.per_principal.entry(stream.principal.clone()) {
            match held.get() {
                0 | 1 => {
                    held.remove();
                }
                more => *held.get_mut() = more - 1,
            }
        }
        self.mute(stream);
        shrink(&mut self.per_principal);
    }

    /// Sends the stream no further changes; it still counts as open.
    fn mute(&mut self, stream: &Stream) {
        for topic in &stream.topics {
            let Some(subscribers) = self.subscribers.get_mut(topic) else { continue };
            if let Ok(place) = subscribers.binary_search_by_key(&stream.number, |other| other.stream.number) {
                subscribers.remove(place);
            }
            if subscribers.is_empty() {
                self.subscribers.remove(topic);
            } else if subscribers.capacity() > KEPT_CAPACITY.max(4 * subscribers.len()) {
                subscribers.shrink_to(2 * subscribers.len());
            }
        }
        shrink(&mut self.subscribers);
    }

    pub(super) fn is_wanted(&self, topic: &Topic) -> bool {
        self.subscribers.contains_key(topic)
    }

    pub(super) fn wanted(&self) -> Vec<Topic> {
        self.subscribers.keys().cloned().collect()
    }

    /// Puts a change into the mailbox of every stream that wants to hear of it.
    pub(super) fn deliver(
        &mut self,
        topic: &Topic,
        change: &Change,
        encoded: &Arc<EncodedChange>,
        limits: &HubLimits,
    ) -> Delivery {
        let mut delivery = Delivery::default();
        for Subscriber { stream, slot } in self.subscribers.get(topic).into_iter().flatten() {
            if !change.concerns(&stream.principal) {
                continue;
            }
            match stream.mailbox.put(*slot, encoded, limits, &mut delivery.wakers) {
                Put::Queued => delivery.queued += 1,
                Put::Merged => delivery.merged += 1,
                Put::Overflowed(reason) => delivery.overflowed.push((Arc::clone(stream), reason)),
                Put::Ignored => {}
            }
        }
        // Its place is free at once: a transport whose peer takes a byte now and then may not come to give it back for long.
        for (stream, _) in &delivery.overflowed {
            self.unregister(stream);
        }
        delivery
    }

    /// Begins to end the streams of one door; gives the writers to be woken.
    pub(super) fn close_door(&mut self, door: DoorId) -> Vec<Waker> {
        let first = StreamKey { door, id: Arc::from("") };
        let ending: Vec<Arc<Stream>> = self
            .streams
            .range(first..)
            .take_while(|(key, _)| key.door == door)
            .map(|(_, stream)| Arc::clone(stream))
            .collect();
        let mut wakers = Vec::new();
        for stream in ending {
            self.mute(&stream);
            stream.mailbox.close(&mut wakers);
        }
        wakers
    }

    /// Begins to end every stream and opens none any more; gives the writers to be woken.
    pub(super) fn close_all(&mut self) -> Vec<Waker> {
        self.shut = true;
        self.subscribers = HashMap::new();
        let mut wakers = Vec::with_capacity(self.streams.len());
        for stream in self.streams.values() {
            stream.mailbox.close(&mut wakers);
        }
        wakers
    }

    pub(super) fn len(&self) -> usize {
        self.streams.len()
    }

    #[cfg(test)]
    pub(super) fn is_clear(&self) -> bool {
        self.streams.is_empty() && self.subscribers.is_empty() && self.per_principal.is_empty()
    }
}

/// Gives memory back after many entries have gone.
fn shrink<K: Eq + Hash, V>(table: &mut HashMap<K, V>) {
    if table.capacity() > KEPT_CAPACITY.max(8 * table.len()) {
        table.shrink_to(2 * table.len());
    }
}
