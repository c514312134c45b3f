//! What waits for those who listen here.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use pm_mcp_domain::subscription::Change;
use pm_mcp_ports::driven::{BackendError, ChangeFeed, Heard};
use tokio::sync::Notify;

/// The feeds of one member.
#[derive(Debug)]
pub(crate) struct Feeds {
    room: NonZeroUsize,
    listening: Mutex<Listening>,
}

#[derive(Default, Debug)]
struct Listening {
    /// Whether there is a session that listens.
    hears: bool,
    mailboxes: Vec<Arc<Mailbox>>,
}

impl Feeds {
    /// No feeds yet, with room for so many changes that wait for one.
    pub(crate) fn new(room: NonZeroUsize) -> Self {
        Self { room, listening: Mutex::default() }
    }

    /// A new feed; `None` while nothing would be heard.
    pub(crate) fn attach(self: &Arc<Self>) -> Option<PgChangeFeed> {
        let mut listening = lock(&self.listening);
        if !listening.hears {
            return None;
        }
        let mailbox = Arc::new(Mailbox::default());
        listening.mailboxes.push(Arc::clone(&mailbox));
        Some(PgChangeFeed { feeds: Arc::clone(self), mailbox })
    }

    /// From here on every change is heard. What was missed before is not known.
    pub(crate) fn listen(&self) {
        lock(&self.listening).hears = true;
        self.lag();
    }

    /// From here on nothing is heard.
    pub(crate) fn go_deaf(&self) {
        lock(&self.listening).hears = false;
    }

    /// A change came.
    pub(crate) fn put(&self, change: &Change) {
        for mailbox in &lock(&self.listening).mailboxes {
            mailbox.put(change, self.room);
        }
    }

    /// Changes were lost.
    pub(crate) fn lag(&self) {
        for mailbox in &lock(&self.listening).mailboxes {
            mailbox.lag();
        }
    }
}

/// What waits for one feed.
#[derive(Default, Debug)]
struct Mailbox {
    waiting: Mutex<VecDeque<Heard>>,
    came: Notify,
}

impl Mailbox {
    fn put(&self, change: &Change, room: NonZeroUsize) {
        let mut waiting = lock(&self.waiting);
        let mut lost = false;
        while waiting.len() >= room.get() {
            waiting.pop_front();
            lost = true;
        }
        if lost && !matches!(waiting.front(), Some(Heard::Lagged)) {
            waiting.push_front(Heard::Lagged);
        }
        waiting.push_back(Heard::Change(change.clone()));
        drop(waiting);
        self.came.notify_one();
    }

    fn lag(&self) {
        let mut waiting = lock(&self.waiting);
        if !matches!(waiting.back(), Some(Heard::Lagged)) {
            waiting.push_back(Heard::Lagged);
        }
        drop(waiting);
        self.came.notify_one();
    }
}

/// One who listens.
#[derive(Debug)]
pub(crate) struct PgChangeFeed {
    feeds: Arc<Feeds>,
    mailbox: Arc<Mailbox>,
}

#[async_trait]
impl ChangeFeed for PgChangeFeed {
    async fn next(&mut self) -> Result<Heard, BackendError> {
        loop {
            if let Some(heard) = lock(&self.mailbox.waiting).pop_front() {
                return Ok(heard);
            }
            // What comes in between leaves a permit, which ends this wait at once.
            self.mailbox.came.notified().await;
        }
    }
}

impl Drop for PgChangeFeed {
    fn drop(&mut self) {
        lock(&self.feeds.listening).mailboxes.retain(|mailbox| !Arc::ptr_eq(mailbox, &self.mailbox));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No step under a lock panics.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
