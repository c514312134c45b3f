//! Task records.

use std::num::NonZeroUsize;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    BackendError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError, Revision, Stored,
    TaskStore, fits_every_store,
};

use crate::database::SledDatabase;
use crate::fault::Fault;
use crate::kept::Kept;
use crate::keys;
use crate::writer::Done;

/// The task records of a [`SledDatabase`]. A clone is the same store.
#[derive(Clone, Debug)]
pub struct SledTaskStore {
    database: SledDatabase,
}

impl SledTaskStore {
    pub(crate) fn of(database: SledDatabase) -> Self {
        Self { database }
    }
}

#[deny(clippy::missing_trait_methods, reason = "a store answers every call of the port itself")]
#[async_trait]
impl TaskStore for SledTaskStore {
    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        if !fits_every_store(record) {
            return Err(CreateError::TooLong);
        }
        let record = record.clone();
        let done = self.database.submit(move |kept| create(kept, &record)).await;
        done.map_err(|fault| fault.writing("writing a new task record"))?
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        let id = id.clone();
        let found = self.database.submit(|kept| look(kept, id)).await;
        found.map_err(|fault| fault.reading("reading a task record"))
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        if !fits_every_store(record) {
            return Err(ReplaceError::TooLong);
        }
        let record = record.clone();
        let done = self.database.submit(move |kept| replace(kept, &record, expected)).await;
        done.map_err(|fault| fault.writing("writing a task record"))?
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let id = id.clone();
        let done = self.database.submit(move |kept| remove(kept, &id, expected)).await;
        done.map_err(|fault| fault.writing("removing a task record"))?
    }

    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let after = page.after.map_or_else(keys::due_start, |place| keys::due(&place));
        let list = List { after, end: keys::due_end(by), id: keys::due_id };
        let found = self.database.submit(move |kept| list.look(kept, page.size)).await;
        found.map_err(|fault| fault.reading("listing due task records"))
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        let after = page.after.map_or_else(keys::unfinished_start, |id| keys::unfinished(&id));
        let list = List { after, end: keys::unfinished_end(), id: keys::unfinished_id };
        let found = self.database.submit(move |kept| list.look(kept, page.size)).await;
        found.map_err(|fault| fault.reading("listing unfinished task records"))
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        let principal = principal.clone();
        let held = self.database.submit(move |kept| Ok(Done::Unchanged(kept.held(&principal)?))).await;
        let held = held.map_err(|fault| fault.reading("counting the task records of a principal"))?;
        Ok(usize::try_from(held).unwrap_or(usize::MAX))
    }
}

fn create(kept: &mut Kept, record: &TaskRecord) -> Result<Done<Result<Revision, CreateError>>, Fault> {
    if kept.envelope(&record.id)?.is_some() {
        return Ok(Done::Unchanged(Err(CreateError::AlreadyExists)));
    }
    let records = kept.options().records;
    if kept.counters().records >= records {
        let limit = format!("it keeps {records} records (option `records`)");
        return Ok(Done::Unchanged(Err(CreateError::Full { limit })));
    }
    let revision = match next_revision(kept) {
        Ok(revision) => revision,
        Err(Full(limit)) => return Ok(Done::Unchanged(Err(CreateError::Full { limit }))),
    };
    kept.write(record, revision, None)?;
    let counters = kept.counters();
    counters.revision = revision.as_u64();
    counters.records = counters.records.saturating_add(1);
    Ok(Done::Changed(Ok(revision)))
}

fn replace(
    kept: &mut Kept,
    record: &TaskRecord,
    expected: Revision,
) -> Result<Done<Result<Revision, ReplaceError>>, Fault> {
    let Some(before) = kept.envelope(&record.id)?.filter(|before| before.revision == expected) else {
        return Ok(Done::Unchanged(Err(ReplaceError::Conflict)));
    };
    let revision = match next_revision(kept) {
        Ok(revision) => revision,
        Err(Full(limit)) => return Ok(Done::Unchanged(Err(ReplaceError::Full { limit }))),
    };
    kept.write(record, revision, Some(&before))?;
    kept.counters().revision = revision.as_u64();
    Ok(Done::Changed(Ok(revision)))
}

fn remove(kept: &mut Kept, id: &TaskId, expected: Revision) -> Result<Done<Result<(), RemoveError>>, Fault> {
    let Some(before) = kept.envelope(id)?.filter(|before| before.revision == expected) else {
        return Ok(Done::Unchanged(Err(RemoveError::Conflict)));
    };
    kept.erase(id, &before)?;
    let counters = kept.counters();
    counters.records = counters.records.saturating_sub(1);
    Ok(Done::Changed(Ok(())))
}

fn look(kept: &Kept, id: TaskId) -> Result<Done<Option<Stored>>, Fault> {
    let found = find(kept, id)?;
    let revision = found.as_ref().map(|stored| stored.revision);
    Ok(kept.seen(found, revision))
}

fn find(kept: &Kept, id: TaskId) -> Result<Option<Stored>, Fault> {
    kept.envelope(&id)?.map(|envelope| kept.stored(id, envelope)).transpose()
}

/// What the store has no room for.
struct Full(String);

/// The revision of the next write. One counter serves all records and outlives them, so that none is given out twice.
fn next_revision(kept: &mut Kept) -> Result<Revision, Full> {
    if !kept.is_roomy() {
        let (reserve, folder) = (kept.options().reserve, kept.folder().display());
        return Err(Full(format!(
            "less than {reserve} bytes are free on the disk of {folder} (option `reserve`); free some"
        )));
    }
    match kept.counters().revision.checked_add(1) {
        Some(number) => Ok(Revision::from_u64(number)),
        None => Err(Full("it has given out every revision".to_owned())),
    }
}

/// A part of a list of ids.
struct List {
    after: Vec<u8>,
    end: Vec<u8>,
    id: fn(&[u8]) -> Option<TaskId>,
}

impl List {
    fn look(&self, kept: &mut Kept, size: NonZeroUsize) -> Result<Done<Vec<Stored>>, Fault> {
        let found = self.page(kept, size)?;
        let revisions: Vec<Revision> = found.iter().map(|stored| stored.revision).collect();
        Ok(kept.seen(found, revisions))
    }

    fn page(&self, kept: &mut Kept, size: NonZeroUsize) -> Result<Vec<Stored>, Fault> {
        let mut found = Vec::new();
        // A place after `end` has nothing behind it, and sled takes no range that ends before it starts.
        if self.after >= self.end {
            return Ok(found);
        }
        for key in kept.keys(&self.after, &self.end, size.get())? {
            let damaged = || Fault::Damaged { key: String::from_utf8_lossy(&key).into_owned() };
            let id = (self.id)(&key).ok_or_else(damaged)?;
            found.push(find(kept, id)?.ok_or_else(damaged)?);
        }
        Ok(found)
    }
}
