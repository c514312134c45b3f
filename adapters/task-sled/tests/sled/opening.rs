//! Opening: again and again, twice at a time, and after what a killed process leaves behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, thread};

use pm_mcp_contract::task_store::expect_stored;
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, CreateError, ReplaceError, ReplayGuard, TaskStore};
use pm_mcp_task_sled::{OpenError, SledDatabase, SledOptions};

use crate::records::{copy, record};

fn options() -> SledOptions {
    SledOptions::default()
}

#[tokio::test]
async fn it_opens_again_right_after_it_was_dropped_two_hundred_times_on_a_busy_machine() {
    let folder = tempfile::tempdir().unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let busy = || {
        let is_over = Arc::clone(&is_over);
        thread::spawn(move || while !is_over.load(Ordering::Relaxed) {})
    };
    let processors = thread::available_parallelism().unwrap().get();
    let load: Vec<_> = (0..processors).map(|_| busy()).collect();
    for round in 0..200 {
        let store = SledDatabase::open(folder.path(), options()).unwrap().task_store();
        let revision = store.create(&record(round, vec![1; 1000])).await.unwrap();
        expect_stored(&store, &record(round, vec![1; 1000]), revision).await.unwrap();
    }
    is_over.store(true, Ordering::Relaxed);
    load.into_iter().for_each(|thread| thread.join().unwrap());
}

#[tokio::test]
async fn a_second_opener_is_told_where_the_first_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let first = SledDatabase::open(folder.path(), options()).unwrap();
    let error = SledDatabase::open(folder.path(), options()).unwrap_err();
    assert!(matches!(error, OpenError::HeldElsewhere { .. }), "{error:?}");
    assert!(error.to_string().contains(&*folder.path().to_string_lossy()), "{error}");
    first.task_store().create(&record(1, vec![1])).await.unwrap();
}

#[tokio::test]
async fn parts_that_a_killed_process_left_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let store = SledDatabase::open(folder.path(), options()).unwrap().task_store();
    let revision = store.create(&record(1, vec![1])).await.unwrap();
    let left = tempfile::tempdir().unwrap();
    copy(folder.path(), left.path());
    let part = left.path().join("sled/snap.7FFFFFFFFFFFFFFF.generating");
    fs::write(&part, b"half of a snapshot").unwrap();
    let beside = left.path().join("sled.new");
    fs::create_dir(&beside).unwrap();
    let orphan = left.path().join("large").join(format!("{}.77", record(1, vec![]).id));
    fs::write(&orphan, b"a body that no record names").unwrap();
    let store = SledDatabase::open(left.path(), options()).unwrap().task_store();
    expect_stored(&store, &record(1, vec![1]), revision).await.unwrap();
    assert!(!part.exists() && !orphan.exists());
}

#[tokio::test]
async fn a_database_whose_making_was_broken_off_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let beside = folder.path().join("sled.new");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("conf"), b"half").unwrap();
    let store = SledDatabase::open(folder.path(), options()).unwrap().task_store();
    store.create(&record(1, vec![1])).await.unwrap();
    assert!(!beside.exists());
}

#[tokio::test]
async fn bodies_of_every_size_come_back_after_a_restart() {
    let sizes = [1, 1000, 8_192, 8_193, 300_000, 1 << 20];
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large");
    let mut written = Vec::new();
    {
        let store = SledDatabase::open(folder.path(), options()).unwrap().task_store();
        for (number, size) in (0..).zip(sizes) {
            let record = record(number, vec![u8::try_from(number).unwrap(); size]);
            written.push((store.create(&record).await.unwrap(), record));
        }
        assert_eq!(fs::read_dir(&large).unwrap().count(), 3);
    }
    let store = SledDatabase::open(folder.path(), options()).unwrap().task_store();
    for (revision, record) in &written {
        expect_stored(&store, record, *revision).await.unwrap();
    }
    let short = record(5, vec![0]);
    let revision = store.replace(&short, written[5].0).await.unwrap();
    store.remove(&written[4].1.id, written[4].0).await.unwrap();
    // Files go after the callers were told; what is told later was not told before they went.
    store.create(&record(9, vec![])).await.unwrap();
    store.create(&record(10, vec![])).await.unwrap();
    expect_stored(&store, &short, revision).await.unwrap();
    assert_eq!(fs::read_dir(&large).unwrap().count(), 1);
}

#[tokio::test]
async fn a_full_store_refuses_what_adds_and_lets_remove() {
    let folder = tempfile::tempdir().unwrap();
    let few = SledOptions { records: 2, ..options() };
    let store = SledDatabase::open(folder.path(), few).unwrap().task_store();
    let first = store.create(&record(1, vec![1])).await.unwrap();
    store.create(&record(2, vec![1])).await.unwrap();
    let error = store.create(&record(3, vec![1])).await.unwrap_err();
    assert_eq!(error.to_string(), "the task store is full: it keeps 2 records (option `records`)");
    drop(store);
    let no_room = SledOptions { reserve: u64::MAX, ..options() };
    let store = SledDatabase::open(folder.path(), no_room).unwrap().task_store();
    let error = store.create(&record(3, vec![1])).await.unwrap_err();
    assert!(matches!(error, CreateError::Full { .. }), "{error:?}");
    assert!(error.to_string().contains("option `reserve`"), "{error}");
    let error = store.replace(&record(1, vec![2]), first).await.unwrap_err();
    assert!(matches!(error, ReplaceError::Full { .. }), "{error:?}");
    expect_stored(&store, &record(1, vec![1]), first).await.unwrap();
    store.remove(&record(1, vec![]).id, first).await.unwrap();
    drop(store);
    let store = SledDatabase::open(folder.path(), few).unwrap().task_store();
    store.create(&record(3, vec![1])).await.unwrap();
}

#[tokio::test]
async fn a_nonce_stays_used_after_a_restart_and_is_forgotten_in_time() {
    let (at, nonce) = (Timestamp::from_unix_ms, |number| Nonce::from_random([number; 16]));
    let folder = tempfile::tempdir().unwrap();
    let two = SledOptions { nonces: 2, ..options() };
    let guard = SledDatabase::open(folder.path(), two).unwrap().replay_guard();
    guard.consume(&nonce(1), at(300), at(0)).await.unwrap();
    guard.consume(&nonce(2), at(100), at(0)).await.unwrap();
    drop(guard);
    let guard = SledDatabase::open(folder.path(), two).unwrap().replay_guard();
    for now in [0, 100, 400] {
        let outcome = guard.consume(&nonce(1), at(900), at(now)).await;
        assert!(matches!(outcome, Err(ConsumeError::AlreadyUsed)), "{now}: {outcome:?}");
    }
    let outcome = guard.consume(&nonce(3), at(900), at(100)).await;
    assert!(matches!(outcome, Err(ConsumeError::Unavailable(_))), "{outcome:?}");
    guard.consume(&nonce(3), at(900), at(101)).await.unwrap();
    let outcome = guard.consume(&nonce(1), at(900), at(101)).await;
    assert!(matches!(outcome, Err(ConsumeError::AlreadyUsed)), "the other nonce was forgotten early");
}
