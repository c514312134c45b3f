//! The laws on killed processes.

use std::future::{Future, poll_fn};
use std::pin::Pin;

use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_ports::driven::{BackendError, Durability, Page, RemoveError, Stored, TaskStore};

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

/// How often a process is killed in the middle of a write, with each way to read.
const ROUNDS: u8 = 3;

/// How a record is read.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Load,
    Due,
    Unfinished,
}

impl Reading {
    async fn read(self, store: &dyn TaskStore, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        let listed = match self {
            Self::Load => return store.load(id).await,
            Self::Due => store.due(at(1_000), Page::first(size(100))).await?,
            Self::Unfinished => store.unfinished(Page::first(size(100))).await?,
        };
        Ok(listed.into_iter().find(|stored| stored.record.id == *id))
    }
}

/// Reads while a write is under way, then ends the process before the write is acknowledged.
pub(super) async fn what_was_read_survives_a_killed_process(mut fresh: FreshStore) -> Outcome {
    for round in 0..ROUNDS {
        for (place, reading) in [Reading::Load, Reading::Due, Reading::Unfinished].into_iter().enumerate() {
            let old = record(10 * round + u8::try_from(place)?);
            let store = fresh.store();
            let before = store.create(&old).await?;
            let new = TaskRecord { body: vec![7; 10_000], ..old.clone() };
            let mut writing = store.replace(&new, before);
            let mut last = reading.read(&*store, &old.id).await?;
            let mut written = false;
            while !written && last.as_ref().is_some_and(|stored| stored.revision == before) {
                let mut read = Box::pin(reading.read(&*store, &old.id));
                let read = beside(&mut writing, &mut read).await;
                (last, written) = (read.0?, read.1);
            }
            // A killed process does not tidy up.
            std::mem::forget(writing);
            drop(store);
            fresh = fresh.killed_and_reopened().await?;
            let found = fresh.store().load(&old.id).await?;
            ensure!(last.is_some(), "{reading:?} did not find a record while it was replaced");
            ensure!(
                found == last || found.is_some_and(|found| found.record == new),
                "{reading:?} gave a record, and after the process was killed an older one was there"
            );
        }
    }
    Ok(())
}

/// Lets a write go on while something is read; gives what was read, and whether the write has ended by then.
async fn beside<W, R>(
    writing: &mut (impl Future<Output = W> + Unpin),
    reading: &mut (impl Future<Output = R> + Unpin),
) -> (R, bool) {
    let mut written = false;
    let read = poll_fn(|context| {
        written = written || Pin::new(&mut *writing).poll(context).is_ready();
        Pin::new(&mut *reading).poll(context)
    });
    let read = read.await;
    (read, written)
}
