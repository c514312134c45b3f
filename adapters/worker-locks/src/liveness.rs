//! The port, on locked files.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::task::WorkerId;
use pm_mcp_ports::driven::{Announcement, BackendError, WorkerLiveness};
use tokio::task::spawn_blocking;

use crate::fault::{Fault, OpenError};
use crate::files::Files;

/// Knows which workers of this machine are gone, by files in a folder that the servers of one task store share.
///
/// Servers with different task stores need different folders: a worker whose tasks were ended is forgotten, and its tasks
/// in another store would then end with their lease. It needs a tokio runtime.
///
/// ```no_run
/// # fn main() -> Result<(), pm_mcp_worker_locks::OpenError> {
/// let workers = pm_mcp_worker_locks::LockFileLiveness::open("/var/lib/deployer/workers")?;
/// # drop(workers);
/// # Ok(())
/// # }
/// ```
pub struct LockFileLiveness {
    files: Arc<Files>,
}

impl LockFileLiveness {
    /// Opens a folder, and makes it if it is missing. It waits for the disk: call it before serving.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made or listed.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, OpenError> {
        let folder = folder.into();
        match Files::open(folder.clone()) {
            Ok(files) => Ok(Self { files: Arc::new(files) }),
            Err(fault) => Err(OpenError::new(&folder, fault)),
        }
    }

    async fn work<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Files) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, BackendError> {
        let files = Arc::clone(&self.files);
        let worked = spawn_blocking(move || work(&files)).await;
        worked.unwrap_or(Err(Fault::Stopped)).map_err(|fault| fault.backend(operation))
    }
}

impl fmt::Debug for LockFileLiveness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LockFileLiveness").field("folder", &self.files.folder).finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods, reason = "an adapter answers every call of the port itself")]
#[async_trait]
impl WorkerLiveness for LockFileLiveness {
    fn announce(&self, worker: &WorkerId) -> Result<Announcement, BackendError> {
        let file = self.files.announce(worker).map_err(|fault| fault.backend("announcing a worker"))?;
        Ok(Announcement::holding(file))
    }

    async fn gone(&self) -> Result<Vec<WorkerId>, BackendError> {
        self.work("looking for workers that are gone", Files::gone).await
    }

    async fn forget(&self, worker: &WorkerId) -> Result<(), BackendError> {
        let worker = worker.clone();
        self.work("forgetting a worker", move |files| files.forget(&worker)).await
    }
}
