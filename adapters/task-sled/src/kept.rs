//! What the database holds and what is about to be written: the state of the one thread that changes it.

use std::collections::BTreeMap;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Revision, Stored};

use crate::envelope::{Body, Envelope, EnvelopeFault};
use crate::fault::Fault;
use crate::keys;
use crate::large_bodies::LargeBodies;
use crate::options::SledOptions;
use crate::writer::Done;

/// The database with the changes of the present group on top of it. Whoever reads a key sees both; whoever reads a range
/// has the group applied first.
pub(crate) struct Kept {
    db: sled::Db,
    folder: Arc<Path>,
    options: SledOptions,
    pending: BTreeMap<Vec<u8>, Option<sled::IVec>>,
    pending_bytes: usize,
    counters: Counters,
    large: LargeBodies,
    obsolete: Vec<PathBuf>,
    roomy: bool,
    /// No nonce may be forgotten before this.
    first_end: Option<Timestamp>,
    synced: Synced,
}

/// The last revision that is on the disk.
#[derive(Clone, Default, Debug)]
pub(crate) struct Synced(Arc<AtomicU64>);

impl Synced {
    pub(crate) fn reach(&self, revision: u64) {
        self.0.fetch_max(revision, Ordering::AcqRel);
    }

    fn has(&self, revision: Revision) -> bool {
        revision.as_u64() <= self.0.load(Ordering::Acquire)
    }
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counters {
    pub(crate) revision: u64,
    pub(crate) records: u64,
    pub(crate) nonces: u64,
}

impl Counters {
    fn to_bytes(self) -> Vec<u8> {
        [self.revision, self.records, self.nonces].map(u64::to_be_bytes).concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (revision, rest) = bytes.split_first_chunk()?;
        let (records, rest) = rest.split_first_chunk()?;
        let nonces = rest.try_into().ok()?;
        Some(Self {
            revision: u64::from_be_bytes(*revision),
            records: u64::from_be_bytes(*records),
            nonces: u64::from_be_bytes(nonces),
        })
    }
}

impl Kept {
    pub(crate) fn of(
        db: sled::Db,
        folder: Arc<Path>,
        large: LargeBodies,
        options: SledOptions,
    ) -> Result<Self, Fault> {
        let mut kept = Self {
            db,
            folder,
            options,
            pending: BTreeMap::new(),
            pending_bytes: 0,
            counters: Counters::default(),
            large,
            obsolete: Vec::new(),
            roomy: true,
            first_end: Some(Timestamp::from_unix_ms(i64::MIN)),
            synced: Synced::default(),
        };
        if let Some(bytes) = kept.value(keys::COUNTERS)? {
            let damaged = || Fault::Damaged { key: "counters".to_owned() };
            kept.counters = Counters::from_bytes(&bytes).ok_or_else(damaged)?;
        }
        kept.synced.reach(kept.counters.revision);
        kept.count_all()?;
        kept.large.sweep(|id, revision| {
            let envelope = read_envelope(&kept.db, &kept.folder, id)?;
            Ok(envelope.is_some_and(|envelope| envelope.revision == revision))
        })?;
        Ok(kept)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn options(&self) -> &SledOptions {
        &self.options
    }

    pub(crate) fn counters(&mut self) -> &mut Counters {
        &mut self.counters
    }

    /// What tells this thread how far the disk has come.
    pub(crate) fn synced(&self) -> Synced {
        self.synced.clone()
    }

    /// What was read, told at once or, where the disk has not come so far, with the next sync: what a caller has seen must
    /// not be gone after a crash.
    pub(crate) fn seen<T>(&self, value: T, revisions: impl IntoIterator<Item = Revision>) -> Done<T> {
        match revisions.into_iter().all(|revision| self.synced.has(revision)) {
            true => Done::Unchanged(value),
            false => Done::Changed(value),
        }
    }

    pub(crate) fn first_end(&mut self) -> &mut Option<Timestamp> {
        &mut self.first_end
    }

    /// How many bytes the log and its pages take on the disk.
    pub(crate) fn bytes_on_disk(&self) -> Result<u64, Fault> {
        self.db.size_on_disk().map_err(|source| self.failed(source))
    }

    /// The value of a key.
    pub(crate) fn value(&self, key: &[u8]) -> Result<Option<sled::IVec>, Fault> {
        match self.pending.get(key) {
            Some(value) => Ok(value.clone()),
            None => self.db.get(key).map_err(|source| self.failed(source)),
        }
    }

    /// The keys from `after` (exclusive) to `end` (exclusive), `limit` of them at the most.
    pub(crate) fn keys(&mut self, after: &[u8], end: &[u8], limit: usize) -> Result<Vec<sled::IVec>, Fault> {
        use std::ops::Bound;
        self.apply()?;
        let range = (Bound::Excluded(after), Bound::Excluded(end));
        let keys = self.db.range::<&[u8], _>(range).keys().take(limit);
        keys.collect::<Result<_, _>>().map_err(|source| self.failed(source))
    }

    pub(crate) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.pending_bytes = self.pending_bytes.saturating_add(key.len()).saturating_add(value.len());
        self.pending.insert(key, Some(value.into()));
    }

    pub(crate) fn delete(&mut self, key: Vec<u8>) {
        self.pending_bytes = self.pending_bytes.saturating_add(key.len());
        self.pending.insert(key, None);
    }

    /// How many bytes wait to be applied.
    pub(crate) fn pending_bytes(&self) -> usize {
        self.pending_bytes
    }

    pub(crate) fn envelope(&self, id: &TaskId) -> Result<Option<Envelope>, Fault> {
        let bytes = self.value(&keys::task(id))?;
        bytes.map(|bytes| envelope(&bytes, id)).transpose()
    }

    /// The record of an envelope, with its body.
    pub(crate) fn stored(&self, id: TaskId, envelope: Envelope) -> Result<Stored, Fault> {
        let Envelope { revision, finished, due, principal, body } = envelope;
        let body = match body {
            Body::Beside(body) => body,
            Body::InFile(length) => self.large.read(&id, revision, length)?,
        };
        Ok(Stored { record: TaskRecord { id, principal, due, finished, body }, revision })
    }

    /// Puts a record and its places in the lists, instead of what was there. Fails before it changes anything.
    pub(crate) fn write(
        &mut self,
        record: &TaskRecord,
        revision: Revision,
        before: Option<&Envelope>,
    ) -> Result<(), Fault> {
        let after = Envelope::of(record, revision);
        if let Body::InFile(_) = after.body {
            self.large.write(&record.id, revision, &record.body)?;
        }
        if before.map(|before| &before.principal) != Some(&after.principal) {
            let more = self.held(&after.principal)?.saturating_add(1);
            let less = match before {
                None => None,
                Some(before) => Some((&before.principal, self.held(&before.principal)?.saturating_sub(1))),
            };
            self.count(&after.principal, more);
            if let Some((principal, held)) = less {
                self.count(principal, held);
            }
        }
        let listed = |envelope: &Envelope| (envelope.due, envelope.finished);
        // Most steps move a record in no list, and each key costs as much as the record.
        if before.map(listed) != Some(listed(&after)) {
            if let Some(before) = before {
                self.leave_lists(&record.id, before);
            }
            if let Some(place) = after.due_place(&record.id) {
                self.put(keys::due(&place), Vec::new());
            }
            if !after.finished {
                self.put(keys::unfinished(&record.id), Vec::new());
            }
        }
        if let Some(before) = before {
            self.leave_file(&record.id, before);
        }
        self.put(keys::task(&record.id), after.to_bytes());
        Ok(())
    }

    /// Deletes a record and its places in the lists.
    pub(crate) fn erase(&mut self, id: &TaskId, before: &Envelope) -> Result<(), Fault> {
        let held = self.held(&before.principal)?;
        self.count(&before.principal, held.saturating_sub(1));
        self.leave_lists(id, before);
        self.leave_file(id, before);
        self.delete(keys::task(id));
        Ok(())
    }

    /// How many records a principal has.
    pub(crate) fn held(&self, principal: &Principal) -> Result<u64, Fault> {
        let damaged = || Fault::Damaged { key: format!("p{principal}") };
        match self.value(&keys::held(principal))? {
            None => Ok(0),
            Some(bytes) => Ok(u64::from_be_bytes((*bytes).try_into().map_err(|_| damaged())?)),
        }
    }

    fn count(&mut self, principal: &Principal, held: u64) {
        match held {
            0 => self.delete(keys::held(principal)),
            held => self.put(keys::held(principal), held.to_be_bytes().to_vec()),
        }
    }

    /// Counts the records of each principal in a database that was written before they were counted. Done anew if the
    /// process was killed in between.
    fn count_all(&mut self) -> Result<(), Fault> {
        if self.value(keys::COUNTED)?.is_some() {
            return Ok(());
        }
        let mut held: BTreeMap<Principal, u64> = BTreeMap::new();
        for entry in self.db.scan_prefix(keys::TASKS) {
            let (key, bytes) = entry.map_err(|source| self.failed(source))?;
            // What cannot be read is told when it is asked for.
            if let Ok(envelope) = Envelope::from_bytes(&bytes) {
                *held.entry(envelope.principal).or_default() += 1;
            } else {
                tracing::warn!(key = %String::from_utf8_lossy(&key), "a task record cannot be counted");
            }
        }
        for (principal, held) in held {
            self.count(&principal, held);
        }
        self.put(keys::COUNTED.to_vec(), Vec::new());
        self.apply()?;
        self.db.flush().map(drop).map_err(|source| self.failed(source))
    }

    fn leave_lists(&mut self, id: &TaskId, before: &Envelope) {
        if let Some(place) = before.due_place(id) {
            self.delete(keys::due(&place));
        }
        if !before.finished {
            self.delete(keys::unfinished(id));
        }
    }

    fn leave_file(&mut self, id: &TaskId, before: &Envelope) {
        if let Body::InFile(_) = before.body {
            self.obsolete.push(self.large.path(id, before.revision));
        }
    }

    /// The files that nothing names once what is applied is synced.
    pub(crate) fn take_obsolete(&mut self) -> Vec<PathBuf> {
        mem::take(&mut self.obsolete)
    }

    /// Hands what is pending to sled: all of it or nothing, also when the process is killed in between.
    pub(crate) fn apply(&mut self) -> Result<(), Fault> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.large.sync()?;
        self.put(keys::COUNTERS.to_vec(), self.counters.to_bytes());
        let mut batch = sled::Batch::default();
        for (key, value) in mem::take(&mut self.pending) {
            match value {
                Some(value) => batch.insert(key, value),
                None => batch.remove(key),
            }
        }
        self.pending_bytes = 0;
        self.db.apply_batch(batch).map_err(|source| self.failed(source))
    }

    /// Whether there is enough room on the disk for something to be added, as of the last look.
    pub(crate) fn is_roomy(&self) -> bool {
        self.roomy
    }

    /// Looks how much room there is.
    pub(crate) fn look_for_room(&mut self) {
        // A disk that does not tell is taken to have room; writing will tell.
        self.roomy = rustix::fs::statvfs(&*self.folder)
            .map_or(true, |disk| disk.f_bavail.saturating_mul(disk.f_frsize) >= self.options.reserve);
    }

    fn failed(&self, source: sled::Error) -> Fault {
        Fault::Sled { folder: Arc::clone(&self.folder), source }
    }
}

fn read_envelope(db: &sled::Db, folder: &Arc<Path>, id: &TaskId) -> Result<Option<Envelope>, Fault> {
    let failed = |source| Fault::Sled { folder: Arc::clone(folder), source };
    let bytes = db.get(keys::task(id)).map_err(failed)?;
    bytes.map(|bytes| envelope(&bytes, id)).transpose()
}

fn envelope(bytes: &[u8], id: &TaskId) -> Result<Envelope, Fault> {
    Envelope::from_bytes(bytes).map_err(|fault| match fault {
        EnvelopeFault::Version(found) => Fault::NewerEnvelope { key: id.to_string(), found },
        EnvelopeFault::Damaged => Fault::Damaged { key: id.to_string() },
    })
}
