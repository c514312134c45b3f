//! Laws on callers at the same time.

use std::sync::Arc;

use pm_mcp_domain::task::TaskRecord;
use pm_mcp_ports::driven::{CreateError, ReplaceError, Stored, TaskStore};

use crate::law::{Outcome, Violation, ensure};

use super::harness::FreshStore;
use super::records::{numbered_id as id, numbered_record as record};

const CALLERS: u8 = 16;
const ROUNDS: u8 = 16;

pub(super) async fn create_is_exclusive(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    for round in 0..ROUNDS {
        let callers: Vec<_> = (0..CALLERS)
            .map(|caller| {
                let store = Arc::clone(&store);
                let written = TaskRecord { body: vec![caller], ..record(round) };
                tokio::spawn(async move { (store.create(&written).await, written) })
            })
            .collect();
        let mut winner = None;
        for caller in callers {
            match caller.await? {
                (Ok(revision), record) => {
                    ensure!(winner.is_none(), "two callers created the same id");
                    winner = Some(Stored { record, revision });
                }
                (Err(CreateError::AlreadyExists), _) => {}
                (Err(other), _) => return Err(other.into()),
            }
        }
        ensure!(winner.is_some(), "nobody created the id");
        ensure!(store.load(&id(round)).await? == winner, "the record is not the one that was acknowledged");
    }
    Ok(())
}

/// Adds one to the number in the body, over and over until it is the one who wins.
async fn increment(store: &dyn TaskStore) -> Result<u64, Violation> {
    let mut lost = 0;
    loop {
        let Some(Stored { mut record, revision }) = store.load(&id(0)).await? else {
            return Err(Violation::new("the record is lost"));
        };
        let number = record.body.as_slice().try_into().map(u64::from_be_bytes);
        record.body =
            number.map_err(|_| Violation::new("the body is torn"))?.saturating_add(1).to_be_bytes().to_vec();
        // Others get a chance to decide on the same revision.
        tokio::task::yield_now().await;
        match store.replace(&record, revision).await {
            Ok(_) => return Ok(lost),
            Err(ReplaceError::Conflict) => lost += 1,
            Err(other) => return Err(other.into()),
        }
    }
}

pub(super) async fn one_of_many_wins_each_revision(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let start = TaskRecord { body: 0_u64.to_be_bytes().to_vec(), ..record(0) };
    store.create(&start).await?;
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for _ in 0..ROUNDS {
                    increment(&*store).await?;
                }
                Ok::<(), Violation>(())
            })
        })
        .collect();
    for caller in callers {
        caller.await??;
    }
    let sum = u64::from(CALLERS) * u64::from(ROUNDS);
    let stored = store.load(&id(0)).await?.map(|stored| stored.record.body);
    ensure!(stored == Some(sum.to_be_bytes().to_vec()), "an increment was lost: {stored:?} is not {sum}");
    Ok(())
}
