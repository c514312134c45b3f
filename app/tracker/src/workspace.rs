//! One workspace.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pm_tracker_ports::{
    ChangeSource, CommandRunner, WatchMode, WorkspaceRepository, WorkspaceSnapshot, WorkspaceWriter,
};
use tokio::sync::Notify;

use crate::failure::{Failure, Problem};
use crate::index::KeptIndex;
use crate::view::{Moment, View};

/// One configured workspace, with what is kept of it between calls.
#[derive(Debug)]
pub struct Workspace {
    name: String,
    repository: Arc<dyn WorkspaceRepository>,
    index: KeptIndex,
    latest: Mutex<Option<Arc<Moment>>>,
    source: OnceLock<Arc<dyn ChangeSource>>,
    writer: OnceLock<Arc<dyn WorkspaceWriter>>,
    runner: OnceLock<Arc<dyn CommandRunner>>,
    written: Notify,
}

impl Workspace {
    pub(crate) fn new(name: String, repository: Arc<dyn WorkspaceRepository>) -> Self {
        Self {
            name,
            repository,
            index: KeptIndex::default(),
            latest: Mutex::default(),
            source: OnceLock::new(),
            writer: OnceLock::new(),
            runner: OnceLock::new(),
            written: Notify::new(),
        }
    }

    /// The name that callers use.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the workspace is read from.
    #[must_use]
    pub fn repository(&self) -> &dyn WorkspaceRepository {
        &*self.repository
    }

    /// What runs the commands that are linked to items; `None` where nothing may run them.
    pub(crate) fn runner(&self) -> Option<&Arc<dyn CommandRunner>> {
        self.runner.get()
    }

    /// The first runner that is given stays.
    pub(crate) fn commands_run_by(&self, runner: Arc<dyn CommandRunner>) {
        self.runner.get_or_init(|| runner);
    }

    /// Where the workspace is changed.
    ///
    /// # Errors
    ///
    /// [`Failure::ReadOnly`] for a workspace that is only served for reading.
    pub fn writer(&self) -> Result<&dyn WorkspaceWriter, Failure> {
        let writer = self.writer.get().map(|writer| &**writer);
        writer.ok_or_else(|| Failure::ReadOnly {
            name: self.name.clone(),
            detail: "it is served for reading only".to_owned(),
        })
    }

    /// The first writer that is given stays.
    pub(crate) fn written_by(&self, writer: Arc<dyn WorkspaceWriter>) {
        self.writer.get_or_init(|| writer);
    }

    /// The workspace as it is now.
    ///
    /// # Errors
    ///
    /// [`Failure::WorkspaceMissing`](crate::Failure::WorkspaceMissing) if it is gone or cannot be read as a whole; a
    /// fault if the reader itself failed.
    pub async fn view(self: &Arc<Self>) -> Result<View, Problem> {
        let snapshot = self.repository.snapshot().await;
        let snapshot = snapshot.map_err(|error| Problem::of_workspace(&self.name, error))?;
        Ok(View::new(Arc::clone(self), self.moment(snapshot)))
    }

    /// The workspace right after a change, without the pause that readers make between looks.
    ///
    /// # Errors
    ///
    /// As [`view`](Self::view).
    pub async fn fresh_view(self: &Arc<Self>) -> Result<View, Problem> {
        let snapshot = self.repository.fresh_snapshot().await;
        let snapshot = snapshot.map_err(|error| Problem::of_workspace(&self.name, error))?;
        Ok(View::new(Arc::clone(self), self.moment(snapshot)))
    }

    /// Says that this server has just changed the workspace, so that it is announced at once and not only when the
    /// operating system tells of it.
    pub fn written(&self) {
        self.written.notify_one();
    }

    /// How changes by others are learnt of; `None` while nobody listens for them.
    #[must_use]
    pub fn watch_mode(&self) -> Option<WatchMode> {
        self.source.get().map(|source| source.mode())
    }

    /// The source of changes. The first one that is given stays.
    pub(crate) fn watched_by(&self, source: Arc<dyn ChangeSource>) -> &Arc<dyn ChangeSource> {
        self.source.get_or_init(|| source)
    }

    /// Waits for the next [`written`](Self::written). One that nobody waited for is remembered.
    pub(crate) async fn next_write(&self) {
        self.written.notified().await;
    }

    fn moment(&self, snapshot: Arc<WorkspaceSnapshot>) -> Arc<Moment> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(known) if known.is_of(&snapshot) => Arc::clone(known),
            earlier => {
                let moment = Moment::new(snapshot, earlier.as_deref());
                Arc::clone(latest.insert(Arc::new(moment)))
            }
        }
    }

    /// Throws away what follows from all items together; the next question builds it anew.
    pub(crate) fn forget(&self) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) const fn index(&self) -> &KeptIndex {
        &self.index
    }
}
