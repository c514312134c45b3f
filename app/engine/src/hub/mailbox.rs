//! What waits for one stream.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use pm_mcp_domain::subscription::EncodedChange;

use super::limits::HubLimits;
use super::listen::SlowReason;

/// How much room an empty queue may keep; a burst must not cost memory for ever.
const KEPT_CAPACITY: usize = 16;

/// The changes that wait for one stream, and how its one writer hears of them.
///
/// An idle mailbox owns nothing on the heap.
#[derive(Default, Debug)]
pub(super) struct Mailbox(Mutex<Inner>);

#[derive(Default, Debug)]
struct Inner {
    waiting: VecDeque<Waiting>,
    bytes: usize,
    phase: Phase,
    awaited: Awaited,
}

#[derive(Debug)]
struct Waiting {
    slot: u32,
    change: Arc<EncodedChange>,
}

#[derive(Default, Debug)]
enum Phase {
    #[default]
    Open,
    /// What waits is still to be sent; nothing is added.
    Closing,
    /// What waited has been thrown away; nothing is added.
    Overflowed(SlowReason),
}

/// What the writer waits for.
#[derive(Default, Debug)]
enum Awaited {
    #[default]
    Nothing,
    /// A change or the end.
    Next(Waker),
    /// The peer; only an overflow concerns it meanwhile.
    Overflow(Waker),
}

/// What became of a change at one mailbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Put {
    /// It waits at the end.
    Queued,
    /// It waits in the place of an older change of its topic.
    Merged,
    /// It was one too many: the stream is to be dropped.
    Overflowed(SlowReason),
    /// The stream takes nothing any more.
    Ignored,
}

/// What the writer has to do next.
#[derive(Debug)]
pub(super) enum Next {
    /// Send this.
    Change(Arc<EncodedChange>),
    /// Send this, and the time for all that remains has begun.
    LastChange(Arc<EncodedChange>),
    /// Everything is sent: end the stream.
    Close,
    /// Give the stream up.
    Overflowed(SlowReason),
}

impl Mailbox {
    /// Takes in a change of the stream's topic number `slot`. The writer that is to be woken goes into `wakers`.
    pub(super) fn put(
        &self,
        slot: u32,
        change: &Arc<EncodedChange>,
        limits: &HubLimits,
        wakers: &mut Vec<Waker>,
    ) -> Put {
        let mut inner = self.lock();
        if !matches!(inner.phase, Phase::Open) {
            return Put::Ignored;
        }
        let older = inner.waiting.iter_mut().find(|waiting| waiting.slot == slot);
        let (put, replaced) = match older {
            Some(older) => (Put::Merged, mem::replace(&mut older.change, Arc::clone(change)).len()),
            None => {
                inner.waiting.push_back(Waiting { slot, change: Arc::clone(change) });
                (Put::Queued, 0)
            }
        };
        inner.bytes = inner.bytes.saturating_sub(replaced).saturating_add(change.len());
        let count = inner.waiting.len();
        let reason = if count > limits.queue_entries.max(1) {
            SlowReason::QueueEntries(limits.queue_entries)
        } else if inner.bytes > limits.queue_bytes && count > 1 {
            SlowReason::QueueBytes(limits.queue_bytes)
        } else {
            wakers.extend(inner.wake_for_next());
            return put;
        };
        inner.phase = Phase::Overflowed(reason);
        inner.bytes = 0;
        // The memory is needed more than the changes: nobody reads them.
        inner.waiting = VecDeque::new();
        wakers.extend(inner.wake_for_overflow());
        Put::Overflowed(reason)
    }

    /// Whether too much waited.
    pub(super) fn has_overflowed(&self) -> bool {
        matches!(self.lock().phase, Phase::Overflowed(_))
    }

    /// Takes in nothing more; what waits is still sent.
    pub(super) fn close(&self, wakers: &mut Vec<Waker>) {
        let mut inner = self.lock();
        if matches!(inner.phase, Phase::Open) {
            inner.phase = Phase::Closing;
            wakers.extend(inner.wake_for_next());
        }
    }

    /// What is next; pending while there is nothing to do.
    pub(super) fn poll_next(&self, task: &Context<'_>) -> Poll<Next> {
        let mut inner = self.lock();
        inner.awaited = Awaited::Nothing;
        if let Some(Waiting { change, .. }) = inner.waiting.pop_front() {
            inner.bytes = inner.bytes.saturating_sub(change.len());
            if inner.waiting.is_empty() && inner.waiting.capacity() > KEPT_CAPACITY {
                inner.waiting = VecDeque::new();
            }
            return Poll::Ready(match inner.phase {
                Phase::Open | Phase::Overflowed(_) => Next::Change(change),
                Phase::Closing => Next::LastChange(change),
            });
        }
        match inner.phase {
            Phase::Open => {
                inner.awaited = Awaited::Next(task.waker().clone());
                Poll::Pending
            }
            Phase::Closing => Poll::Ready(Next::Close),
            Phase::Overflowed(reason) => Poll::Ready(Next::Overflowed(reason)),
        }
    }

    /// Ready once the stream is to be given up, although the peer still owes the end of a message.
    pub(super) fn poll_overflow(&self, task: &Context<'_>) -> Poll<SlowReason> {
        let mut inner = self.lock();
        match inner.phase {
            Phase::Open | Phase::Closing => {
                inner.awaited = Awaited::Overflow(task.waker().clone());
                Poll::Pending
            }
            Phase::Overflowed(reason) => Poll::Ready(reason),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No step under the lock leaves the mailbox half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn wake_for_next(&mut self) -> Option<Waker> {
        match mem::take(&mut self.awaited) {
            Awaited::Next(waker) => Some(waker),
            other @ (Awaited::Nothing | Awaited::Overflow(_)) => {
                self.awaited = other;
                None
            }
        }
    }

    fn wake_for_overflow(&mut self) -> Option<Waker> {
        match mem::take(&mut self.awaited) {
            Awaited::Next(waker) | Awaited::Overflow(waker) => Some(waker),
            Awaited::Nothing => None,
        }
    }
}
