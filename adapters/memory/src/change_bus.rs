//! Changes between servers of one process.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_domain::subscription::Change;
use pm_mcp_ports::driven::{BackendError, ChangeBus, ChangeFeed, Heard, PublishError};
use tokio::sync::Notify;

use crate::poison::lock;

/// Carries changes between servers of this process: the reference, and for tests of servers that run side by side.
///
/// Each server is a member of its own: give one server the bus, and every other one a [`member`](Self::member) of it. What
/// waits for a feed is bounded; when it is full, the oldest changes give way and the feed yields [`Heard::Lagged`] first.
#[derive(Debug)]
pub struct MemoryChangeBus {
    feeds: Feeds,
    member: Arc<Member>,
    waiting: NonZeroUsize,
}

/// One who publishes; told from others by its address.
#[derive(Debug)]
struct Member;

type Feeds = Arc<Mutex<Vec<Place>>>;

/// Where the changes for one feed wait, and whose feed it is.
#[derive(Debug)]
struct Place {
    member: Arc<Member>,
    mailbox: Arc<Mailbox>,
}

impl MemoryChangeBus {
    /// How many changes may wait for one feed unless told otherwise.
    pub const WAITING: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

    /// The first member of a new bus, with room for so many changes that wait for one feed.
    pub fn with_waiting(changes: NonZeroUsize) -> Self {
        Self { feeds: Feeds::default(), member: Arc::new(Member), waiting: changes }
    }

    /// Another member of this bus.
    #[must_use]
    pub fn member(&self) -> Self {
        Self { feeds: Arc::clone(&self.feeds), member: Arc::new(Member), waiting: self.waiting }
    }
}

impl Default for MemoryChangeBus {
    /// With room for [`WAITING`](Self::WAITING) changes a feed.
    fn default() -> Self {
        Self::with_waiting(Self::WAITING)
    }
}

#[deny(clippy::missing_trait_methods, reason = "an adapter answers every call of the port itself")]
#[async_trait]
impl ChangeBus for MemoryChangeBus {
    fn publish(&self, change: &Change) -> Result<(), PublishError> {
        // Under one lock for all feeds, so that all of them hear in the same order.
        for place in &*lock(&self.feeds) {
            if !Arc::ptr_eq(&place.member, &self.member) {
                place.mailbox.put(change.clone());
            }
        }
        Ok(())
    }

    /// Every feed has it already.
    async fn sent(&self) {}

    async fn attach(&self) -> Result<Box<dyn ChangeFeed>, BackendError> {
        let mailbox = Arc::new(Mailbox::with_room(self.waiting));
        let place = Place { member: Arc::clone(&self.member), mailbox: Arc::clone(&mailbox) };
        lock(&self.feeds).push(place);
        Ok(Box::new(MemoryFeed { feeds: Arc::clone(&self.feeds), mailbox }))
    }
}

/// What waits for one feed.
#[derive(Debug)]
struct Mailbox {
    room: NonZeroUsize,
    waiting: Mutex<Waiting>,
    came: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Whether changes gave way that were older than those that wait.
    lagged: bool,
    changes: VecDeque<Change>,
}

impl Mailbox {
    fn with_room(room: NonZeroUsize) -> Self {
        Self { room, waiting: Mutex::default(), came: Notify::new() }
    }

    fn put(&self, change: Change) {
        let mut waiting = lock(&self.waiting);
        while waiting.changes.len() >= self.room.get() {
            waiting.changes.pop_front();
            waiting.lagged = true;
        }
        waiting.changes.push_back(change);
        drop(waiting);
        self.came.notify_one();
    }

    fn take(&self) -> Option<Heard> {
        let mut waiting = lock(&self.waiting);
        if std::mem::take(&mut waiting.lagged) {
            return Some(Heard::Lagged);
        }
        waiting.changes.pop_front().map(Heard::Change)
    }
}

#[derive(Debug)]
struct MemoryFeed {
    feeds: Feeds,
    mailbox: Arc<Mailbox>,
}

#[async_trait]
impl ChangeFeed for MemoryFeed {
    async fn next(&mut self) -> Result<Heard, BackendError> {
        loop {
            if let Some(heard) = self.mailbox.take() {
                return Ok(heard);
            }
            // One that comes in between leaves a permit, which ends this wait at once.
            self.mailbox.came.notified().await;
        }
    }
}

impl Drop for MemoryFeed {
    fn drop(&mut self) {
        lock(&self.feeds).retain(|place| !Arc::ptr_eq(&place.mailbox, &self.mailbox));
    }
}
