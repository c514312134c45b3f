//! The writing half of the workspace, as its port sees it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use async_trait::async_trait;
use pm_tracker_domain::{ItemId, Settings, Timestamp, change::World, check::Repair};
use pm_tracker_ports::{
    Batch, BatchDone, BatchError, BatchOutcome, Edit, RepairOrder, Target, WorkspaceWriter, WriteError,
    Written,
};
use tokio::sync::{OwnedMutexGuard, Semaphore};

use super::{
    batch,
    commit::Commit,
    disk::Disk,
    journal::{Journal, State, check_name},
    lock::{Elapsed, LockTaker, TRANSACTION},
    new_id, present, recover, repair, session,
    step::{StepObserver, Unobserved},
};
use crate::{repository::PmWorkspace, root::WorkspaceRoot};

/// What writing needs besides the workspace itself.
#[derive(Debug, Clone)]
pub(crate) struct Writing {
    disk: Disk,
    lock_wait: Option<Duration>,
    /// So many of this process write at once.
    turns: Arc<Semaphore>,
    /// Writers of this process line up here before they contend for lock files, so that none of them starves.
    lines: Arc<Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>>,
}

/// How many write at once. Each takes a thread, and for each thread the allocator keeps memory; but one who waits for the
/// lock of another program must not hold up the others.
const AT_ONCE: usize = 16;

/// From how many lines on those that nobody stands in are forgotten.
const MANY_LINES: usize = 1024;

impl Writing {
    pub(crate) fn new(root: &WorkspaceRoot) -> Self {
        let disk = Disk { root: root.tracker.clone(), steps: Arc::new(Unobserved) };
        Self { disk, lock_wait: None, turns: Arc::new(Semaphore::new(AT_ONCE)), lines: Arc::default() }
    }

    async fn line(&self, name: &str) -> OwnedMutexGuard<()> {
        let line = {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            if lines.len() > MANY_LINES {
                lines.retain(|_, line| line.strong_count() > 0);
            }
            match lines.get(name).and_then(Weak::upgrade) {
                Some(line) => line,
                None => {
                    let line = Arc::default();
                    lines.insert(name.to_owned(), Arc::downgrade(&line));
                    line
                }
            }
        };
        line.lock_owned().await
    }

    fn taker<'t>(
        &'t self,
        settings: &'t Settings,
        owner: &'t str,
        force: bool,
        now: Timestamp,
    ) -> LockTaker<'t> {
        let wait = self.lock_wait.unwrap_or(Duration::from_millis(settings.lock_wait_ms));
        LockTaker { disk: &self.disk, owner, settings, wait, force, clock: Elapsed::new(now) }
    }
}

impl PmWorkspace {
    /// How long a writer waits for a lock, whatever the settings of the workspace say.
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.writing.lock_wait = Some(wait);
        self
    }

    /// Lets somebody watch every step of writing, and make it fail; for tests of what a stop leaves behind.
    #[must_use]
    pub fn observed_by(mut self, steps: Arc<dyn StepObserver>) -> Self {
        self.writing.disk.steps = steps;
        self
    }

    /// Undoes batches whose writer was stopped half-way. Gives their names.
    ///
    /// # Errors
    /// [`WriteError`] if a lock is held or a batch cannot be undone.
    pub async fn recover(
        &self,
        world: Arc<World>,
        owner: &str,
        now: Timestamp,
        force: bool,
    ) -> Result<Vec<String>, WriteError> {
        if Journal::names(&self.writing.disk).is_empty() {
            return Ok(Vec::new());
        }
        let line = self.writing.line(TRANSACTION).await;
        let owner = owner.to_owned();
        self.on_writer_thread(move |writing| {
            let _line = line;
            let taker = writing.taker(world.settings(), &owner, force, now);
            let _transaction = taker.take(TRANSACTION)?;
            recover::all(&writing.disk, &taker, &world)
        })
        .await
        .unwrap_or_else(|detail| Err(WriteError::Unavailable { detail }))
    }

    async fn on_writer_thread<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Writing) -> R + Send + 'static,
    ) -> Result<R, String> {
        let turn =
            Arc::clone(&self.writing.turns).acquire_owned().await.map_err(|error| error.to_string())?;
        let workspace = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&workspace.writing);
            workspace.wrote();
            drop(turn);
            done
        });
        done.await.map_err(|error| error.to_string())
    }
}

/// Whether pm would accept the workspace's settings; another prefix would be used otherwise.
fn check_settings(world: &World) -> Result<(), WriteError> {
    let settings = world.settings();
    if settings.is_writable() {
        return Ok(());
    }
    let shown: Vec<&str> = settings.missing.iter().take(5).map(String::as_str).collect();
    let more = settings.missing.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Err(WriteError::ReadOnly {
        detail: format!(
            "settings.json lacks {}{more}; without them pm takes the file for invalid",
            shown.join(", ")
        ),
    })
}

/// Whether an id can name files.
fn check_id(id: &str) -> Result<(), WriteError> {
    let plain = ItemId::parse(id, "").is_some_and(|parsed| parsed.as_str().len() == id.len());
    if plain {
        return Ok(());
    }
    Err(pm_tracker_domain::change::Refusal::Field {
        field: "id".to_owned(),
        detail: format!("`{id}` cannot be an item id"),
    }
    .into())
}

#[async_trait]
impl WorkspaceWriter for PmWorkspace {
    async fn edit(&self, edit: Edit) -> Result<Written, WriteError> {
        check_settings(&edit.world)?;
        let line = match &edit.target {
            Target::Item(id) => {
                check_id(id)?;
                Some(self.writing.line(id).await)
            }
            Target::New => None,
        };
        let made = self.on_writer_thread(move |writing| {
            let _line = line;
            make(writing, &edit)
        });
        made.await.unwrap_or_else(|detail| Err(WriteError::Unavailable { detail }))
    }

    async fn batch(&self, batch: Batch) -> Result<BatchDone, BatchError> {
        check_settings(&batch.world)?;
        for row in &batch.rows {
            check_id(&row.id)?;
        }
        let line = self.writing.line(TRANSACTION).await;
        let made = self.on_writer_thread(move |writing| {
            let _line = line;
            let taker = writing.taker(batch.world.settings(), &batch.author, batch.force, batch.now);
            batch::run(&writing.disk, &taker, &batch)
        });
        made.await.unwrap_or_else(|detail| Err(WriteError::Unavailable { detail }.into()))
    }

    async fn recorded(&self, transaction_id: &str) -> Result<Option<BatchOutcome>, BatchError> {
        check_name(transaction_id)?;
        let name = transaction_id.to_owned();
        let read = self.on_writer_thread(move |writing| Journal::read(&writing.disk, &name));
        let journal = read.await.unwrap_or_else(|detail| Err(WriteError::Unavailable { detail }))?;
        Ok(journal.filter(|journal| journal.state == State::Completed).map(|journal| journal.outcome()))
    }

    async fn unfinished(&self) -> Result<Vec<String>, WriteError> {
        let found = self.on_writer_thread(|writing| Journal::unfinished(&writing.disk)).await;
        found.map_err(|detail| WriteError::Unavailable { detail })
    }

    async fn repair(&self, order: RepairOrder) -> Result<Option<String>, WriteError> {
        check_settings(&order.world)?;
        if order.repair == Repair::UndoBatch {
            let undone = self.recover(order.world, &order.by.author, order.now, order.force).await?;
            return Ok((!undone.is_empty()).then(|| format!("undid {}", undone.join(", "))));
        }
        check_id(&order.id)?;
        let line = self.writing.line(&order.id).await;
        let made = self.on_writer_thread(move |writing| {
            let _line = line;
            let taker = writing.taker(order.world.settings(), &order.by.author, order.force, order.now);
            let _lock = taker.take(&order.id)?;
            repair::make(&writing.disk, &order)
        });
        made.await.unwrap_or_else(|detail| Err(WriteError::Unavailable { detail }))
    }

    async fn focus(&self, id: Option<&str>) -> Result<(), WriteError> {
        let id = id.map(str::to_owned);
        let set = self.on_writer_thread(move |writing| {
            session::focus(&writing.disk, id.as_deref(), Timestamp::from_unix_ms(0))
        });
        set.await.unwrap_or_else(|detail| Err(WriteError::Unavailable { detail }))
    }
}

fn make(writing: &Writing, edit: &Edit) -> Result<Written, WriteError> {
    let Edit { target, request, world, now } = edit;
    let taker = writing.taker(world.settings(), &request.by.author, request.force, *now);
    loop {
        let (id, fresh) = match target {
            Target::Item(id) => (id.clone(), false),
            Target::New => (new_id::unused(&writing.disk, world)?, true),
        };
        let lock = taker.take(&id)?;
        if fresh && present::is_taken(&writing.disk, &id, world.schema()) {
            continue;
        }
        let now = if lock.waited { taker.clock.now() } else { *now };
        let commit =
            Commit { disk: &writing.disk, id: &id, request, world, now, context: None, announce: None };
        return commit.make();
    }
}
