//! The memory store against every law, and what is its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use pm_mcp_contract::task_store::{expect_stored, numbered_id as id, numbered_record as record};
use pm_mcp_contract::{VolatileStore, task_store_contract};
use pm_mcp_domain::task::TaskRecord;
use pm_mcp_memory::{Capacity, MemoryTaskStore};
use pm_mcp_ports::driven::{CreateError, ReplaceError, TaskStore};

task_store_contract!(VolatileStore(MemoryTaskStore::default));

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
    expect_stored(&store, &short(1), first).await.unwrap();
    let fitting = TaskRecord { body: vec![0; 7], ..record(1) };
    let replaced = store.replace(&fitting, first).await.unwrap();
    store.remove(&id(2), second).await.unwrap();
    expect_stored(&store, &fitting, replaced).await.unwrap();
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
    let store: Box<dyn TaskStore> = Box::new(Arc::new(MemoryTaskStore::default()));
    let revision = store.create(&record(1)).await.unwrap();
    expect_stored(&store, &record(1), revision).await.unwrap();
}
