//! One workspace.

use std::sync::{Arc, Mutex, PoisonError};

use pm_tracker_ports::{WorkspaceRepository, WorkspaceSnapshot};

use crate::failure::Problem;
use crate::index::KeptIndex;
use crate::view::{Moment, View};

/// One configured workspace, with what is kept of it between calls.
#[derive(Debug)]
pub struct Workspace {
    name: String,
    repository: Arc<dyn WorkspaceRepository>,
    index: KeptIndex,
    latest: Mutex<Option<Arc<Moment>>>,
}

impl Workspace {
    pub(crate) fn new(name: String, repository: Arc<dyn WorkspaceRepository>) -> Self {
        Self { name, repository, index: KeptIndex::default(), latest: Mutex::default() }
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

    fn moment(&self, snapshot: Arc<WorkspaceSnapshot>) -> Arc<Moment> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(known) if known.is_of(&snapshot) => Arc::clone(known),
            Some(_) | None => Arc::clone(latest.insert(Arc::new(Moment::new(snapshot)))),
        }
    }

    pub(crate) const fn index(&self) -> &KeptIndex {
        &self.index
    }
}
