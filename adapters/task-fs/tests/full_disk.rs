//! A disk without room.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it skipped"
)]

use std::error::Error;

use pm_mcp_contract::SmallDisk;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_ports::driven::{Applied, CreateError, Page, ReplaceError, Retry, TaskStore};
use pm_mcp_task_fs::FsTaskStore;

fn record(number: u8, length: usize) -> TaskRecord {
    TaskRecord {
        id: TaskId::from_random(&[number; TaskId::RANDOM_BYTES]),
        principal: Principal::local("ann"),
        due: None,
        finished: false,
        body: vec![number; length],
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_and_costs_nothing_that_was_acknowledged() {
    let place = tempfile::tempdir().unwrap();
    let _disk = match SmallDisk::mount(place.path(), 1 << 20) {
        Ok(disk) => disk,
        Err(why) => return eprintln!("SKIPPED a full disk: {why}"),
    };
    let store = FsTaskStore::open(place.path().join("tasks")).unwrap();
    let mut kept = Vec::new();
    let fault = loop {
        let next = record(u8::try_from(kept.len()).unwrap(), 50_000);
        match store.create(&next).await {
            Ok(revision) => kept.push((next, revision)),
            Err(CreateError::Backend(fault)) => break fault,
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!((fault.applied, fault.retry), (Applied::No, Retry::Later));
    let line = fault.source().unwrap().to_string();
    assert!(line.contains("make room on the disk") && line.contains("tasks"), "{line}");
    let (first, revision) = kept.first().cloned().unwrap();
    let grown = TaskRecord { body: vec![0; 900_000], ..first.clone() };
    let refused = store.replace(&grown, revision).await;
    assert!(matches!(refused, Err(ReplaceError::Backend(_))), "{refused:?}");
    for (record, revision) in &kept {
        let stored = store.load(&record.id).await.unwrap().unwrap();
        assert_eq!((&stored.record, stored.revision), (record, *revision));
    }
    store.remove(&first.id, revision).await.unwrap();
    store.create(&record(200, 40_000)).await.unwrap();
    drop(store);
    let store = FsTaskStore::open(place.path().join("tasks")).unwrap();
    let all = store.unfinished(Page::first(std::num::NonZeroUsize::MAX)).await.unwrap();
    assert_eq!(all.len(), kept.len());
}
