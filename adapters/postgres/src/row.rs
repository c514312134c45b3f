//! Rows of the table of tasks.

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Revision, Stored};
use tokio_postgres::Row;

use crate::failure::Failure;

/// The columns of a row, as the database gives them.
#[derive(Debug)]
pub(crate) struct TaskRow {
    pub(crate) id: String,
    revision: i64,
    principal: Vec<u8>,
    pub(crate) due: Option<i64>,
    finished: bool,
    body: Vec<u8>,
}

impl TaskRow {
    pub(crate) fn of(row: &Row) -> Result<Self, Failure> {
        Ok(Self {
            id: column(row, 0)?,
            revision: column(row, 1)?,
            principal: column(row, 2)?,
            due: column(row, 3)?,
            finished: column(row, 4)?,
            body: column(row, 5)?,
        })
    }

    /// The record, if a store can have written this row.
    pub(crate) fn into_stored(self) -> Result<Stored, Failure> {
        let Self { id, revision, principal, due, finished, body } = self;
        let damaged = |what: &str| {
            let shown: String = id.chars().take(64).collect();
            Failure::Damaged(format!("the row of the task {shown:?} is damaged: {what}; repair or delete it"))
        };
        let record = TaskRecord {
            id: TaskId::parse(&id).ok_or_else(|| damaged("its column id holds no task id"))?,
            principal: std::str::from_utf8(&principal)
                .map(Principal::from_stored)
                .map_err(|_| damaged("its column principal is not UTF-8"))?,
            due: due.map(Timestamp::from_unix_ms),
            finished,
            body,
        };
        let revision = u64::try_from(revision).map_err(|_| damaged("its column revision is below zero"))?;
        Ok(Stored { record, revision: Revision::from_u64(revision) })
    }
}

/// The number that a count returns.
pub(crate) fn counted_rows(row: &Row) -> Result<usize, Failure> {
    let count: i64 = column(row, 0)?;
    usize::try_from(count).map_err(|_| Failure::Damaged("the table tasks has a count below zero".to_owned()))
}

/// The revision that a write returns.
pub(crate) fn returned_revision(row: &Row) -> Result<Revision, Failure> {
    let number: i64 = column(row, 0)?;
    u64::try_from(number)
        .map(Revision::from_u64)
        .map_err(|_| Failure::Damaged("the sequence task_revisions gives numbers below zero; set it above the highest revision of the table tasks".to_owned()))
}

fn column<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, place: usize) -> Result<T, Failure> {
    row.try_get(place).map_err(|fault| {
        let name = row.columns().get(place).map_or("", |column| column.name());
        Failure::Damaged(format!("the column {name} of the table tasks has another type: {fault}"))
    })
}
