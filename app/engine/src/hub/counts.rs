//! What the hub did, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// What the hub did since it began; all but `open` only ever grow.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HubCounts {
    /// Streams that are open now, those included that are being ended.
    pub open: u64,
    /// Streams that were opened.
    pub opened: u64,
    /// Requests for a stream that were refused.
    pub refused: u64,
    /// Streams that the server ended, everything sent.
    pub closed: u64,
    /// Streams whose peer had gone when something was to be sent.
    pub peer_gone: u64,
    /// Streams that were dropped because the peer did not take a message in time.
    pub missed_deadline: u64,
    /// Streams that were dropped because too much waited for them.
    pub overflowed: u64,
    /// Streams that the transport gave up: the peer cancelled or disconnected.
    pub abandoned: u64,
    /// Changes that were put into a stream's queue, once for each stream.
    pub queued: u64,
    /// Changes that replaced an older one that still waited, once for each stream.
    pub merged: u64,
    /// Notifications of changes that were sent.
    pub sent: u64,
}

/// The numbers while they are counted.
#[derive(Default, Debug)]
pub(super) struct Counters {
    pub(super) opened: Counter,
    pub(super) refused: Counter,
    pub(super) closed: Counter,
    pub(super) peer_gone: Counter,
    pub(super) missed_deadline: Counter,
    pub(super) overflowed: Counter,
    pub(super) abandoned: Counter,
    pub(super) queued: Counter,
    pub(super) merged: Counter,
    pub(super) sent: Counter,
}

impl Counters {
    /// The numbers of this moment, with `open` streams.
    pub(super) fn snapshot(&self, open: usize) -> HubCounts {
        HubCounts {
            open: u64::try_from(open).unwrap_or(u64::MAX),
            opened: self.opened.read(),
            refused: self.refused.read(),
            closed: self.closed.read(),
            peer_gone: self.peer_gone.read(),
            missed_deadline: self.missed_deadline.read(),
            overflowed: self.overflowed.read(),
            abandoned: self.abandoned.read(),
            queued: self.queued.read(),
            merged: self.merged.read(),
            sent: self.sent.read(),
        }
    }
}

/// One number that grows. It orders nothing: it is for people to read.
#[derive(Default, Debug)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn increment(&self) {
        self.add(1);
    }

    pub(super) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
