//! Asks futures again only when one of them has something to say.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// A task that is woken for many reasons polls everything each time. Futures that are polled behind a bell are passed over
/// unless one of them rang it.
pub(crate) struct Bell {
    rung: Arc<Rung>,
    waker: Waker,
}

struct Rung {
    is_rung: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Rung {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_rung.store(true, Ordering::Release);
        self.task.wake();
    }
}

impl Bell {
    /// A bell that has rung, since nothing has been polled yet.
    pub(crate) fn new() -> Self {
        let rung = Arc::new(Rung { is_rung: AtomicBool::new(true), task: AtomicWaker::new() });
        let waker = Waker::from(Arc::clone(&rung));
        Self { rung, waker }
    }

    /// Has what is behind the bell polled next time.
    pub(crate) fn ring(&self) {
        self.rung.is_rung.store(true, Ordering::Release);
    }

    /// Polls what is behind the bell if it rang. The task of `cx` is woken when it rings.
    pub(crate) fn answer<T>(
        &self,
        cx: &Context<'_>,
        poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        // Registered before the bell is looked at, so that a ring in between is not missed.
        self.rung.task.register(cx.waker());
        match self.rung.is_rung.swap(false, Ordering::AcqRel) {
            true => poll(&mut Context::from_waker(&self.waker)),
            false => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{Future, poll_fn};
    use std::pin::pin;

    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn what_is_behind_a_bell_is_polled_when_it_rings_and_not_before() {
        let (bell, notify) = (Bell::new(), Notify::new());
        let mut notified = pin!(notify.notified());
        let mut polls = 0;
        let mut turns = 0;
        poll_fn(|cx| {
            turns += 1;
            if turns < 5 {
                cx.waker().wake_by_ref();
            } else if turns == 5 {
                notify.notify_waiters();
            }
            bell.answer(cx, |cx| {
                polls += 1;
                notified.as_mut().poll(cx)
            })
        })
        .await;
        assert_eq!(polls, 2, "once at first and once when it rang");
    }

    #[tokio::test]
    async fn a_ring_from_outside_has_it_polled_again() {
        let bell = Bell::new();
        let mut polls = 0;
        poll_fn(|cx| {
            bell.ring();
            cx.waker().wake_by_ref();
            bell.answer(cx, |_| {
                polls += 1;
                if polls == 3 { Poll::Ready(()) } else { Poll::Pending }
            })
        })
        .await;
        assert_eq!(polls, 3);
    }
}
