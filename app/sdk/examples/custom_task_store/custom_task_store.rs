//! A task store of a host's own: SQLite, in one file. Give it to `Server::builder(..).task_store(..)`.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    Applied, BackendError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError, Retry,
    Revision, Stored, TaskStore, fits_every_store,
};
use rusqlite::{Connection, Params, Row, Transaction, TransactionBehavior, params};
use tokio::sync::Mutex;

const TABLES: &str = include_str!("tables.sql");
const NEXT: &str = "UPDATE writes SET number = number + 1 RETURNING number";
const INSERT: &str =
    "INSERT INTO tasks SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?7 IS NULL ON CONFLICT DO NOTHING";
const UPDATE: &str = "UPDATE tasks SET revision = ?2, principal = ?3, due = ?4, finished = ?5, body = ?6
    WHERE id = ?1 AND revision = ?7";
const DELETE: &str = "DELETE FROM tasks WHERE id = ?1 AND revision = ?2";
const ONE: &str = "SELECT * FROM tasks WHERE id = ?1";
const DUE: &str =
    "SELECT * FROM tasks WHERE due <= ?1 AND (?2 IS NULL OR (due, id) > (?2, ?3)) ORDER BY due, id LIMIT ?4";
const HELD: &str = "SELECT count(*) FROM tasks WHERE principal = ?1";
const UNFINISHED: &str = "SELECT * FROM tasks WHERE NOT finished AND id > ?1 ORDER BY id LIMIT ?2";

/// Keeps task records in an SQLite database, which several processes of one machine may share.
#[derive(Debug)]
pub struct SqliteTaskStore(Arc<Mutex<Connection>>);

impl SqliteTaskStore {
    /// Opens the database in a file, and makes it if it is not there.
    pub fn open(file: impl AsRef<std::path::Path>) -> rusqlite::Result<Self> {
        let connection = Connection::open(file)?;
        connection.execute_batch(TABLES)?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    /// One transaction, off the threads that serve. It is waited for in line and done to its end, also when its caller
    /// goes away: a dropped call has had its whole effect or none, and the next one sees which.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, BackendError> {
        let mut connection = Arc::clone(&self.0).lock_owned().await;
        let working = tokio::task::spawn_blocking(move || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit().map(|()| done)
        });
        let done = working.await.unwrap_or(Err(rusqlite::Error::InvalidQuery));
        let (operation, applied) = ("using the task database", Applied::Unknown);
        done.map_err(|e| BackendError { operation, applied, retry: Retry::Later, source: Box::new(e) })
    }

    /// The revision of the write, if the statement found the record as expected.
    async fn write(
        &self,
        statement: &'static str,
        record: &TaskRecord,
        expected: Option<Revision>,
    ) -> Result<Option<Revision>, BackendError> {
        let TaskRecord { id, principal, due, finished, body } = record.clone();
        self.run(move |transaction| {
            let next: i64 = transaction.query_row(NEXT, [], |row| row.get(0))?;
            let (due, expected) = (due.map(Timestamp::as_unix_ms), expected.map(|at| at.as_u64() as i64));
            let values = params![id.as_str(), next, principal.as_str(), due, finished, body, expected];
            Ok((transaction.execute(statement, values)? == 1).then_some(Revision::from_u64(next as u64)))
        })
        .await
    }

    async fn list(
        &self,
        statement: &'static str,
        values: impl Params + Send + 'static,
    ) -> Result<Vec<Stored>, BackendError> {
        self.run(move |transaction| {
            transaction.prepare_cached(statement)?.query_map(values, stored)?.collect()
        })
        .await
    }
}

fn stored(row: &Row) -> rusqlite::Result<Stored> {
    let id = TaskId::parse(row.get_ref(0)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?;
    let revision = Revision::from_u64(row.get::<_, i64>(1)? as u64);
    let principal = Principal::from_stored(row.get_ref(2)?.as_str()?);
    let due = row.get::<_, Option<i64>>(3)?.map(Timestamp::from_unix_ms);
    Ok(Stored {
        record: TaskRecord { id, principal, due, finished: row.get(4)?, body: row.get(5)? },
        revision,
    })
}

#[async_trait]
impl TaskStore for SqliteTaskStore {
    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        if !fits_every_store(record) {
            return Err(CreateError::TooLong);
        }
        self.write(INSERT, record, None).await?.ok_or(CreateError::AlreadyExists)
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        Ok(self.list(ONE, [id.to_string()]).await?.pop())
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        if !fits_every_store(record) {
            return Err(ReplaceError::TooLong);
        }
        self.write(UPDATE, record, Some(expected)).await?.ok_or(ReplaceError::Conflict)
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let values = (id.to_string(), expected.as_u64() as i64);
        let removed = self.run(move |transaction| transaction.execute(DELETE, values)).await?;
        if removed == 1 { Ok(()) } else { Err(RemoveError::Conflict) }
    }

    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let after = page.after.map(|place| (place.due.as_unix_ms(), place.id.to_string())).unzip();
        self.list(DUE, (by.as_unix_ms(), after.0, after.1, page.size.get())).await
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        let after = page.after.map_or_else(String::new, |id| id.to_string());
        self.list(UNFINISHED, (after, page.size.get())).await
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        let name = principal.as_str().to_owned();
        let held = |row: &Row| row.get::<_, i64>(0).map(|count| count as usize);
        self.run(move |transaction| transaction.query_row(HELD, [name], held)).await
    }
}
