//! Time that is moved by hand.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;

use crate::lock::lock;

/// A clock that stands still until a test moves it. Clones show the same time.
///
/// Sleepers are woken in the order of their instants, and of their arrival where those are equal. A test that moves the
/// clock for someone first waits until that someone sleeps, with [`asleep`](Self::asleep): no test has to guess.
#[derive(Clone, Debug)]
pub struct VirtualClock {
    time: Arc<Mutex<Time>>,
}

#[derive(Debug)]
struct Time {
    now: Timestamp,
    arrivals: u64,
    sleepers: BTreeMap<(Timestamp, u64), Waker>,
    watchers: Vec<Waker>,
}

impl VirtualClock {
    /// A clock that shows this instant.
    pub fn at(now: Timestamp) -> Self {
        let time = Time { now, arrivals: 0, sleepers: BTreeMap::new(), watchers: Vec::new() };
        Self { time: Arc::new(Mutex::new(time)) }
    }

    /// Moves the clock on and wakes whose instant has come.
    pub fn advance(&self, span: Duration) {
        let target = lock(&self.time).now.after(span);
        self.set(target);
    }

    /// Sets the clock, forwards or backwards as a wall clock may step, and wakes whose instant has come.
    pub fn set(&self, now: Timestamp) {
        let woken = {
            let mut time = lock(&self.time);
            time.now = now;
            let later = time.sleepers.split_off(&(now, u64::MAX));
            std::mem::replace(&mut time.sleepers, later)
        };
        // Outside of the lock, because a waker may poll at once.
        for waker in woken.into_values() {
            waker.wake();
        }
    }

    /// Moves the clock to the next instant that someone sleeps until, and gives it; `None` when nobody sleeps.
    pub fn advance_to_next(&self) -> Option<Timestamp> {
        let next = self.next_instant()?;
        self.set(next);
        Some(next)
    }

    /// The next instant that someone sleeps until.
    pub fn next_instant(&self) -> Option<Timestamp> {
        lock(&self.time).sleepers.keys().next().map(|(instant, _)| *instant)
    }

    /// How many sleep.
    pub fn sleepers(&self) -> usize {
        lock(&self.time).sleepers.len()
    }

    /// Waits until at least this many sleep.
    pub async fn asleep(&self, sleepers: usize) {
        poll_fn(|context| {
            let mut time = lock(&self.time);
            if time.sleepers.len() >= sleepers {
                return Poll::Ready(());
            }
            time.watchers.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

impl Default for VirtualClock {
    /// The midnight at which the revision 2026-07-28 begins.
    fn default() -> Self {
        Self::at(Timestamp::from_unix_ms(1_785_196_800_000))
    }
}

#[deny(clippy::missing_trait_methods, reason = "a clock answers every question of the port itself")]
#[async_trait]
impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        lock(&self.time).now
    }

    async fn sleep_until(&self, instant: Timestamp) {
        let mut sleeper = Sleeper { time: &self.time, instant, arrival: None };
        poll_fn(|context| sleeper.poll(context)).await;
    }
}

struct Sleeper<'a> {
    time: &'a Mutex<Time>,
    instant: Timestamp,
    arrival: Option<u64>,
}

impl Sleeper<'_> {
    fn poll(&mut self, context: &Context<'_>) -> Poll<()> {
        let mut time = lock(self.time);
        if time.now >= self.instant {
            return Poll::Ready(());
        }
        let arrival = *self.arrival.get_or_insert_with(|| {
            time.arrivals = time.arrivals.saturating_add(1);
            time.arrivals
        });
        time.sleepers.insert((self.instant, arrival), context.waker().clone());
        let watchers = std::mem::take(&mut time.watchers);
        drop(time);
        for watcher in watchers {
            watcher.wake();
        }
        Poll::Pending
    }
}

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        if let Some(arrival) = self.arrival {
            lock(self.time).sleepers.remove(&(self.instant, arrival));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_unix_ms(ms)
    }

    #[tokio::test]
    async fn sleepers_wake_in_the_order_of_their_instants() {
        let clock = VirtualClock::at(at(0));
        let woken = Arc::new(Mutex::new(Vec::new()));
        let sleepers: Vec<_> = [30, 10, 20, 10]
            .into_iter()
            .enumerate()
            .map(|(number, ms)| {
                let (clock, woken) = (clock.clone(), Arc::clone(&woken));
                tokio::spawn(async move {
                    clock.sleep_until(at(ms)).await;
                    lock(&woken).push(number);
                })
            })
            .collect();
        clock.asleep(4).await;
        assert_eq!(clock.next_instant(), Some(at(10)));
        clock.set(at(9));
        assert_eq!(clock.sleepers(), 4);
        clock.advance(Duration::from_millis(100));
        for sleeper in sleepers {
            sleeper.await.unwrap();
        }
        assert_eq!(*lock(&woken), [1, 3, 2, 0]);
        assert_eq!(clock.now(), at(109));
    }

    #[tokio::test]
    async fn a_step_back_wakes_nobody_and_a_dropped_sleeper_is_gone() {
        let clock = VirtualClock::at(at(100));
        let sleeper = {
            let clock = clock.clone();
            tokio::spawn(async move { clock.sleep_until(at(200)).await })
        };
        clock.asleep(1).await;
        clock.set(at(50));
        assert_eq!(clock.sleepers(), 1);
        sleeper.abort();
        assert!(sleeper.await.unwrap_err().is_cancelled());
        assert_eq!(clock.sleepers(), 0);
        assert_eq!(clock.advance_to_next(), None);
    }
}
