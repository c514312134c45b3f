//! What waits to be sent.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::change::encode_gap;

/// Messages on their way out, bounded in number and bytes. When one more does not fit, the oldest give way, and a message
/// that says so goes first.
#[derive(Debug)]
pub(crate) struct Outbox {
    messages: usize,
    bytes: usize,
    waiting: Mutex<Waiting>,
    came: Notify,
    empty: Notify,
}

#[derive(Default, Debug)]
struct Waiting {
    /// Whether messages were taken of which it is not known yet whether they arrived.
    under_way: bool,
    /// Whether messages were lost that are older than those that wait.
    gap: bool,
    queue: VecDeque<String>,
    bytes: usize,
}

impl Waiting {
    /// Whether everything arrived, and nothing is left to be told.
    fn is_over(&self) -> bool {
        !self.under_way && !self.gap && self.queue.is_empty()
    }
}

impl Outbox {
    pub(crate) fn new(messages: usize, bytes: usize) -> Self {
        Self { messages, bytes, waiting: Mutex::default(), came: Notify::new(), empty: Notify::new() }
    }

    /// Adds a message; gives whether this is the first that others gave way to since the last one was sent.
    pub(crate) fn put(&self, message: String) -> bool {
        let mut waiting = self.waiting();
        let mut lost = false;
        while waiting.queue.len() >= self.messages || waiting.bytes + message.len() > self.bytes {
            let Some(oldest) = waiting.queue.pop_front() else { break };
            waiting.bytes -= oldest.len();
            lost = true;
        }
        let first = lost && !waiting.gap;
        waiting.gap |= lost;
        waiting.bytes += message.len();
        waiting.queue.push_back(message);
        drop(waiting);
        self.came.notify_one();
        first
    }

    /// Something older than what waits was lost.
    pub(crate) fn lose(&self) {
        self.waiting().gap = true;
        self.came.notify_one();
    }

    /// Waits for messages and takes some, in their order: at least one, and no more once they have `bytes`.
    pub(crate) async fn take(&self, bytes: usize) -> Vec<String> {
        loop {
            let batch = self.take_waiting(bytes);
            if !batch.is_empty() {
                return batch;
            }
            // What comes in between leaves a permit, which ends this wait at once.
            self.came.notified().await;
        }
    }

    fn take_waiting(&self, bytes: usize) -> Vec<String> {
        let mut waiting = self.waiting();
        let mut batch = Vec::new();
        if std::mem::take(&mut waiting.gap) {
            batch.push(encode_gap());
        }
        let mut taken = 0;
        while taken < bytes
            && let Some(message) = waiting.queue.pop_front()
        {
            taken += message.len();
            batch.push(message);
        }
        waiting.bytes -= taken;
        waiting.under_way = !batch.is_empty();
        batch
    }

    /// What was taken has arrived.
    pub(crate) fn arrived(&self) {
        self.waiting().under_way = false;
        self.empty.notify_waiters();
    }

    /// Waits until all that waits now has arrived.
    pub(crate) async fn emptied(&self) {
        loop {
            let empty = self.empty.notified();
            tokio::pin!(empty);
            // Before looking, so that an end in between is not missed.
            empty.as_mut().enable();
            if self.waiting().is_over() {
                return;
            }
            empty.await;
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // No step under the lock panics.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(outbox: &Outbox) -> String {
        outbox.take_waiting(usize::MAX).join(" ")
    }

    #[test]
    fn the_oldest_give_way_and_the_gap_goes_first() {
        let outbox = Outbox::new(2, 100);
        let firsts = ["a", "b", "c", "d"].map(|message| outbox.put(message.to_owned()));
        assert_eq!(firsts, [false, false, true, false]);
        assert_eq!(batch(&outbox), "\"gap\" c d");
        assert!(!outbox.put("e".to_owned()));
        assert_eq!(batch(&outbox), "e");
        outbox.lose();
        assert_eq!(batch(&outbox), "\"gap\"");
    }

    #[test]
    fn bytes_are_bounded_too() {
        let outbox = Outbox::new(100, 10);
        for message in ["aaaa", "bbbb", "cc", "dddddd"] {
            outbox.put(message.to_owned());
        }
        assert_eq!(batch(&outbox), "\"gap\" cc dddddd");
        assert_eq!(outbox.waiting().bytes, 0);
    }

    #[test]
    fn a_batch_ends_once_it_is_large() {
        let outbox = Outbox::new(100, 100);
        for message in ["aaaa", "bbbb", "cccc"] {
            outbox.put(message.to_owned());
        }
        assert_eq!(outbox.take_waiting(5), ["aaaa", "bbbb"]);
        assert_eq!(outbox.take_waiting(5), ["cccc"]);
    }
}
