//! Task records in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Bound;
use std::sync::Mutex;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    BackendError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError, Revision, Stored,
    TaskStore, fits_every_store,
};

use crate::poison::lock;

/// How much a [`MemoryTaskStore`] keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capacity {
    /// How many records.
    pub records: usize,
    /// How many bytes in the bodies and principals of all records together.
    pub bytes: usize,
}

impl Default for Capacity {
    /// 10,000 records and 256 MiB.
    fn default() -> Self {
        Self { records: 10_000, bytes: 256 << 20 }
    }
}

/// Keeps task records for as long as the process lives.
///
/// When it is full it refuses; a record leaves only by [`remove`](TaskStore::remove).
pub struct MemoryTaskStore {
    capacity: Capacity,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    records: BTreeMap<TaskId, Stored>,
    due: BTreeSet<DuePlace>,
    unfinished: BTreeSet<TaskId>,
    /// How many records each principal has; none has zero.
    held: BTreeMap<Principal, usize>,
    bytes: usize,
    /// Counts the writes of all records, so that no revision is given out twice, whatever is removed meanwhile.
    writes: u64,
}

impl MemoryTaskStore {
    /// An empty store that keeps this much.
    pub fn with_capacity(capacity: Capacity) -> Self {
        Self { capacity, kept: Mutex::default() }
    }

    fn write(&self, kept: &mut Kept, record: &TaskRecord) -> Result<Revision, Full> {
        let before = kept.records.get(&record.id).map_or(0, |stored| size(&stored.record));
        let bytes = kept.bytes.saturating_sub(before).saturating_add(size(record));
        if bytes > self.capacity.bytes {
            return Err(Full(format!("it keeps {} bytes in all (capacity `bytes`)", self.capacity.bytes)));
        }
        let Some(writes) = kept.writes.checked_add(1) else {
            return Err(Full("it has given out every revision".to_owned()));
        };
        kept.take(&record.id);
        kept.put(Stored { record: record.clone(), revision: Revision::from_u64(writes) });
        kept.writes = writes;
        Ok(Revision::from_u64(writes))
    }
}

impl Default for MemoryTaskStore {
    fn default() -> Self {
        Self::with_capacity(Capacity::default())
    }
}

impl fmt::Debug for MemoryTaskStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = lock(&self.kept).records.len();
        f.debug_struct("MemoryTaskStore")
            .field("capacity", &self.capacity)
            .field("records", &records)
            .finish()
    }
}

impl Kept {
    /// Whether the record is there in this revision.
    fn is_at(&self, id: &TaskId, revision: Revision) -> bool {
        self.records.get(id).is_some_and(|stored| stored.revision == revision)
    }

    fn take(&mut self, id: &TaskId) {
        if let Some(stored) = self.records.remove(id) {
            self.bytes = self.bytes.saturating_sub(size(&stored.record));
            if let Some(place) = DuePlace::of(&stored.record) {
                self.due.remove(&place);
            }
            self.unfinished.remove(id);
            if let Some(held) = self.held.get_mut(&stored.record.principal) {
                *held = held.saturating_sub(1);
                if *held == 0 {
                    self.held.remove(&stored.record.principal);
                }
            }
        }
    }

    fn put(&mut self, stored: Stored) {
        let record = &stored.record;
        self.bytes = self.bytes.saturating_add(size(record));
        self.due.extend(DuePlace::of(record));
        if !record.finished {
            self.unfinished.insert(record.id.clone());
        }
        *self.held.entry(record.principal.clone()).or_default() += 1;
        self.records.insert(record.id.clone(), stored);
    }

    fn found<'a>(&self, ids: impl Iterator<Item = &'a TaskId>, page: usize) -> Vec<Stored> {
        ids.take(page).filter_map(|id| self.records.get(id)).cloned().collect()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a store answers every call of the port itself")]
#[async_trait]
impl TaskStore for MemoryTaskStore {
    fn durability(&self) -> Durability {
        Durability::Volatile
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        if !fits_every_store(record) {
            return Err(CreateError::TooLong);
        }
        let mut kept = lock(&self.kept);
        if kept.records.contains_key(&record.id) {
            return Err(CreateError::AlreadyExists);
        }
        if kept.records.len() >= self.capacity.records {
            let limit = format!("it keeps {} records (capacity `records`)", self.capacity.records);
            return Err(CreateError::Full { limit });
        }
        self.write(&mut kept, record).map_err(|Full(limit)| CreateError::Full { limit })
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        Ok(lock(&self.kept).records.get(id).cloned())
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        if !fits_every_store(record) {
            return Err(ReplaceError::TooLong);
        }
        let mut kept = lock(&self.kept);
        if !kept.is_at(&record.id, expected) {
            return Err(ReplaceError::Conflict);
        }
        self.write(&mut kept, record).map_err(|Full(limit)| ReplaceError::Full { limit })
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let mut kept = lock(&self.kept);
        if !kept.is_at(id, expected) {
            return Err(RemoveError::Conflict);
        }
        kept.take(id);
        Ok(())
    }

    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let kept = lock(&self.kept);
        let places = kept.due.range((page.after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
        let ids = places.take_while(|place| place.due <= by).map(|place| &place.id);
        Ok(kept.found(ids, page.size.get()))
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        let kept = lock(&self.kept);
        let ids =
            kept.unfinished.range((page.after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
        Ok(kept.found(ids, page.size.get()))
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        Ok(lock(&self.kept).held.get(principal).copied().unwrap_or(0))
    }
}

/// What the store has no room for.
struct Full(String);

fn size(record: &TaskRecord) -> usize {
    record.body.len().saturating_add(record.principal.as_str().len())
}
