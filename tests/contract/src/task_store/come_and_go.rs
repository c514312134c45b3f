//! Many tasks that come and go, for tests of how much disk a store takes then.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::TaskStore;
use tokio::task::JoinSet;

use crate::harness::HarnessError;

/// How many tasks are there at a time.
const LIVE: u64 = 100;

/// How long the body of an ended task is: one that a store keeps with the others rather than in a file.
const ENDED: u64 = 8_000;

/// Creates, completes with 8,000 bytes and removes the tasks of these numbers, a hundred at a time. No two bodies are alike, so
/// that none can be shared, nor pressed well. None of the tasks is left.
///
/// # Errors
///
/// What the store failed with, or that tasks are left.
pub async fn come_and_go(store: &Arc<dyn TaskStore>, numbers: Range<u64>) -> Result<(), HarnessError> {
    let owner = Principal::local("ann");
    let mut first = numbers.start;
    while first < numbers.end {
        let next = numbers.end.min(first + LIVE);
        let mut lanes = JoinSet::new();
        for number in first..next {
            lanes.spawn(one(Arc::clone(store), owner.clone(), number));
        }
        while let Some(done) = lanes.join_next().await {
            done??;
        }
        first = next;
    }
    match store.held(&owner).await? {
        0 => Ok(()),
        left => Err(format!("{left} tasks are left").into()),
    }
}

async fn one(store: Arc<dyn TaskStore>, principal: Principal, number: u64) -> Result<(), HarnessError> {
    let mut random = [0; TaskId::RANDOM_BYTES];
    random.iter_mut().zip(number.to_be_bytes()).for_each(|(place, byte)| *place = byte);
    let due = Timestamp::from_unix_ms(i64::try_from(number)?);
    let mut record = TaskRecord {
        id: TaskId::from_random(&random),
        principal,
        due: Some(due),
        finished: false,
        body: vec![b'w'; 300],
    };
    let created = store.create(&record).await?;
    record.finished = true;
    let byte = |at: u64| u8::try_from((at.wrapping_mul(number + 7) >> 3) % 251).unwrap_or(0);
    record.body = (0..ENDED).map(byte).collect();
    let completed = store.replace(&record, created).await?;
    Ok(store.remove(&record.id, completed).await?)
}

/// How many tasks are to come and go: what `PM_DISK_CYCLES` says, or else `usual`.
pub fn cycles_or(usual: u64) -> u64 {
    std::env::var("PM_DISK_CYCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The bytes of all files below a folder. One that goes meanwhile counts as none.
pub fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}
