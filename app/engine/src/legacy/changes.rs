//! Subscriptions and changed lists of the earlier era: streams of the same hub, without an id and without an end.
//!
//! On a shared channel whoever serves a message may go on sending. So the message that asks to be told of changes is
//! served for as long as they are sent: a `resources/subscribe` until its `resources/unsubscribe`, a
//! `notifications/initialized` until the channel closes.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use async_trait::async_trait;
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::ident::{Principal, RequestId};
use pm_mcp_domain::subscription::{DoorId, Filter};
use pm_mcp_ports::driving::{Outbox, PeerGone, Served};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use tracing::info;

use super::answer;
use crate::core::Core;
use crate::hub::{Ended, Listen};

/// How many resources one client may subscribe to: each takes the place of a request in flight on its channel.
const MOST_SUBSCRIPTIONS: usize = 64;

/// What one client is told of.
#[derive(Default, Debug)]
pub(super) struct Changes(Mutex<Open>);

#[derive(Default, Debug)]
struct Open {
    doors: BTreeMap<Topic, DoorId>,
    /// Whether the channel takes no more messages, so that nobody would end a stream.
    closed: bool,
}

/// What a stream is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Topic {
    Lists,
    Resource(String),
}

impl Changes {
    /// Serves `notifications/initialized`: tells of changed lists from here on. A second one changes nothing.
    pub(super) async fn tell_of_lists(&self, core: &Core, principal: &Principal, outbox: &mut dyn Outbox) {
        let all = json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true});
        let Some(entry) = self.begin(core, Topic::Lists) else { return };
        let served = match filter(core, &all) {
            Ok(filter) => entry.carry(core, filter, principal, None, outbox).await,
            Err(fault) => Err(fault),
        };
        if let Err(refused) = served {
            info!(%refused, "a client is not told of changed lists");
        }
    }

    /// Serves `resources/subscribe`: answers once no update can be missed any more, then tells of updates.
    pub(super) async fn subscribe(
        &self,
        core: &Core,
        id: RequestId<'_>,
        uri: String,
        principal: &Principal,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let done = answer::result(id, &json!({}));
        let refuse = |code, message: &str| Served::Answered(answer::error(id, code, message, None));
        let filter = match filter(core, &json!({"resourceSubscriptions": [uri]})) {
            Ok(filter) => filter,
            Err(fault) => return refuse(ErrorCode::INVALID_PARAMS, &fault),
        };
        if self.lock().doors.len() > MOST_SUBSCRIPTIONS {
            let message = format!(
                "one client may subscribe to no more than {MOST_SUBSCRIPTIONS} resources; unsubscribe from some"
            );
            return refuse(ErrorCode::INTERNAL, &message);
        }
        let Some(entry) = self.begin(core, Topic::Resource(uri)) else { return Served::Answered(done) };
        match entry.carry(core, filter, principal, Some(done.body), outbox).await {
            Ok(()) => Served::Accepted,
            Err(refused) => refuse(ErrorCode::INTERNAL, &refused),
        }
    }

    /// Ends the subscription to a resource, if there is one.
    pub(super) fn unsubscribe(&self, core: &Core, uri: String) {
        let door = self.lock().doors.remove(&Topic::Resource(uri));
        if let Some(door) = door {
            core.hub.close_door(door);
        }
    }

    /// Ends everything; nothing begins any more.
    pub(super) fn close(&self, core: &Core) {
        let doors = {
            let mut open = self.lock();
            open.closed = true;
            std::mem::take(&mut open.doors)
        };
        for door in doors.into_values() {
            core.hub.close_door(door);
        }
    }

    /// Takes up a topic; `None` when it is taken up already, or when it is too late to.
    fn begin(&self, core: &Core, topic: Topic) -> Option<Entry<'_>> {
        let mut open = self.lock();
        if open.closed || open.doors.contains_key(&topic) {
            return None;
        }
        let door = core.hub.new_door();
        open.doors.insert(topic.clone(), door);
        Some(Entry { changes: self, topic, door })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A topic while its stream is open.
struct Entry<'a> {
    changes: &'a Changes,
    topic: Topic,
    door: DoorId,
}

impl Entry<'_> {
    /// Whether nobody has ended the topic.
    fn is_open(&self) -> bool {
        self.changes.lock().doors.get(&self.topic) == Some(&self.door)
    }

    /// Carries the stream to its end; `opening` is sent in place of the acknowledgement.
    async fn carry(
        &self,
        core: &Core,
        filter: Filter,
        principal: &Principal,
        opening: Option<Vec<u8>>,
        outbox: &mut dyn Outbox,
    ) -> Result<(), String> {
        // Never sent; the door of each stream is its own, which tells streams apart.
        let raw: &RawValue = serde_json::from_str("0").map_err(|fault| fault.to_string())?;
        let id = RequestId::parse(raw).ok_or("no id")?;
        let mut plain = PlainOutbox { outbox, opening: Some(opening) };
        let listen = Listen { id, filter, principal, door: self.door };
        let mut listening = pin!(core.hub.listen(listen, &mut plain, &*core.ports.clock));
        let first = poll_fn(|task| Poll::Ready(listening.as_mut().poll(task))).await;
        // The stream is registered by now; whoever ended it before that has missed it.
        if !self.is_open() {
            core.hub.close_door(self.door);
        }
        let ended = match first {
            Poll::Ready(ended) => ended,
            Poll::Pending => listening.await,
        };
        match ended {
            Ok(Ended::Closed(_) | Ended::PeerGone) => Ok(()),
            Ok(Ended::TooSlow(reason)) => {
                info!(%reason, "a slow client is told of no more changes");
                Ok(())
            }
            Err(refused) => Err(refused.to_string()),
        }
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let mut open = self.changes.lock();
        // It may have been unsubscribed from and taken up anew meanwhile.
        if open.doors.get(&self.topic) == Some(&self.door) {
            open.doors.remove(&self.topic);
        }
    }
}

fn filter(core: &Core, wanted: &Value) -> Result<Filter, String> {
    let raw = to_raw_value(wanted).map_err(|fault| fault.to_string())?;
    Filter::parse(Some(&raw), &core.settings.limits.filter)
        .map(|filter| filter.accepted(core.surface().offers()))
        .map_err(|fault| fault.to_string())
}

/// Takes the messages of a stream and sends them as the earlier revisions write them.
struct PlainOutbox<'a> {
    outbox: &'a mut dyn Outbox,
    /// What the first message, the acknowledgement, is replaced with.
    opening: Option<Option<Vec<u8>>>,
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
