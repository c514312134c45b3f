//! One message at a time, each under a deadline.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;
use pm_mcp_ports::driving::{Outbox, PeerGone};

use super::listen::SlowReason;
use super::mailbox::{Mailbox, Next};

/// How many messages one stream may send in a row before others get their turn on the same thread.
pub(super) const TURN: u32 = 32;

/// Carries the messages of one stream to its peer.
pub(super) struct Writer<'a> {
    mailbox: &'a Mailbox,
    outbox: &'a mut dyn Outbox,
    clock: &'a dyn Clock,
    deadline: Duration,
    /// When the end of the stream must be reached, once it is in sight.
    ends_by: Option<Timestamp>,
    in_a_row: u32,
}

/// Why nothing more can be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    PeerGone,
    TooSlow(SlowReason),
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        mailbox: &'a Mailbox,
        outbox: &'a mut dyn Outbox,
        clock: &'a dyn Clock,
        deadline: Duration,
    ) -> Self {
        Self { mailbox, outbox, clock, deadline, ends_by: None, in_a_row: 0 }
    }

    /// Waits for something to do. Once the end is in sight, all that waits shares one deadline, so that a peer that takes
    /// each message just in time cannot hold up the end of the server.
    pub(super) async fn next(&mut self) -> Next {
        if self.in_a_row >= TURN {
            self.in_a_row = 0;
            let mut yielded = false;
            poll_fn(|task| match std::mem::replace(&mut yielded, true) {
                true => Poll::Ready(()),
                false => {
                    task.waker().wake_by_ref();
                    Poll::Pending
                }
            })
            .await;
        }
        self.in_a_row += 1;
        let (mailbox, in_a_row) = (self.mailbox, &mut self.in_a_row);
        let next = poll_fn(|task| {
            let next = mailbox.poll_next(task);
            if next.is_pending() {
                *in_a_row = 0;
            }
            next
        })
        .await;
        if matches!(next, Next::LastChange(_)) && self.ends_by.is_none() {
            self.ends_by = Some(self.clock.now().after(self.deadline));
        }
        next
    }

    /// Sends one message; gives up when the peer has gone, when the deadline passes and when too much waits.
    pub(super) async fn send(&mut self, message: Vec<u8>) -> Result<(), Stopped> {
        let mut send = self.outbox.send(message);
        // Most messages are taken at once: they need neither the time nor a timer.
        let first = poll_fn(|task| Poll::Ready(send.as_mut().poll(task))).await;
        if let Poll::Ready(sent) = first {
            return sent.map_err(|PeerGone| Stopped::PeerGone);
        }
        let limit = self.ends_by.unwrap_or_else(|| self.clock.now().after(self.deadline));
        let (mailbox, deadline) = (self.mailbox, self.deadline);
        let mut passed = self.clock.sleep_until(limit);
        poll_fn(|task| {
            if let Poll::Ready(sent) = send.as_mut().poll(task) {
                return Poll::Ready(sent.map_err(|PeerGone| Stopped::PeerGone));
            }
            if let Poll::Ready(reason) = mailbox.poll_overflow(task) {
                return Poll::Ready(Err(Stopped::TooSlow(reason)));
            }
            passed.as_mut().poll(task).map(|()| Err(Stopped::TooSlow(SlowReason::WriteDeadline(deadline))))
        })
        .await
    }
}
