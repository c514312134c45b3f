//! Processes that change the same records.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout};
use std::thread::JoinHandle;

use super::counters::{CONFLICT, COUNTERS, READY, counted, counter};
use super::harness::{ProcessTest, StoreAtPlace};
use super::lives::CLIENTS;
use super::role::{Role, work_as_child};
use crate::law::{Violation, ensure};

const PROCESSES: usize = 2;

/// What sharing a store showed: no update was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shared {
    /// How many changes the processes made together.
    pub transitions: usize,
    /// How often one of them was told to read again.
    pub conflicts: usize,
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transitions, conflicts } = self;
        let clients = PROCESSES * usize::from(CLIENTS);
        write!(
            f,
            "{PROCESSES} processes, {clients} clients, {transitions} transitions, {conflicts} conflicts, no update lost"
        )
    }
}

/// A process that has opened the store and waits.
struct Counting {
    child: Child,
    output: BufReader<ChildStdout>,
}

type Lines = JoinHandle<std::io::Result<Vec<String>>>;

impl Counting {
    fn start<S: StoreAtPlace>(test: &ProcessTest<S>, share: usize) -> Result<Self, Violation> {
        let mut child = test.start(Role::Counting, share)?;
        let output = child.stdout.take().ok_or_else(|| Violation::new("a process has no output"))?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        while !line.trim_end().ends_with(READY) {
            line.clear();
            if output.read_line(&mut line)? == 0 {
                let ended = child.wait()?;
                return Err(Violation::new(format!("a process failed: {ended}")));
            }
        }
        Ok(Self { child, output })
    }

    fn begin(mut self) -> Result<(Child, Lines), Violation> {
        let mut input = self.child.stdin.take().ok_or_else(|| Violation::new("a process has no input"))?;
        input.write_all(b"begin\n")?;
        Ok((self.child, std::thread::spawn(move || self.output.lines().collect())))
    }
}

impl<S: StoreAtPlace> ProcessTest<S> {
    /// Lets two processes with four clients each add to the same counters on an empty store, `transitions` times together
    /// (rounded down to what they can share): every addition counts, and no revision is given out twice.
    ///
    /// # Errors
    ///
    /// What was seen instead, and what keeps processes from being started or the store from being opened.
    pub fn share(&self, transitions: usize) -> Result<Shared, Violation> {
        if work_as_child(&self.store) {
            std::process::exit(0);
        }
        let clients = usize::from(CLIENTS);
        let share = transitions / PROCESSES / clients * clients;
        self.look(async |store| {
            for number in 0..COUNTERS {
                store.create(&counter(number)).await?;
            }
            Ok(())
        })?;
        let mut ready = Vec::new();
        for _ in 0..PROCESSES {
            ready.push(Counting::start(self, share)?);
        }
        // Only now, so that every process has opened the store before any of them changes it.
        let reading = ready.into_iter().map(Counting::begin).collect::<Result<Vec<_>, _>>()?;
        let (mut revisions, mut conflicts) = (BTreeSet::new(), 0);
        for (mut child, lines) in reading {
            let lines =
                lines.join().map_err(|_| Violation::new("the output of a process was not read"))??;
            let ended = child.wait()?;
            ensure!(ended.success(), "a process failed: {ended}");
            for line in lines {
                match line.strip_prefix("revision ") {
                    Some(revision) => {
                        let number: u64 = revision.parse()?;
                        ensure!(revisions.insert(number), "revision {number} was given out twice");
                    }
                    None => conflicts += usize::from(line == CONFLICT),
                }
            }
        }
        let sum = self.look(async |store| {
            let mut sum = 0;
            for number in 0..COUNTERS {
                let stored = store.load(&counter(number).id).await?;
                let stored = stored.ok_or_else(|| Violation::new("a counter is not there"))?;
                sum += counted(&stored.record)?;
            }
            Ok(sum)
        })?;
        let transitions = PROCESSES * share;
        ensure!(
            (sum, revisions.len()) == (u64::try_from(transitions)?, transitions),
            "of {transitions} updates {sum} count, and {} have revisions",
            revisions.len()
        );
        Ok(Shared { transitions, conflicts })
    }
}
