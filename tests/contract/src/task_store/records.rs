//! Records to try.

use std::num::NonZeroUsize;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Revision, Stored, TaskStore};

use crate::law::{Outcome, ensure};

/// An id made of this number; ids are in the order of their numbers.
pub fn numbered_id(number: u8) -> TaskId {
    TaskId::from_random(&[number; TaskId::RANDOM_BYTES])
}

/// An unfinished record with the id of this number, due one second after the epoch, whose body is the number.
pub fn numbered_record(number: u8) -> TaskRecord {
    TaskRecord {
        id: numbered_id(number),
        principal: Principal::local("ann"),
        due: Some(at(1_000)),
        finished: false,
        body: vec![number],
    }
}

/// Whether the store holds this record in this revision.
///
/// # Errors
///
/// What it holds instead, or why that cannot be read.
pub async fn expect_stored(store: &dyn TaskStore, record: &TaskRecord, revision: Revision) -> Outcome {
    let found = store.load(&record.id).await?;
    let expected = Some(Stored { record: record.clone(), revision });
    ensure!(found == expected, "found another record or revision than the latest write of {}", record.id);
    Ok(())
}

pub(super) fn at(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(ms)
}

pub(super) fn size(records: usize) -> NonZeroUsize {
    NonZeroUsize::new(records).unwrap_or(NonZeroUsize::MIN)
}
