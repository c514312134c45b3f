//! The port, on a folder.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    Applied, BackendError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError, Revision,
    Stored, TaskStore, fits_every_store,
};
use tokio::task::spawn_blocking;

use crate::fault::{Fault, OpenError};
use crate::folder::{Expected, Failed, Folder};
use crate::header::Owner;
use crate::key::Key;
use crate::order::Order;

const CREATING: &str = "creating a task record";
const READING: &str = "reading a task record";
const REPLACING: &str = "replacing a task record";
const REMOVING: &str = "removing a task record";
const COUNTING: &str = "counting the task records of a principal";
const LISTING: &str = "listing task records";

/// Keeps task records in a folder, one file each, through a killed process and a loss of power.
///
/// Any number of processes of one machine may have the folder open. The store's own threads wait for the disk; it needs
/// a tokio runtime. What a dropped call has begun is finished, and a later call on the same record finds it.
///
/// ```no_run
/// # fn main() -> Result<(), pm_mcp_task_fs::OpenError> {
/// let store = pm_mcp_task_fs::FsTaskStore::open("/var/lib/deployer/tasks")?;
/// # drop(store);
/// # Ok(())
/// # }
/// ```
pub struct FsTaskStore {
    folder: Arc<Folder>,
    order: Order,
}

impl FsTaskStore {
    /// Opens a folder, and makes it if it is missing. It reads the first bytes of every record, so it takes time in
    /// proportion to their number, and it waits for the disk: call it before serving.
    ///
    /// Damaged records and files that are not the store's own are told in the log and left where they are.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made, listed or written to.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, OpenError> {
        let path = folder.into();
        match Folder::open(path.clone()) {
            Ok(folder) => Ok(Self { folder: Arc::new(folder), order: Order::new() }),
            Err(fault) => Err(OpenError::new(&path, fault)),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Works on files where waiting does no harm. `turn` is kept until the work is done, also when nobody waits for it.
    async fn work<T: Send + 'static, E: From<Fault> + Send + 'static>(
        &self,
        turn: impl Send + 'static,
        work: impl FnOnce(&Folder) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let folder = Arc::clone(&self.folder);
        let worked = spawn_blocking(move || {
            let done = work(&folder);
            drop(turn);
            done
        });
        worked.await.unwrap_or_else(|_| Err(Fault::Stopped.into()))
    }

    async fn write(&self, record: &TaskRecord, expected: Expected) -> Result<Option<Revision>, Failed> {
        let turn = self.order.write(Key::of(&record.id)).await;
        let record = record.clone();
        self.work(turn, move |folder| folder.write(&record, expected)).await
    }
}

impl fmt::Debug for FsTaskStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FsTaskStore")
            .field("folder", &self.folder.path())
            .field("records", &self.folder.records())
            .finish_non_exhaustive()
    }
}

impl Failed {
    fn backend(self, operation: &'static str) -> BackendError {
        // Work that was stopped may have come to its end.
        let applied = if matches!(self.fault, Fault::Stopped) { Applied::Unknown } else { self.applied };
        self.fault.backend(operation, applied)
    }
}

#[deny(clippy::missing_trait_methods, reason = "a store answers every call of the port itself")]
#[async_trait]
impl TaskStore for FsTaskStore {
    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        if !fits_every_store(record) {
            return Err(CreateError::TooLong);
        }
        match self.write(record, Expected::Nothing).await {
            Ok(created) => created.ok_or(CreateError::AlreadyExists),
            Err(failed) => Err(failed.backend(CREATING).into()),
        }
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        let key = Key::of(id);
        let turn = self.order.read(key).await;
        let loaded = self.work(turn, move |folder| folder.load(key)).await;
        loaded.map_err(|fault: Fault| fault.backend(READING, Applied::No))
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        if !fits_every_store(record) {
            return Err(ReplaceError::TooLong);
        }
        match self.write(record, Expected::At(expected)).await {
            Ok(replaced) => replaced.ok_or(ReplaceError::Conflict),
            Err(failed) => Err(failed.backend(REPLACING).into()),
        }
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let key = Key::of(id);
        let turn = self.order.write(key).await;
        match self.work(turn, move |folder| folder.remove(key, expected)).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(RemoveError::Conflict),
            Err(failed) => Err(Failed::backend(failed, REMOVING).into()),
        }
    }

    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let after = page.after.map(|place| (place.due.as_unix_ms(), Key::of(&place.id)));
        let listed = self.work((), move |folder| folder.due(by, after, page.size.get())).await;
        listed.map_err(|fault: Fault| fault.backend(LISTING, Applied::No))
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        let after = page.after.map(|id| Key::of(&id));
        let listed = self.work((), move |folder| folder.unfinished(after, page.size.get())).await;
        listed.map_err(|fault: Fault| fault.backend(LISTING, Applied::No))
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        let owner = Owner::named(principal.as_str().as_bytes());
        let held = self.work((), move |folder| folder.held(owner)).await;
        held.map_err(|fault: Fault| fault.backend(COUNTING, Applied::No))
    }
}
