//! A disk without room.

use std::error::Error;
use std::path::Path;

use pm_mcp_contract::SmallDisk;
use pm_mcp_contract::task_store::expect_stored;
use pm_mcp_domain::task::TaskRecord;
use pm_mcp_ports::driven::{Applied, CreateError, ReplaceError, Revision, TaskStore};
use pm_mcp_task_sled::{SledDatabase, SledOptions, SledTaskStore};

use crate::records::record;

const SMALL: u64 = 40 << 20;
const LARGER: u64 = 80 << 20;

fn open(folder: &Path, reserve: u64) -> SledTaskStore {
    let options = SledOptions { reserve, cache: 1 << 20, ..SledOptions::default() };
    SledDatabase::open(folder.join("tasks"), options).unwrap().task_store()
}

/// Adds records until one is refused; gives that one and why.
async fn fill(store: &SledTaskStore, kept: &mut Vec<(TaskRecord, Revision)>) -> (TaskRecord, CreateError) {
    loop {
        let number = u64::try_from(kept.len()).unwrap();
        let next = record(number, vec![u8::try_from(number % 251).unwrap(); 8_000]);
        match store.create(&next).await {
            Ok(revision) => kept.push((next, revision)),
            Err(refused) => return (next, refused),
        }
    }
}

async fn all_there(store: &SledTaskStore, kept: &[(TaskRecord, Revision)]) {
    for (record, revision) in kept {
        expect_stored(store, record, *revision).await.unwrap();
    }
}

/// An error with everything behind it.
fn chain(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        told = format!("{told}: {cause}");
        source = cause.source();
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_without_room_refuses_what_adds_and_goes_on_when_there_is_some() {
    let place = tempfile::tempdir().unwrap();
    let disk = match SmallDisk::mount(place.path(), SMALL) {
        Ok(disk) => disk,
        Err(why) => return eprintln!("SKIPPED a full disk under sled: {why}"),
    };
    let store = open(place.path(), 12 << 20);
    let mut kept = Vec::new();
    let (next, refused) = fill(&store, &mut kept).await;
    assert!(matches!(refused, CreateError::Full { .. }), "{refused:?}");
    assert!(refused.to_string().contains("option `reserve`"), "{refused}");
    let (first, revision) = kept.remove(0);
    let outcome = store.replace(&TaskRecord { body: vec![1; 8_001], ..first.clone() }, revision).await;
    assert!(matches!(outcome, Err(ReplaceError::Full { .. })), "{outcome:?}");
    expect_stored(&store, &first, revision).await.unwrap();
    store.remove(&first.id, revision).await.unwrap();
    disk.resize(LARGER).unwrap();
    kept.push((next.clone(), store.create(&next).await.unwrap()));
    all_there(&store, &kept).await;
    drop(store);
    let store = open(place.path(), 12 << 20);
    all_there(&store, &kept).await;
    assert!(store.load(&first.id).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_meets_a_full_disk_loses_nothing_acknowledged() {
    let place = tempfile::tempdir().unwrap();
    let disk = match SmallDisk::mount(place.path(), SMALL) {
        Ok(disk) => disk,
        Err(why) => return eprintln!("SKIPPED a full disk under sled's log: {why}"),
    };
    let store = open(place.path(), 0);
    let mut kept = Vec::new();
    let (next, refused) = fill(&store, &mut kept).await;
    let CreateError::Backend(fault) = &refused else { panic!("{refused:?}") };
    assert_eq!(fault.applied, Applied::Unknown);
    assert!(chain(fault).contains("No space left"), "{}", chain(fault));
    let again = chain(&store.load(&next.id).await.unwrap_err());
    assert!(again.contains("open it again, by a restart"), "{again}");
    drop(store);
    disk.resize(LARGER).unwrap();
    let store = open(place.path(), 0);
    all_there(&store, &kept).await;
    // It was never acknowledged; it is there whole or not at all.
    let found = store.load(&next.id).await.unwrap();
    assert!(found.as_ref().is_none_or(|stored| stored.record == next), "half a record");
    let new = record(10_000, vec![1]);
    expect_stored(&store, &new, store.create(&new).await.unwrap()).await.unwrap();
}
