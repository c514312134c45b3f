//! The thread that syncs what was applied and tells everyone who waits for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::{fs::File, mem};

use crate::fault::Fault;
use crate::kept::Synced;
use crate::large_bodies;
use crate::writer::{Health, Waiting};

/// Changes that were applied together.
pub(crate) struct Commit {
    /// Who waits for them.
    pub(crate) waiting: Vec<Waiting>,
    /// The last revision among them or before.
    pub(crate) revision: u64,
    /// The files that nothing names any more once they are synced.
    pub(crate) obsolete: Vec<PathBuf>,
}

/// The log. The fields are dropped in this order: the lock goes last.
pub(crate) struct Log {
    pub(crate) db: sled::Db,
    pub(crate) file: File,
    pub(crate) folder: Arc<Path>,
    pub(crate) lock: File,
}

impl Log {
    /// Returns when everything applied so far is on the disk.
    fn sync(&self) -> Result<(), Fault> {
        let failed = |source| Fault::Sled { folder: Arc::clone(&self.folder), source };
        self.db.flush().map_err(failed)?;
        // sled has only started to write; this waits for the disk and makes it empty its cache.
        self.file.sync_data().map_err(|source| Fault::io("syncing the log in", &self.folder, source))
    }
}

/// Runs until nothing is applied any more.
pub(crate) fn run(log: Log, commits: &Receiver<Commit>, health: &Health, on_disk: &Synced) {
    while let Ok(Commit { mut waiting, mut revision, mut obsolete }) = commits.recv() {
        for mut more in commits.try_iter() {
            waiting.append(&mut more.waiting);
            revision = revision.max(more.revision);
            obsolete.append(&mut more.obsolete);
        }
        let synced = match health.guard(|| log.sync()) {
            Ok(()) => {
                on_disk.reach(revision);
                Ok(())
            }
            Err(Fault::Unhealthy(first)) => Err((*first).clone()),
            Err(fault) => Err(fault),
        };
        for tell in waiting {
            tell(synced.clone());
        }
        if synced.is_ok() {
            obsolete.iter().for_each(|path| large_bodies::remove(path));
        }
    }
    let Log { db, file, folder: _, lock } = log;
    mem::drop((db, file));
    drop(lock);
}
