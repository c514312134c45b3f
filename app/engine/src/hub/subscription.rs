//! A stream whose transport asks for its messages one by one.

use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pm_mcp_domain::subscription::{EncodedChange, LiveStream, PendingStream};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;

use super::hub::{Hub, Registration};
use super::listen::{Ended, Listen, ListenRefused, SlowReason};
use super::mailbox::Next;
use super::writer::{Stopped, TURN};

/// An open stream that is asked for each message once there is room for it, and keeps nothing but what it needs for that.
///
/// How long the peer may take nothing is up to whoever asks; only all that waits at the end shares one deadline here, too.
#[derive(Debug)]
pub(crate) struct Subscription {
    registration: Registration<Arc<Hub>>,
    /// Sent before anything else.
    acknowledgement: Option<Vec<u8>>,
    /// `None` once the stream has ended.
    live: Option<LiveStream>,
    /// When the end of the stream must be reached, once it is in sight.
    ends_by: Option<Timestamp>,
    in_a_row: u32,
}

/// What a stream gave.
pub(crate) enum Pulled {
    /// A message was said.
    Message,
    /// The stream has ended; nothing was said.
    Ended(Ended),
}

impl Subscription {
    /// Opens a stream. From here on every change waits for it.
    ///
    /// # Errors
    ///
    /// As those of [`Hub::listen`].
    pub(crate) fn open(hub: &Arc<Hub>, listen: Listen<'_>) -> Result<Self, ListenRefused> {
        let registration = Registration::of(Arc::clone(hub), &listen)?;
        let Listen { id, filter, .. } = listen;
        let (live, acknowledgement) = PendingStream::new(id, filter).acknowledge();
        let acknowledgement = Some(acknowledgement);
        Ok(Self { registration, acknowledgement, live: Some(live), ends_by: None, in_a_row: 0 })
    }

    /// Says the next message, in pieces that follow one another. Not to be polled after the end.
    pub(crate) fn poll_next(
        &mut self,
        task: &mut Context<'_>,
        clock: &dyn Clock,
        say: &mut dyn FnMut(&[&[u8]]),
    ) -> Poll<Pulled> {
        if let Some(acknowledgement) = self.acknowledgement.take() {
            say(&[&acknowledgement]);
            return Poll::Ready(Pulled::Message);
        }
        if self.in_a_row >= TURN {
            self.in_a_row = 0;
            task.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = self.registration.stream.mailbox.poll_next(task);
        self.in_a_row = if next.is_pending() { 0 } else { self.in_a_row + 1 };
        Poll::Ready(match ready!(next) {
            Next::Change(change) => self.say(&change, say),
            Next::LastChange(change) => {
                let (now, limit) = (clock.now(), self.registration.hub.limits.write_deadline);
                match now > *self.ends_by.get_or_insert_with(|| now.after(limit)) {
                    true => self.stop(Stopped::TooSlow(SlowReason::WriteDeadline(limit))),
                    false => self.say(&change, say),
                }
            }
            Next::Overflowed(reason) => self.stop(Stopped::TooSlow(reason)),
            Next::Close => match self.live.take() {
                Some(live) => {
                    self.registration.hub.counters.closed.increment();
                    self.registration.settle();
                    Pulled::Ended(Ended::Closed(live))
                }
                None => Pulled::Ended(Ended::PeerGone),
            },
        })
    }

    fn say(&self, change: &EncodedChange, say: &mut dyn FnMut(&[&[u8]])) -> Pulled {
        let Some(live) = &self.live else { return Pulled::Ended(Ended::PeerGone) };
        say(&live.pieces(change));
        self.registration.hub.counters.sent.increment();
        Pulled::Message
    }

    fn stop(&mut self, stopped: Stopped) -> Pulled {
        self.live = None;
        let ended = self.registration.hub.stopped(&self.registration.stream, stopped);
        self.registration.settle();
        Pulled::Ended(ended)
    }
}
