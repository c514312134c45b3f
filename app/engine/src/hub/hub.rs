//! Takes changes, runs streams, ends them.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use pm_mcp_domain::subscription::{Change, DoorId, EncodedChange, PendingStream, Topic};
use pm_mcp_ports::driven::{ChangeBus, Clock};
use pm_mcp_ports::driving::{LimitCounts, Outbox};
use tracing::{debug, warn};

use super::counts::{Counters, HubCounts};
use super::limits::HubLimits;
use super::listen::{Ended, Listen, ListenRefused, SlowReason};
use super::mailbox::Next;
use super::registry::{Registry, Stream};
use super::writer::{Stopped, Writer};

/// Carries changes to the streams that want to hear of them.
///
/// One hub serves every transport of a process. It keeps nothing of a stream that has ended: there is no cursor and no
/// second delivery ([Subscriptions](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions)).
#[derive(Default, Debug)]
pub struct Hub {
    pub(super) limits: HubLimits,
    /// Carries what is published here to other processes.
    bus: Option<Arc<dyn ChangeBus>>,
    registry: Mutex<Registry>,
    /// How many streams there are, readable without the lock: most servers publish to nobody most of the time.
    open: AtomicUsize,
    doors: AtomicU64,
    pub(super) counters: Counters,
    limit_counts: Arc<LimitCounts>,
}

impl Hub {
    /// A hub without streams.
    pub fn new(limits: HubLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// A hub without streams, whose changes other processes hear of.
    pub fn with_bus(limits: HubLimits, bus: Option<Arc<dyn ChangeBus>>) -> Self {
        Self { limits, bus, ..Self::default() }
    }

    /// Counts there which limits slow peers reach.
    #[must_use]
    pub fn counting(mut self, limit_counts: Arc<LimitCounts>) -> Self {
        self.limit_counts = limit_counts;
        self
    }

    /// What carries changes from and to other processes.
    pub(crate) fn bus(&self) -> Option<&Arc<dyn ChangeBus>> {
        self.bus.as_ref()
    }

    /// A door that no other stream goes through: one for each stdio connection, one for each HTTP request.
    pub fn new_door(&self) -> DoorId {
        DoorId::from_number(self.doors.fetch_add(1, Ordering::Relaxed))
    }

    /// Tells of a change. It never waits for a peer and cannot fail: a stream that cannot take the change is dropped, and
    /// neither the caller nor another stream notices.
    ///
    /// What one thread publishes one after the other arrives in that order, except that a change takes the place of one
    /// of the same topic that still waits.
    pub fn publish(&self, change: &Change) {
        if let Some(bus) = &self.bus
            && let Err(fault) = bus.publish(change)
        {
            warn!(%fault, "other processes do not hear of a change");
        }
        self.deliver(change);
    }

    /// Tells the streams of this process alone.
    pub(crate) fn deliver(&self, change: &Change) {
        if self.open.load(Ordering::Acquire) == 0 {
            return;
        }
        let topic = change.topic();
        if !self.registry().is_wanted(&topic) {
            return;
        }
        // Serialised between two holds of the lock: a large task must not keep every other stream waiting.
        let encoded = Arc::new(EncodedChange::new(change));
        let mut registry = self.registry();
        let delivery = registry.deliver(&topic, change, &encoded, &self.limits);
        self.open.store(registry.len(), Ordering::Release);
        drop(registry);
        self.counters.queued.add(delivery.queued);
        self.counters.merged.add(delivery.merged);
        for (stream, reason) in delivery.overflowed {
            // Counted here: while a connection takes nothing, its transport may not come to ask what became of the stream.
            self.counters.overflowed.increment();
            self.dropped(&stream, reason);
        }
        wake(delivery.wakers);
    }

    /// Whether anybody here listens to this.
    pub(crate) fn is_wanted(&self, topic: &Topic) -> bool {
        self.open.load(Ordering::Acquire) > 0 && self.registry().is_wanted(topic)
    }

    /// All that somebody here listens to, in a fixed order.
    pub(crate) fn wanted(&self) -> Vec<Topic> {
        let mut wanted = self.registry().wanted();
        wanted.sort_unstable();
        wanted
    }

    /// Opens a stream and carries it until it ends: the acknowledgement first, then one notification at a time.
    ///
    /// The stream is registered before the acknowledgement is written, so that no change is lost in between. If the
    /// future is dropped, the stream is forgotten at once and nothing more is sent.
    ///
    /// # Errors
    ///
    /// When a limit of the hub is reached, the id is in use at the same door or the server is about to stop. Nothing has
    /// been sent then.
    pub async fn listen(
        &self,
        listen: Listen<'_>,
        outbox: &mut dyn Outbox,
        clock: &dyn Clock,
    ) -> Result<Ended, ListenRefused> {
        let mut registration = Registration::of(self, &listen)?;
        let Listen { id, filter, .. } = listen;
        let (live, acknowledgement) = PendingStream::new(id, filter).acknowledge();
        let stream = Arc::clone(&registration.stream);
        let mut writer = Writer::new(&stream.mailbox, outbox, clock, self.limits.write_deadline);
        let mut sent = writer.send(acknowledgement).await;
        let stopped = loop {
            if let Err(stopped) = sent {
                break stopped;
            }
            let change = match writer.next().await {
                Next::Change(change) | Next::LastChange(change) => change,
                Next::Overflowed(reason) => break Stopped::TooSlow(reason),
                Next::Close => {
                    self.counters.closed.increment();
                    registration.settle();
                    return Ok(Ended::Closed(live));
                }
            };
            sent = writer.send(live.notification(&change)).await;
            if sent.is_ok() {
                self.counters.sent.increment();
            }
        };
        let ended = self.stopped(&stream, stopped);
        registration.settle();
        Ok(ended)
    }

    /// Ends every stream of one door; what was published before is still sent. Streams of other doors go on.
    pub fn close_door(&self, door: DoorId) {
        let wakers = self.registry().close_door(door);
        wake(wakers);
    }

    /// Ends every stream and opens no other any more; what was published before is still sent.
    pub fn close_all(&self) {
        let wakers = self.registry().close_all();
        wake(wakers);
    }

    /// What the hub did, in numbers.
    pub fn counts(&self) -> HubCounts {
        self.counters.snapshot(self.open.load(Ordering::Acquire))
    }

    fn register(&self, listen: &Listen<'_>) -> Result<Arc<Stream>, ListenRefused> {
        let mut registry = self.registry();
        let registered = registry.register(listen, &self.limits);
        self.open.store(registry.len(), Ordering::Release);
        drop(registry);
        match registered {
            Ok(stream) => {
                self.counters.opened.increment();
                debug!(
                    stream = stream.number,
                    door = listen.door.as_number(),
                    "opened a subscription stream"
                );
                Ok(stream)
            }
            Err(refused) => {
                self.counters.refused.increment();
                debug!(door = listen.door.as_number(), %refused, "refused a subscription stream");
                Err(refused)
            }
        }
    }

    pub(super) fn stopped(&self, stream: &Stream, stopped: Stopped) -> Ended {
        match stopped {
            Stopped::PeerGone => {
                self.counters.peer_gone.increment();
                debug!(stream = stream.number, "the peer of a subscription stream has gone");
                Ended::PeerGone
            }
            Stopped::TooSlow(reason) => {
                match reason {
                    SlowReason::WriteDeadline(_) => {
                        self.counters.missed_deadline.increment();
                        self.dropped(stream, reason);
                    }
                    SlowReason::QueueEntries(_) | SlowReason::QueueBytes(_) => {}
                }
                Ended::TooSlow(reason)
            }
        }
    }

    fn dropped(&self, stream: &Stream, reason: SlowReason) {
        self.limit_counts.count(reason.limit());
        let (number, door) = (stream.number, stream.key.door.as_number());
        warn!(stream = number, door, principal = %stream.principal, %reason, "dropped a subscription stream");
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        // No step under the lock panics, short of a failed allocation, which ends the process.
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn is_clear(&self) -> bool {
        self.registry().is_clear()
    }
}

/// Wakers may run a task on the spot, so that no lock is held here.
fn wake(wakers: Vec<Waker>) {
    for waker in wakers {
        waker.wake();
    }
}

/// A stream's place in the registry, given back however the stream ends.
#[derive(Debug)]
pub(super) struct Registration<H: Deref<Target = Hub>> {
    pub(super) hub: H,
    pub(super) stream: Arc<Stream>,
    settled: bool,
}

impl<H: Deref<Target = Hub>> Registration<H> {
    /// Takes a place.
    pub(super) fn of(hub: H, listen: &Listen<'_>) -> Result<Self, ListenRefused> {
        let stream = hub.register(listen)?;
        Ok(Self { hub, stream, settled: false })
    }

    /// The end of the stream is counted; what is left is to forget it.
    pub(super) fn settle(&mut self) {
        self.settled = true;
    }
}

impl<H: Deref<Target = Hub>> Drop for Registration<H> {
    fn drop(&mut self) {
        let hub: &Hub = &self.hub;
        let mut registry = hub.registry();
        registry.unregister(&self.stream);
        hub.open.store(registry.len(), Ordering::Release);
        drop(registry);
        if !self.settled && !self.stream.mailbox.has_overflowed() {
            hub.counters.abandoned.increment();
            debug!(stream = self.stream.number, "a subscription stream was given up by its transport");
        }
    }
}
