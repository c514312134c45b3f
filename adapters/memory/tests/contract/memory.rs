//! The memory store against every law, and what is its own.

use std::sync::Arc;

use pm_mcp_domain::task::TaskRecord;
use pm_mcp_memory::{Capacity, MemoryTaskStore};
use pm_mcp_ports::driven::{CreateError, ReplaceError, TaskStore};

use crate::laws::{LAWS, durability_is_skipped, expect};
use crate::records::{id, record};

fn fresh() -> Arc<dyn TaskStore> {
    Arc::new(MemoryTaskStore::default())
}

/// One test a law, so that each failure has a name.
macro_rules! contract {
    ($($test:ident $law:literal;)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $test() {
                let law = LAWS.iter().find(|law| law.id == $law).expect("the law is listed");
                if let Err(violation) = (law.check)(fresh()).await {
                    panic!("{}: {}: {violation}", law.id, law.claim);
                }
            }
        )*

        #[test]
        fn every_law_has_a_test() {
            let tested = [$($law),*];
            assert_eq!(tested.to_vec(), LAWS.iter().map(|law| law.id).collect::<Vec<_>>());
        }
    };
}

contract! {
    ts_01_create_is_exclusive "TS-01";
    ts_02_everything_comes_back_unchanged "TS-02";
    ts_03_load_finds_the_latest_write "TS-03";
    ts_04_replace_succeeds_at_the_stored_revision "TS-04";
    ts_05_a_stale_replace_changes_nothing "TS-05";
    ts_06_one_of_many_wins_each_revision "TS-06";
    ts_07_revisions_are_never_reused "TS-07";
    ts_09_a_dropped_call_leaves_all_or_nothing "TS-09";
    ts_10_paging_neither_repeats_nor_skips "TS-10";
    ts_11_due_is_exact_at_the_boundary "TS-11";
    ts_12_unfinished_is_exact "TS-12";
    ts_13_unknown_formats_come_back_like_any_other "TS-13";
    ts_14_remove_succeeds_at_the_stored_revision "TS-14";
    ts_15_refused_writes_change_nothing "TS-15";
}

#[test]
fn ts_08_does_not_apply_and_says_why() {
    let reason = durability_is_skipped(&*fresh()).expect("a store in memory says that it is volatile");
    eprintln!("SKIPPED TS-08 for the memory store: {reason}");
}

#[tokio::test]
async fn a_full_store_refuses_and_changes_nothing() {
    let store = MemoryTaskStore::with_capacity(Capacity { records: 2, bytes: 30 });
    let short = |number| TaskRecord { body: vec![0; 5], ..record(number) };
    let first = store.create(&short(1)).await.unwrap();
    let second = store.create(&short(2)).await.unwrap();
    let error = store.create(&short(3)).await.unwrap_err();
    assert_eq!(error.to_string(), "the task store is full: it keeps 2 records (capacity `records`)");
    let long = TaskRecord { body: vec![0; 8], ..record(1) };
    let error = store.replace(&long, first).await.unwrap_err();
    assert_eq!(error.to_string(), "the task store is full: it keeps 30 bytes in all (capacity `bytes`)");
    expect(&store, &short(1), first).await.unwrap();
    let fitting = TaskRecord { body: vec![0; 7], ..record(1) };
    let replaced = store.replace(&fitting, first).await.unwrap();
    store.remove(&id(2), second).await.unwrap();
    expect(&store, &fitting, replaced).await.unwrap();
    store.create(&short(3)).await.unwrap();
    assert!(store.load(&id(2)).await.unwrap().is_none());
}

#[tokio::test]
async fn bytes_are_bounded_for_new_records_too() {
    let store = MemoryTaskStore::with_capacity(Capacity { records: 9, bytes: 20 });
    store.create(&TaskRecord { body: vec![0; 11], ..record(1) }).await.unwrap();
    let outcome = store.create(&record(2)).await;
    assert!(matches!(outcome, Err(CreateError::Full { .. })), "{outcome:?}");
    let stale = store.replace(&record(2), pm_mcp_ports::driven::Revision::from_u64(1)).await;
    assert!(matches!(stale, Err(ReplaceError::Conflict)), "{stale:?}");
}

#[tokio::test]
async fn a_pointer_to_a_store_is_a_store() {
    let store: Box<dyn TaskStore> = Box::new(fresh());
    let revision = store.create(&record(1)).await.unwrap();
    expect(&store, &record(1), revision).await.unwrap();
}
