//! An open database.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, mpsc as handover};
use std::thread;

use pm_mcp_ports::driven::BackendError;
use tokio::sync::mpsc;

use crate::committer::{self, Log};
use crate::fault::{Fault, OpenError};
use crate::folder::{self, OpenFolder};
use crate::kept::Kept;
use crate::large_bodies::LargeBodies;
use crate::options::SledOptions;
use crate::replay_guard::SledReplayGuard;
use crate::task_store::SledTaskStore;
use crate::writer::{self, Done, Health, Job};

/// How many calls may wait to be applied; further ones wait to be taken in.
const QUEUE: usize = 1024;

/// A folder with task records and used nonces, open in this process and in no other.
///
/// A clone is the same database. It closes when the last clone, store and guard of it is dropped, in the background;
/// whoever opens it again within a second waits for that.
///
/// ```
/// use pm_mcp_domain::continuation::Nonce;
/// use pm_mcp_domain::time::Timestamp;
/// use pm_mcp_ports::driven::ReplayGuard;
/// use pm_mcp_task_sled::{SledDatabase, SledOptions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let database = SledDatabase::open(folder, SledOptions::default())?;
/// let (store, guard) = (database.task_store(), database.replay_guard());
/// # drop(store);
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let (until, now) = (Timestamp::from_unix_ms(60_000), Timestamp::from_unix_ms(0));
/// guard.consume(&Nonce::from_random([7; 16]), until, now).await
/// # })?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SledDatabase {
    jobs: mpsc::Sender<Job>,
    folder: Arc<Path>,
}

impl SledDatabase {
    /// Opens the database in a folder, and makes both when they are not there.
    ///
    /// It blocks while it reads the log, and for a second while another opener holds the folder: call it before the
    /// server serves, or where blocking is allowed.
    ///
    /// # Errors
    ///
    /// [`OpenError::HeldElsewhere`] when the folder stays held; [`OpenError::NewerFormat`] and
    /// [`OpenError::HalfImported`] for what must not be opened; the others when the disk or sled fails.
    pub fn open(folder: impl AsRef<Path>, options: SledOptions) -> Result<Self, OpenError> {
        let folder: Arc<Path> = folder.as_ref().into();
        let open = folder::open(&folder, &options)?;
        Self::of(folder, open, options)
    }

    fn of(folder: Arc<Path>, open: OpenFolder, options: SledOptions) -> Result<Self, OpenError> {
        let OpenFolder { db, log, large, lock } = open;
        let failed = |fault: Fault| OpenError::Io {
            doing: "reading",
            path: folder.to_path_buf(),
            source: io::Error::other(fault),
        };
        let large = LargeBodies::within(&large);
        let kept = Kept::of(db.clone(), Arc::clone(&folder), large, options).map_err(failed)?;
        let log = Log { db, file: log, folder: Arc::clone(&folder), lock };
        let (jobs, queue) = mpsc::channel(QUEUE);
        let (applied, commits) = handover::channel();
        let health = Health::default();
        let spawn = |name: &str| thread::Builder::new().name(name.to_owned());
        let start =
            |source| OpenError::Io { doing: "starting a thread for", path: folder.to_path_buf(), source };
        let (committing, synced) = (health.clone(), kept.synced());
        spawn("sled-committer")
            .spawn(move || committer::run(log, &commits, &committing, &synced))
            .map_err(start)?;
        spawn("sled-writer").spawn(move || writer::run(kept, queue, applied, &health)).map_err(start)?;
        Ok(Self { jobs, folder })
    }

    /// The task records.
    pub fn task_store(&self) -> SledTaskStore {
        SledTaskStore::of(self.clone())
    }

    /// The used nonces. All guards of one database remember the same ones.
    pub fn replay_guard(&self) -> SledReplayGuard {
        SledReplayGuard::of(self.clone())
    }

    /// How many bytes the log takes on the disk, without the bodies in files of their own. For a metric: the log gives
    /// no space back, it uses again what was freed.
    ///
    /// # Errors
    ///
    /// When it cannot be told.
    pub async fn bytes_on_disk(&self) -> Result<u64, BackendError> {
        let bytes = self.submit(|kept| kept.bytes_on_disk().map(Done::Unchanged)).await;
        bytes.map_err(|fault| fault.reading("measuring the task database"))
    }

    /// Has the writer do something, and waits until its changes are on the disk. Once it is taken in it is done, whether
    /// or not anyone still waits.
    pub(crate) async fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Kept) -> Result<Done<T>, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let (job, answered) = writer::job(work);
        self.jobs.send(job).await.map_err(|_| Fault::Ended)?;
        answered.await.unwrap_or(Err(Fault::Ended))
    }
}

impl fmt::Debug for SledDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SledDatabase").field("folder", &self.folder).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::fs::File;

    use pm_mcp_contract::task_store::{expect_stored, numbered_record};
    use pm_mcp_ports::driven::{Applied, CreateError, TaskStore};

    use super::*;

    /// A database whose log cannot be synced: the system refuses it for what is no file.
    fn that_never_syncs(folder: &Path) -> SledDatabase {
        let options = SledOptions::default();
        let open = folder::open(folder, &options).unwrap();
        let open = OpenFolder { log: File::options().write(true).open("/dev/null").unwrap(), ..open };
        SledDatabase::of(folder.into(), open, options).unwrap()
    }

    #[tokio::test]
    async fn a_sync_that_fails_is_told_and_nothing_is_acknowledged_until_the_database_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (numbered_record(1), numbered_record(2));
        let before = SledDatabase::open(folder.path(), SledOptions::default()).unwrap().task_store();
        let revision = before.create(&first).await.unwrap();
        drop(before);
        let store = that_never_syncs(folder.path()).task_store();
        let Err(CreateError::Backend(fault)) = store.create(&second).await else {
            panic!("it was acknowledged")
        };
        assert_eq!(fault.applied, Applied::Unknown);
        assert!(fault.source().unwrap().to_string().starts_with("syncing the log in "), "{fault:?}");
        let Err(CreateError::Backend(fault)) = store.create(&numbered_record(3)).await else {
            panic!("it was acknowledged")
        };
        assert_eq!(fault.applied, Applied::No);
        assert!(fault.source().unwrap().to_string().contains("open it again"), "{fault:?}");
        drop(store);
        let store = SledDatabase::open(folder.path(), SledOptions::default()).unwrap().task_store();
        expect_stored(&store, &first, revision).await.unwrap();
        let found = store.load(&second.id).await.unwrap();
        assert!(found.is_none_or(|stored| stored.record == second), "half a record");
        assert!(store.load(&numbered_record(3).id).await.unwrap().is_none());
        store.create(&numbered_record(3)).await.unwrap();
    }
}
