//! The law on killed processes.

use pm_mcp_domain::task::TaskRecord;
use pm_mcp_ports::driven::{Durability, Page, RemoveError};

use crate::law::{Outcome, ensure};

use super::harness::FreshStore;
use super::records::{at, expect_stored, numbered_id as id, numbered_record as record, size};

pub(super) fn skipped_when_volatile(fresh: &FreshStore) -> Option<&'static str> {
    match fresh.durability() {
        Durability::Durable => None,
        Durability::Volatile => Some("the harness declares that the store keeps nothing beyond the process"),
    }
}

pub(super) async fn durability_is_as_declared(fresh: FreshStore) -> Outcome {
    let (claimed, declared) = (fresh.store().durability(), fresh.durability());
    ensure!(claimed == declared, "the store says {claimed:?}, its harness {declared:?}");
    Ok(())
}

/// After each acknowledged write the process ends, so that none is saved by the one after it.
pub(super) async fn acknowledged_writes_survive_a_killed_process(fresh: FreshStore) -> Outcome {
    let created = fresh.store().create(&record(1)).await?;
    let other = fresh.store().create(&record(2)).await?;
    let fresh = fresh.killed_and_reopened().await?;
    expect_stored(&*fresh.store(), &record(1), created).await?;
    expect_stored(&*fresh.store(), &record(2), other).await?;

    let put_off = TaskRecord { due: Some(at(5_000)), body: vec![7; 100_000], ..record(1) };
    let replaced = fresh.store().replace(&put_off, created).await?;
    let fresh = fresh.killed_and_reopened().await?;
    expect_stored(&*fresh.store(), &put_off, replaced).await?;
    let store = fresh.store();
    let due = store.due(at(4_999), Page::first(size(10))).await?;
    ensure!(due.len() == 1, "{} records are due after the restart instead of 1", due.len());
    let unfinished = store.unfinished(Page::first(size(10))).await?;
    ensure!(
        unfinished.len() == 2,
        "{} records are unfinished after the restart instead of 2",
        unfinished.len()
    );

    store.remove(&id(2), other).await?;
    drop(store);
    let fresh = fresh.killed_and_reopened().await?;
    let store = fresh.store();
    ensure!(store.load(&id(2)).await?.is_none(), "a removed record is back after the restart");
    let again = store.create(&record(2)).await?;
    ensure!(again != other, "a revision is given out again after the restart");
    let stale = store.remove(&id(2), other).await;
    ensure!(matches!(stale, Err(RemoveError::Conflict)), "an old revision fits after the restart: {stale:?}");
    Ok(())
}
