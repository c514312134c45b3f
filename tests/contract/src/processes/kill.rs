//! Processes that are killed.

use std::fmt;
use std::io::{BufRead as _, BufReader};

use super::dice::Dice;
use super::harness::{ProcessTest, StoreAtPlace};
use super::oracle::Oracle;
use super::role::{Role, work_as_child};
use crate::law::{Outcome, Violation, ensure};

/// A process is killed after this many acknowledgements at the most.
const LONGEST: u64 = 150;

/// The lists are compared this often, and at the end.
const LISTS_EVERY: usize = 20;

/// What killing processes showed: nothing was lost and nothing torn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Kills {
    /// How many processes were killed.
    pub rounds: usize,
    /// How many steps the store had acknowledged to them.
    pub acknowledged: u64,
    /// How many records are left.
    pub records: usize,
}

impl fmt::Display for Kills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, acknowledged, records } = self;
        write!(
            f,
            "{rounds} processes killed, {acknowledged} acknowledged steps, {records} records left, none lost or torn"
        )
    }
}

impl<S: StoreAtPlace> ProcessTest<S> {
    /// Kills `rounds` processes, one after the other, in the middle of their work on an empty store, and opens the store
    /// after each: every acknowledged step is there, a step that was only tried is there whole or not at all, and the
    /// lists agree with the records. `after` looks at what else a round may leave behind.
    ///
    /// # Errors
    ///
    /// What was seen instead, and what keeps processes from being started or the store from being opened.
    pub fn kill(&self, rounds: usize, mut after: impl FnMut(&str) -> Outcome) -> Result<Kills, Violation> {
        if work_as_child(&self.store) {
            std::process::exit(0);
        }
        let (mut oracle, mut dice) = (Oracle::default(), Dice(2026));
        let mut kills = Kills { rounds, acknowledged: 0, records: 0 };
        for round in 0..rounds {
            kills.acknowledged += self.kill_one(&mut oracle, round, 1 + dice.below(LONGEST))?;
            let last = round + 1 == rounds;
            kills.records = self.look(async |store| {
                let first = if last { 0 } else { u64::try_from(round)? };
                let found = oracle.check(&*store, first).await?;
                if last || round % LISTS_EVERY == 0 {
                    oracle.check_lists(&*store).await?;
                }
                Ok(found)
            })?;
            after(&self.place)?;
        }
        Ok(kills)
    }

    fn kill_one(&self, oracle: &mut Oracle, round: usize, after: u64) -> Result<u64, Violation> {
        let mut child = self.start(Role::Lives, round)?;
        let output = child.stdout.take().ok_or_else(|| Violation::new("a process has no output"))?;
        let mut heard = 0;
        for line in BufReader::new(output).lines() {
            if oracle.hear(u64::try_from(round)?, &line?)? {
                heard += 1;
                if heard == after {
                    // What it told before it died is still read to the end.
                    child.kill()?;
                }
            }
        }
        let ended = child.wait()?;
        ensure!(heard >= after && !ended.success(), "a process ended by itself after {heard} steps: {ended}");
        Ok(heard)
    }
}
