//! What all actors of a run share.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::dice::Dice;
use crate::tally::Tally;

/// One run against one server.
#[derive(Debug)]
pub(crate) struct Load {
    pub(crate) server: SocketAddr,
    pub(crate) tally: Tally,
    pub(crate) begun: Instant,
    pub(crate) length: Duration,
    edited: Mutex<Instant>,
    stopped: AtomicBool,
}

impl Load {
    pub(crate) fn new(server: SocketAddr, length: Duration) -> Self {
        Self {
            server,
            tally: Tally::default(),
            begun: Instant::now(),
            length,
            edited: Mutex::new(Instant::now()),
            stopped: AtomicBool::new(false),
        }
    }

    /// An edit begins.
    pub(crate) fn edits(&self) {
        *self.edited.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// When the last edit began.
    pub(crate) fn edited(&self) -> Instant {
        *self.edited.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end of the run.
    pub(crate) async fn end(&self) {
        sleep(self.length.saturating_sub(self.begun.elapsed())).await;
    }

    /// Ends the run before its time.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the run goes on.
    pub(crate) fn goes_on(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed) && self.begun.elapsed() < self.length
    }
}

/// Spreads exchanges evenly enough over time, without ever making up for lost time at once.
#[derive(Debug)]
pub(crate) struct Pace {
    span: Duration,
    dice: Dice,
}

impl Pace {
    /// One exchange in each such span, on average.
    pub(crate) fn every(span: Duration, seed: u64) -> Self {
        Self { span, dice: Dice::seeded(seed) }
    }

    /// So many a second.
    pub(crate) fn a_second(rate: f64, seed: u64) -> Self {
        Self::every(Duration::from_secs_f64(1.0 / rate.max(0.01)), seed)
    }

    /// Waits for a half to one and a half of the span.
    pub(crate) async fn rest(&mut self) {
        let share = 500 + self.dice.below(1_001);
        sleep(self.span.mul_f64(share as f64 / 1_000.0)).await;
    }
}

/// A number that the environment sets, or `default`.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is to be a whole number, not {text:?}")),
        Err(_) => default,
    }
}
