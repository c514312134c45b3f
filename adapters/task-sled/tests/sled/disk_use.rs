//! How much disk many tasks take that come and go (field case C91).

use std::path::Path;
use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_task_sled::{SledDatabase, SledOptions};

/// How many tasks are there at a time.
const LIVE: usize = 100;

/// The log is used again from segments of 8 MiB, of which some stay in use or are being cleaned.
const BOUND: u64 = 128 << 20;

/// How often a task is created, completed and removed: more by hand, see `docs/limits.md`.
fn cycles() -> usize {
    std::env::var("PM_DISK_CYCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

/// Creates, completes with 10 KiB and removes a hundred tasks at a time. Bodies differ, so that none can be shared.
async fn churn(store: &Arc<dyn TaskStore>, from: usize, to: usize) {
    for first in (from..to).step_by(LIVE) {
        let mut lanes = tokio::task::JoinSet::new();
        for number in first..first + LIVE {
            let store = Arc::clone(store);
            lanes.spawn(async move {
                let mut random = [0; TaskId::RANDOM_BYTES];
                random[..8].copy_from_slice(&number.to_be_bytes());
                let due = i64::try_from(number).unwrap();
                let mut record = TaskRecord {
                    id: TaskId::from_random(&random),
                    principal: Principal::local("ann"),
                    due: Some(Timestamp::from_unix_ms(due)),
                    finished: false,
                    body: vec![b'w'; 300],
                };
                let created = store.create(&record).await.unwrap();
                record.finished = true;
                record.body = (0..10_240_usize)
                    .map(|at| u8::try_from((at.wrapping_mul(number + 7) >> 3) % 251).unwrap())
                    .collect();
                let completed = store.replace(&record, created).await.unwrap();
                store.remove(&record.id, completed).await.unwrap();
            });
        }
        while let Some(done) = lanes.join_next().await {
            done.unwrap();
        }
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn c91_tasks_that_come_and_go_leave_a_database_of_bounded_size() {
    let place = tempfile::tempdir().unwrap();
    let database = SledDatabase::open(place.path().join("db"), SledOptions::default()).unwrap();
    let store: Arc<dyn TaskStore> = Arc::new(database.task_store());
    let cycles = cycles();
    churn(&store, 0, cycles / 2).await;
    let half = database.bytes_on_disk().await.unwrap();
    churn(&store, cycles / 2, cycles).await;
    let (told, found) = (database.bytes_on_disk().await.unwrap(), bytes_below(place.path()));
    eprintln!(
        "{cycles} tasks came and went: {half} bytes after half of them, {told} at the end, {found} in files"
    );
    assert!(told <= BOUND && found <= BOUND, "{told} bytes are told, {found} found");
    assert!(found <= told + (32 << 20), "the measure tells {told} bytes of {found}");
    assert_eq!(store.held(&Principal::local("ann")).await.unwrap(), 0);
}
