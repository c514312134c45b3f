//! Finds out that a peer takes nothing any more.
//!
//! While a connection waits for room, hyper asks the response's body for nothing, so no deadline that is measured there
//! comes due: what the peer owes is measured on the connection.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use pm_mcp_domain::limit::Limit;
use pm_mcp_ports::driving::LimitCounts;
use tokio::time::{Sleep, sleep};

/// What is known of the writes of one connection.
#[derive(Clone, Default, Debug)]
pub(crate) struct Writes(Arc<Known>);

#[derive(Default, Debug)]
struct Known {
    /// Odd while a write waits for the peer, and another number each time that one begins or ends to wait.
    waits: AtomicU32,
    /// Whether a flush was the last that happened.
    is_flushed: AtomicBool,
}

impl Writes {
    /// Tells what became of a write.
    pub(crate) fn note<T>(&self, written: &Poll<T>) {
        let now = self.0.waits.load(Ordering::Relaxed);
        if (now % 2 == 1) != written.is_pending() {
            self.0.waits.store(now.wrapping_add(1), Ordering::Relaxed);
        }
        self.owe();
    }

    /// There is something to be written.
    pub(crate) fn owe(&self) {
        self.0.is_flushed.store(false, Ordering::Relaxed);
    }

    /// Tells what became of a flush.
    pub(crate) fn note_flush<T>(&self, flushed: &Poll<T>) {
        self.0.is_flushed.store(flushed.is_ready(), Ordering::Relaxed);
    }

    /// Whether nothing waits to be written: who writes flushes once it has nothing left.
    pub(crate) fn is_flushed(&self) -> bool {
        self.0.is_flushed.load(Ordering::Relaxed)
    }
}

/// Watches the writes of one connection, in the task that makes them.
#[derive(Debug)]
pub(crate) struct Stall {
    writes: Writes,
    limit: Duration,
    seen: u32,
    /// Only a connection that waits has one.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Stall {
    pub(crate) fn new(writes: Writes, limit: Duration) -> Self {
        Self { writes, limit, seen: 0, timer: None }
    }

    /// Counts and says that a connection was dropped for it.
    pub(crate) fn tell(&self, limit_counts: &LimitCounts) {
        let (time, limit) = (self.limit.as_millis(), Limit::WriteDeadline);
        limit_counts.count(limit);
        tracing::warn!("dropped a connection: the peer took nothing within {time} ms (limit {limit})");
    }

    /// Whether a write waited for the peer when it was polled last.
    pub(crate) fn is_waiting(&self) -> bool {
        self.timer.is_some()
    }

    /// Ready once a write has waited for the whole limit without any success. To be polled each time after the
    /// connection.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let now = self.writes.0.waits.load(Ordering::Relaxed);
        if now != self.seen {
            self.seen = now;
            self.timer = (now % 2 == 1).then(|| Box::pin(sleep(self.limit)));
        }
        match &mut self.timer {
            Some(timer) => timer.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::time::{Instant, advance};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_a_write_that_waits_without_success_stalls() {
        let (limit, writes) = (Duration::from_secs(10), Writes::default());
        let mut stall = Stall::new(writes.clone(), limit);
        let once = |stall: &mut Stall| stall.poll(&mut Context::from_waker(std::task::Waker::noop()));
        advance(limit * 2).await;
        assert!(once(&mut stall).is_pending(), "nothing was written");
        writes.note(&Poll::<()>::Pending);
        assert!(once(&mut stall).is_pending());
        advance(limit / 2).await;
        writes.note(&Poll::Ready(()));
        writes.note(&Poll::<()>::Pending);
        assert!(once(&mut stall).is_pending());
        advance(limit / 2).await;
        writes.note(&Poll::<()>::Pending);
        assert!(once(&mut stall).is_pending(), "it took something meanwhile");
        let begun = Instant::now();
        poll_fn(|cx| stall.poll(cx)).await;
        assert!(begun.elapsed() >= limit / 2 && begun.elapsed() < limit, "{:?}", begun.elapsed());
    }
}
