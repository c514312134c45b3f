//! Task records in PostgreSQL.

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    BackendError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError, Revision, Stored,
    TaskStore, fits_every_store,
};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::database::PgDatabase;
use crate::failure::Failure;
use crate::row::{TaskRow, counted_rows, returned_revision};
use crate::task_statements::TaskStatements;

const CREATING: &str = "creating a task record";
const READING: &str = "reading a task record";
const REPLACING: &str = "replacing a task record";
const REMOVING: &str = "removing a task record";
const COUNTING: &str = "counting the task records of a principal";
const LISTING_DUE: &str = "listing the task records that are due";
const LISTING_UNFINISHED: &str = "listing the unfinished task records";

/// Keeps task records in one table. Each call is one statement, which the database applies as a whole or not at all.
///
/// Any number of stores, in any number of processes, share the table. A row that no store can have written is an error
/// for [`load`](TaskStore::load); the lists pass over it and log it each time, so that it holds up no other task.
///
/// Not promised: that a dropped call has had its effect, if it has one, before the next call on another connection.
#[derive(Debug)]
pub struct PgTaskStore {
    database: PgDatabase,
    statements: TaskStatements,
}

impl PgTaskStore {
    /// The store in this database.
    pub fn new(database: &PgDatabase) -> Self {
        Self { database: database.clone(), statements: TaskStatements::of(&database.schema) }
    }

    async fn rows(&self, statement: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Failure> {
        self.database.connections.rows(statement, parameters).await
    }

    /// The revision that a write returns; `None` when it found nothing to write.
    async fn written(
        &self,
        statement: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Revision>, Failure> {
        self.rows(statement, parameters).await?.first().map(returned_revision).transpose()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a store answers every call of the port itself")]
#[async_trait]
impl TaskStore for PgTaskStore {
    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        if !fits_every_store(record) {
            return Err(CreateError::TooLong);
        }
        let TaskRecord { id, principal, due, finished, body } = record;
        let (principal, due) = (principal.as_str().as_bytes(), due.map(Timestamp::as_unix_ms));
        match self.written(&self.statements.create, &[&id.as_str(), &principal, &due, finished, body]).await {
            Ok(written) => written.ok_or(CreateError::AlreadyExists),
            Err(failure) if failure.is_full() => Err(CreateError::Full { limit: no_room() }),
            Err(failure) => Err(failure.of_write(CREATING).into()),
        }
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        let found = self.rows(&self.statements.load, &[&id.as_str()]).await;
        let stored = found.and_then(|rows| {
            rows.first().map(|row| TaskRow::of(row).and_then(TaskRow::into_stored)).transpose()
        });
        stored.map_err(|failure| failure.of_read(READING))
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        if !fits_every_store(record) {
            return Err(ReplaceError::TooLong);
        }
        let expected = number(expected).ok_or(ReplaceError::Conflict)?;
        let TaskRecord { id, principal, due, finished, body } = record;
        let (principal, due) = (principal.as_str().as_bytes(), due.map(Timestamp::as_unix_ms));
        match self
            .written(&self.statements.replace, &[&id.as_str(), &expected, &principal, &due, finished, body])
            .await
        {
            Ok(written) => written.ok_or(ReplaceError::Conflict),
            Err(failure) if failure.is_full() => Err(ReplaceError::Full { limit: no_room() }),
            Err(failure) => Err(failure.of_write(REPLACING).into()),
        }
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let expected = number(expected).ok_or(RemoveError::Conflict)?;
        let removed = self.written(&self.statements.remove, &[&id.as_str(), &expected]).await;
        removed.map_err(|failure| failure.of_write(REMOVING))?.map(drop).ok_or(RemoveError::Conflict)
    }

    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let (by, size) = (by.as_unix_ms(), rows_of(&page));
        let mut after = page.after.map(|place| (place.due.as_unix_ms(), place.id.as_str().to_owned()));
        loop {
            let found = match &after {
                None => self.rows(&self.statements.due_first, &[&by, &size]).await,
                Some((due, id)) => self.rows(&self.statements.due_after, &[&by, &size, due, id]).await,
            };
            let read = found.and_then(|rows| Listed::of(&rows));
            let Listed { stored, last } = read.map_err(|failure| failure.of_read(LISTING_DUE))?;
            let next = last.and_then(|(due, id)| due.map(|due| (due, id)));
            if !stored.is_empty() || next.is_none() {
                return Ok(stored);
            }
            after = next;
        }
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        let size = rows_of(&page);
        let mut after = page.after.map(|id| id.as_str().to_owned());
        loop {
            let found = match &after {
                None => self.rows(&self.statements.unfinished_first, &[&size]).await,
                Some(id) => self.rows(&self.statements.unfinished_after, &[&size, id]).await,
            };
            let read = found.and_then(|rows| Listed::of(&rows));
            let Listed { stored, last } = read.map_err(|failure| failure.of_read(LISTING_UNFINISHED))?;
            if !stored.is_empty() || last.is_none() {
                return Ok(stored);
            }
            after = last.map(|(_, id)| id);
        }
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        let counted = self.rows(&self.statements.held, &[&principal.as_str().as_bytes()]).await;
        let held = counted.and_then(|rows| rows.first().map_or(Ok(0), counted_rows));
        held.map_err(|failure| failure.of_read(COUNTING))
    }
}

/// Rows of a list. An empty page means the end of the list, so one with nothing but damaged rows is gone on from.
struct Listed {
    stored: Vec<Stored>,
    last: Option<(Option<i64>, String)>,
}

impl Listed {
    fn of(rows: &[Row]) -> Result<Self, Failure> {
        let mut listed = Self { stored: Vec::with_capacity(rows.len()), last: None };
        for row in rows {
            let row = TaskRow::of(row)?;
            listed.last = Some((row.due, row.id.clone()));
            match row.into_stored() {
                Ok(stored) => listed.stored.push(stored),
                Err(damaged) => tracing::error!("a task is passed over: {damaged}"),
            }
        }
        Ok(listed)
    }
}

/// How many rows a page may have.
fn rows_of<P>(page: &Page<P>) -> i64 {
    i64::try_from(page.size.get()).unwrap_or(i64::MAX)
}

/// The number of a revision; `None` for one that this store never gives.
fn number(revision: Revision) -> Option<i64> {
    i64::try_from(revision.as_u64()).ok()
}

fn no_room() -> String {
    "the database has no disk space left; give it more, or remove what is not needed".to_owned()
}
