//! The tasks that this process works on.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::task::{TaskId, WorkerId};
use pm_mcp_ports::driven::{Announcement, Clock, Entropy, TaskStore, WorkerLiveness};
use pm_mcp_ports::driving::LimitCounts;
use tokio::sync::Notify;

use super::counts::{Tally, TaskCounts};
use super::link::TaskLink;
use super::quota::Quotas;
use crate::build::BuildError;
use crate::exchange::Exchange;
use crate::hub::Hub;
use crate::ports::Ports;
use crate::settings::TaskSettings;

/// How many tasks may be changed at the same time.
const TURNS: usize = 64;

/// Everything about tasks: where they are kept and which of them this process works on.
pub(crate) struct Tasks {
    pub(super) store: Arc<dyn TaskStore>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) hub: Arc<Hub>,
    pub(super) settings: TaskSettings,
    pub(super) quotas: Quotas,
    pub(super) limit_counts: Arc<LimitCounts>,
    pub(super) tally: Tally,
    /// Whose leases are this process's own.
    pub(super) worker: WorkerId,
    /// Knows which other workers are gone before their leases run out.
    pub(super) workers: Option<Arc<dyn WorkerLiveness>>,
    /// Shows others that this one lives, for as long as any of its work goes on.
    _announced: Option<Announcement>,
    running: Mutex<BTreeMap<TaskId, Running>>,
    /// Which change of a task comes next: one at a time for each task, shared by tasks whose ids end alike.
    turns: [tokio::sync::Mutex<()>; TURNS],
    /// Told whenever a task is no longer worked on.
    pub(super) settled: Notify,
}

/// A task that this process works on.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) link: Arc<TaskLink>,
    pub(super) exchange: Arc<Exchange>,
    /// Told when the server cannot wait for the work any longer.
    pub(super) give_up: Arc<Notify>,
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks")
            .field("store", &self.store)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Tasks {
    pub(crate) fn new(
        store: &Arc<dyn TaskStore>,
        ports: &Ports,
        hub: Arc<Hub>,
        settings: TaskSettings,
        limit_counts: &Arc<LimitCounts>,
    ) -> Result<Self, BuildError> {
        let mut random = [0; WorkerId::RANDOM_BYTES];
        ports.entropy.fill(&mut random)?;
        let worker = WorkerId::from_random(&random);
        let workers = ports.workers.clone();
        let announced = workers.as_ref().map(|workers| workers.announce(&worker)).transpose();
        Ok(Self {
            store: Arc::clone(store),
            clock: Arc::clone(&ports.clock),
            entropy: Arc::clone(&ports.entropy),
            hub,
            settings,
            quotas: Quotas::new(settings.quota, Arc::clone(limit_counts)),
            limit_counts: Arc::clone(limit_counts),
            tally: Tally::default(),
            worker,
            workers,
            _announced: announced.map_err(BuildError::Worker)?,
            running: Mutex::default(),
            turns: std::array::from_fn(|_| tokio::sync::Mutex::default()),
            settled: Notify::new(),
        })
    }

    /// What became of tasks so far.
    pub(crate) fn counts(&self) -> TaskCounts {
        self.tally.snapshot(self.lock().len())
    }

    /// How tasks are kept.
    pub(crate) fn settings(&self) -> &TaskSettings {
        &self.settings
    }

    /// Lets tasks finish within the grace; those that do not are ended with words that say to start again.
    pub(crate) async fn finish(&self) {
        let deadline = self.clock.now().after(self.settings.shutdown_grace);
        tokio::select! {
            () = self.all_settled() => return,
            () = self.clock.sleep_until(deadline) => {}
        }
        for running in self.lock().values() {
            running.give_up.notify_one();
        }
        tokio::select! {
            () = self.all_settled() => {}
            () = self.clock.sleep_until(deadline.after(self.settings.shutdown_grace)) => {}
        }
    }

    async fn all_settled(&self) {
        loop {
            let settled = self.settled.notified();
            tokio::pin!(settled);
            settled.as_mut().enable();
            if self.lock().is_empty() {
                return;
            }
            settled.await;
        }
    }

    /// Held while a change of the task is decided, stored and told.
    pub(super) fn turn(&self, id: &TaskId) -> &tokio::sync::Mutex<()> {
        let end = id.as_str().bytes().rev().take(4).fold(0, |sum, byte| sum * 31 + usize::from(byte));
        let [first, ..] = &self.turns;
        self.turns.get(end % TURNS).unwrap_or(first)
    }

    pub(super) fn running(&self, id: &TaskId) -> Option<Running> {
        self.lock().get(id).cloned()
    }

    pub(super) fn all_running(&self) -> Vec<Running> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn began(&self, id: TaskId, running: Running) {
        self.lock().insert(id, running);
    }

    pub(super) fn ended(&self, id: &TaskId) {
        self.lock().remove(id);
        self.settled.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TaskId, Running>> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
