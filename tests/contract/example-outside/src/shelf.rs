//! A task store by somebody else, in one file.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    BackendError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError, Revision, Stored,
    TaskStore, fits_every_store,
};

/// Keeps records in a map, for as long as the process lives.
#[derive(Debug, Default)]
pub struct Shelf {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    records: BTreeMap<TaskId, Stored>,
    /// Counts every write, so that a revision that was given out once never comes again.
    writes: u64,
}

impl Kept {
    fn write(&mut self, record: &TaskRecord) -> Revision {
        self.writes += 1;
        let revision = Revision::from_u64(self.writes);
        self.records.insert(record.id.clone(), Stored { record: record.clone(), revision });
        revision
    }

    fn is_at(&self, id: &TaskId, expected: Revision) -> bool {
        self.records.get(id).is_some_and(|stored| stored.revision == expected)
    }
}

impl Shelf {
    /// No method awaits while it holds the lock, so a dropped call has had its whole effect or none.
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[async_trait]
impl TaskStore for Shelf {
    fn durability(&self) -> Durability {
        Durability::Volatile
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        if !fits_every_store(record) {
            return Err(CreateError::TooLong);
        }
        let mut kept = self.kept();
        if kept.records.contains_key(&record.id) {
            return Err(CreateError::AlreadyExists);
        }
        Ok(kept.write(record))
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        Ok(self.kept().records.get(id).cloned())
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        if !fits_every_store(record) {
            return Err(ReplaceError::TooLong);
        }
        let mut kept = self.kept();
        if !kept.is_at(&record.id, expected) {
            return Err(ReplaceError::Conflict);
        }
        Ok(kept.write(record))
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let mut kept = self.kept();
        if !kept.is_at(id, expected) {
            return Err(RemoveError::Conflict);
        }
        kept.records.remove(id);
        Ok(())
    }

    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let kept = self.kept();
        let mut due: Vec<(DuePlace, &Stored)> = kept
            .records
            .values()
            .filter_map(|stored| Some((DuePlace::of(&stored.record)?, stored)))
            .filter(|(place, _)| place.due <= by && page.after.as_ref().is_none_or(|after| place > after))
            .collect();
        due.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(due.into_iter().take(page.size.get()).map(|(_, stored)| stored.clone()).collect())
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        let kept = self.kept();
        let unfinished = kept
            .records
            .iter()
            .filter(|(id, stored)| {
                !stored.record.finished && page.after.as_ref().is_none_or(|after| *id > after)
            })
            .map(|(_, stored)| stored.clone());
        Ok(unfinished.take(page.size.get()).collect())
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        let kept = self.kept();
        Ok(kept.records.values().filter(|stored| stored.record.principal == *principal).count())
    }
}

#[cfg(test)]
mod contract {
    use pm_mcp_contract::{VolatileStore, task_store_contract};

    task_store_contract!(VolatileStore(super::Shelf::default));
}
