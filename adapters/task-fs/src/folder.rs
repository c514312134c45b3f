//! The folder: who may write when, and what is known of it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::task::TaskRecord;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Applied, Revision, Stored};
use tracing::warn;

use crate::changes::{Changes, Place};
use crate::disk::{Disk, Step, discard, make_folder, private};
use crate::durable::Durable;
use crate::fault::Fault;
use crate::header::{self, Columns, Header, Owner};
use crate::index::Index;
use crate::key::Key;
use crate::revisions::{Revisions, block_of_file, block_of_temporary, is_alive, path_of, temporary_file};
use crate::scan::{Scan, names, read_header, read_owned, scan};

/// A folder of records. Its calls wait for the disk.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) disk: Disk,
    revisions: Mutex<Revisions>,
    durable: Durable,
    shared: Mutex<Shared>,
}

/// What the lock protects: between processes by the file, between threads by the mutex around it.
#[derive(Debug)]
struct Shared {
    lock: File,
    changes: Changes,
    /// How far the index has followed the changes.
    seen: Place,
    index: Index,
}

/// What must be stored for a write to be right.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    Nothing,
    At(Revision),
}

impl Expected {
    fn fits(self, found: Option<Header>) -> bool {
        match (self, found) {
            (Self::Nothing, None) => true,
            (Self::At(expected), Some(header)) => header.revision == expected,
            (Self::Nothing, Some(_)) | (Self::At(_), None) => false,
        }
    }
}

/// A write that failed, and whether it was done all the same.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) fault: Fault,
    pub(crate) applied: Applied,
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Self { fault, applied: Applied::No }
    }
}

/// The lock between processes.
struct Held<'a>(&'a File);

impl<'a> Held<'a> {
    fn take(lock: &'a File, folder: &Path) -> Result<Self, Fault> {
        loop {
            match lock.lock() {
                Ok(()) => return Ok(Self(lock)),
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                Err(fault) => return Err(Fault::io("locking", &folder.join("lock"))(fault)),
            }
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Err(fault) = self.0.unlock() {
            warn!(%fault, "the lock of the task folder cannot be given back");
        }
    }
}

impl Folder {
    pub(crate) fn open(path: PathBuf) -> Result<Self, Fault> {
        make_folder(&path).map_err(Fault::io("making", &path))?;
        let (lock_path, changes_path) = (path.join("lock"), path.join("changes"));
        let lock = private(OpenOptions::new().read(true).write(true).create(true).truncate(false))
            .open(&lock_path)
            .map_err(Fault::io("opening", &lock_path))?;
        let changes = || Changes::open(&changes_path).and_then(|mut list| Ok((list.place()?, list)));
        let (seen, changes) = {
            let _held = Held::take(&lock, &path)?;
            changes().map_err(Fault::io("opening", &changes_path))?
        };
        // What others write from now on is in the list of changes.
        let Scan { index, block } = scan(&path)?;
        let folder = Self {
            disk: Disk::default(),
            revisions: Mutex::default(),
            durable: Durable::default(),
            shared: Mutex::new(Shared { lock, changes, seen, index }),
            path,
        };
        folder.claim_revisions(&mut lock_of(&folder.revisions), block)?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn records(&self) -> usize {
        self.shared().index.len()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock_of(&self.shared)
    }

    fn record_path(&self, key: Key) -> PathBuf {
        self.path.join(key.file_name())
    }

    /// Claims a block above every other one, and removes what processes that are gone have left behind.
    fn claim_revisions(&self, revisions: &mut Revisions, at_least: u64) -> Result<(), Fault> {
        let shared = self.shared();
        let _held = Held::take(&shared.lock, &self.path)?;
        let names: Vec<String> = names(&self.path)?.collect();
        let blocks: BTreeSet<u64> = names.iter().filter_map(|name| block_of_file(name)).collect();
        let gone: BTreeSet<u64> = blocks
            .iter()
            .copied()
            .filter(|block| !revisions.holds(*block) && !is_alive(&self.path, *block))
            .collect();
        revisions.claim(&self.path, blocks.last().copied().unwrap_or(0).max(at_least))?;
        self.disk.sync_folder(&self.path).map_err(Fault::io("synchronising", &self.path))?;
        // Only now, when a higher block is sure to stay, may the old ones go.
        for block in &gone {
            discard(&path_of(&self.path, *block));
        }
        for name in names {
            if block_of_temporary(&name)
                .is_some_and(|block| gone.contains(&block) || !blocks.contains(&block))
            {
                discard(&self.path.join(name));
            }
        }
        Ok(())
    }

    fn next_revision(&self) -> Result<Revision, Fault> {
        let mut revisions = lock_of(&self.revisions);
        loop {
            if let Some(revision) = revisions.take() {
                return Ok(revision);
            }
            self.claim_revisions(&mut revisions, 0)?;
        }
    }

    /// The record, durable.
    pub(crate) fn load(&self, key: Key) -> Result<Option<Stored>, Fault> {
        let found = self.read(key)?;
        self.keep(found.as_slice())?;
        Ok(found)
    }

    /// Lets records that were read outlive a loss of power, whoever wrote them: whether that process has synchronised the
    /// folder cannot be seen.
    fn keep(&self, read: &[Stored]) -> Result<(), Fault> {
        let news = |stored: &&Stored| !self.durable.holds(Key::of(&stored.record.id), stored.revision);
        if !read.iter().any(|stored| news(&stored)) {
            return Ok(());
        }
        self.disk.sync_folder(&self.path).map_err(Fault::io("synchronising", &self.path))?;
        for stored in read.iter().filter(news) {
            self.durable.note(Key::of(&stored.record.id), stored.revision);
        }
        Ok(())
    }

    /// The record as its file is now, which a loss of power may still take back.
    fn read(&self, key: Key) -> Result<Option<Stored>, Fault> {
        let path = self.record_path(key);
        match fs::read(&path) {
            Ok(bytes) => header::read(&bytes, key).map(Some).map_err(|fault| Fault::Record { path, fault }),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(Fault::io("reading", &path)(fault)),
        }
    }

    /// Writes a record if what is stored is as expected; `None` if it is not.
    ///
    /// The slow part, preparing the new file, is done without the lock; what is expected is looked at before, to spare
    /// it where it would be in vain, and under the lock, where it counts.
    pub(crate) fn write(&self, record: &TaskRecord, expected: Expected) -> Result<Option<Revision>, Failed> {
        let key = Key::of(&record.id);
        if !expected.fits(read_header(&self.path, key)?) {
            return Ok(None);
        }
        let owner = Owner::named(record.principal.as_str().as_bytes());
        let revision = self.next_revision()?;
        let target = self.record_path(key);
        let Some(bytes) = header::write(record, revision) else {
            let fault = io::Error::from(io::ErrorKind::FileTooLarge);
            return Err(Fault::io("writing", &target)(fault).into());
        };
        let temporary = self.path.join(temporary_file(revision));
        self.disk.write_new(&temporary, &bytes).map_err(Fault::io("writing", &temporary))?;
        let renamed = self.commit(key, expected, Some((Columns::of(record), owner)), || {
            self.disk.rename(&temporary, &target).map_err(Fault::io("renaming", &temporary))
        });
        match renamed {
            Ok(true) => {
                self.settle()?;
                self.durable.note(key, revision);
                Ok(Some(revision))
            }
            Ok(false) => {
                discard(&temporary);
                Ok(None)
            }
            Err(fault) => {
                discard(&temporary);
                Err(fault.into())
            }
        }
    }

    /// Removes a record if it is stored at this revision; says whether it was.
    pub(crate) fn remove(&self, key: Key, expected: Revision) -> Result<bool, Failed> {
        let path = self.record_path(key);
        let removed = self.commit(key, Expected::At(expected), None, || {
            self.disk.remove(&path).map_err(Fault::io("removing", &path))
        })?;
        if removed {
            self.durable.forget(key);
            self.settle()?;
        }
        Ok(removed)
    }

    /// Under the lock: compares, notes the change for other processes, makes it.
    fn commit(
        &self,
        key: Key,
        expected: Expected,
        entry: Option<(Columns, Owner)>,
        change: impl FnOnce() -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        let mut shared = self.shared();
        let Shared { lock, changes, seen, index } = &mut *shared;
        let _held = Held::take(lock, &self.path)?;
        if !expected.fits(read_header(&self.path, key)?) {
            return Ok(false);
        }
        let noted = self.disk.pass(Step::Note).and_then(|()| {
            let before = changes.place()?;
            Ok((before, changes.append(key, before)?))
        });
        let (before, after) = noted.map_err(Fault::io("writing", &self.path.join("changes")))?;
        change()?;
        index.put(key, entry);
        if *seen == before {
            *seen = after;
        }
        Ok(true)
    }

    /// Makes the last change of names outlive a loss of power. It was made, so a failure leaves that open.
    fn settle(&self) -> Result<(), Failed> {
        self.disk.sync_folder(&self.path).map_err(|fault| Failed {
            fault: Fault::io("synchronising", &self.path)(fault),
            applied: Applied::Unknown,
        })
    }

    /// Learns what other processes have written.
    fn refresh(&self) -> Result<(), Fault> {
        let list = self.path.join("changes");
        loop {
            let mut shared = self.shared();
            let Shared { lock, changes, seen, index } = &mut *shared;
            let held = Held::take(lock, &self.path)?;
            let unreadable = Fault::io("reading", &list);
            let now = match changes.place() {
                Ok(now) if now == *seen => return Ok(()),
                Ok(now) => now,
                Err(fault) => return Err(unreadable(fault)),
            };
            if now.generation == seen.generation && now.end >= seen.end {
                let keys = changes.between(seen.end, now.end).map_err(unreadable)?;
                for key in BTreeSet::from_iter(keys) {
                    let entry = self.entry(key)?;
                    if entry.is_none() {
                        self.durable.forget(key);
                    }
                    index.put(key, entry);
                }
                *seen = now;
                return Ok(());
            }
            // All records are read without the lock; what is written meanwhile is in the list after `now`.
            drop(held);
            drop(shared);
            let fresh = scan(&self.path)?.index;
            self.durable.retain(|key| fresh.holds(key));
            let mut shared = self.shared();
            (shared.index, shared.seen) = (fresh, now);
        }
    }

    fn entry(&self, key: Key) -> Result<Option<(Columns, Owner)>, Fault> {
        match read_owned(&self.path, key) {
            Ok(found) => Ok(found.map(|(header, owner)| (header.columns, owner))),
            Err(fault @ Fault::Record { .. }) => {
                warn!(%fault, "a task record is passed over and left where it is");
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }

    /// How many records an owner has.
    pub(crate) fn held(&self, owner: Owner) -> Result<usize, Fault> {
        self.refresh()?;
        Ok(self.shared().index.held(owner))
    }

    /// The next `count` records that are due at `by`.
    pub(crate) fn due(
        &self,
        by: Timestamp,
        mut after: Option<(i64, Key)>,
        count: usize,
    ) -> Result<Vec<Stored>, Fault> {
        self.refresh()?;
        let mut found = Vec::new();
        while found.len() < count {
            let places = self.shared().index.due(by.as_unix_ms(), after, count - found.len());
            after = match places.last() {
                None => break,
                last => last.copied(),
            };
            for (due, key) in places {
                let due = Some(Timestamp::from_unix_ms(due));
                // A record that was put off since is met again at its new place.
                found.extend(self.listed(key)?.filter(|stored| stored.record.due == due));
            }
        }
        self.keep(&found)?;
        Ok(found)
    }

    /// The next `count` unfinished records.
    pub(crate) fn unfinished(&self, mut after: Option<Key>, count: usize) -> Result<Vec<Stored>, Fault> {
        self.refresh()?;
        let mut found = Vec::new();
        while found.len() < count {
            let keys = self.shared().index.unfinished(after, count - found.len());
            after = match keys.last() {
                None => break,
                last => last.copied(),
            };
            for key in keys {
                found.extend(self.listed(key)?.filter(|stored| !stored.record.finished));
            }
        }
        self.keep(&found)?;
        Ok(found)
    }

    /// One damaged record must not hide the others.
    fn listed(&self, key: Key) -> Result<Option<Stored>, Fault> {
        match self.read(key) {
            Err(fault @ Fault::Record { .. }) => {
                warn!(%fault, "a task record is passed over and left where it is");
                Ok(None)
            }
            other => other,
        }
    }
}

/// What the locks protect is whole between any two statements, so a panic elsewhere does not spoil it.
fn lock_of<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
