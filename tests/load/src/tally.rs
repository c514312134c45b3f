//! What was done, how often it went wrong and how long it took.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::figures::Times;

/// Faults of one kind that are kept in words.
const KEPT: usize = 5;

/// Counts by kind.
#[derive(Default, Debug)]
pub(crate) struct Tally(Mutex<BTreeMap<&'static str, Kind>>);

/// What is known of one kind of exchange.
#[derive(Clone, Default, Debug)]
pub(crate) struct Kind {
    pub(crate) done: u64,
    pub(crate) faults: u64,
    pub(crate) first: Vec<String>,
    pub(crate) took: Times,
}

impl Tally {
    /// One exchange that began at `begun` and has ended now.
    pub(crate) fn note(&self, kind: &'static str, begun: Instant, outcome: Result<(), String>) {
        self.timed(kind, begun.elapsed(), outcome);
    }

    pub(crate) fn timed(&self, kind: &'static str, took: Duration, outcome: Result<(), String>) {
        let mut kinds = self.lock();
        let kind = kinds.entry(kind).or_default();
        kind.done += 1;
        kind.took.add(took);
        if let Err(fault) = outcome {
            kind.faults += 1;
            if kind.first.len() < KEPT {
                kind.first.push(fault);
            }
        }
    }

    /// Everything so far.
    pub(crate) fn kinds(&self) -> BTreeMap<&'static str, Kind> {
        self.lock().clone()
    }

    /// Prints a line a kind, and the first faults.
    pub(crate) fn print(&self) {
        println!("{:<28} {:>9} {:>7} {:>9} {:>9} {:>9}  ms", "what", "done", "faults", "p50", "p99", "most");
        for (name, kind) in self.kinds() {
            let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
            println!(
                "{name:<28} {:>9} {:>7} {:>9.2} {:>9.2} {:>9.2}",
                kind.done,
                kind.faults,
                ms(kind.took.permille(500)),
                ms(kind.took.permille(990)),
                ms(kind.took.most())
            );
            for fault in kind.first {
                println!("    fault: {fault}");
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, Kind>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
