//! Stores that fail by a script, dawdle by a clock and remember.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_contract::task_store::{expect_stored, numbered_id, numbered_record};
use pm_mcp_contract::{Failure, Faulty, Operation, Recording, Slow, VirtualClock};
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_memory::{MemoryReplayGuard, MemoryTaskStore};
use pm_mcp_ports::driven::{Applied, BackendError, Clock, ConsumeError, CreateError, ReplayGuard, TaskStore};

mod slow_stores_hold_the_laws {
    use super::*;
    fn slow() -> Slow<MemoryTaskStore> {
        let clock = Arc::new(VirtualClock::default());
        Slow::new(MemoryTaskStore::default(), clock, Duration::ZERO, Duration::ZERO)
    }
    pm_mcp_contract::task_store_contract!(pm_mcp_contract::VolatileStore(slow));
}

fn applied(error: CreateError) -> Applied {
    match error {
        CreateError::Backend(BackendError { applied, .. }) => applied,
        CreateError::AlreadyExists | CreateError::Full { .. } | CreateError::TooLong => {
            panic!("failed for another reason than the script: {error}")
        }
    }
}

#[tokio::test]
async fn each_failure_has_the_effect_that_it_says() {
    for (failure, there, told) in [
        (Failure::Refused, false, Applied::No),
        (Failure::RequestLost, false, Applied::Unknown),
        (Failure::AnswerLost, true, Applied::Unknown),
    ] {
        let store = Faulty::new(MemoryTaskStore::default()).failing(Operation::Create, 2, failure);
        let revision = store.create(&numbered_record(1)).await.unwrap();
        assert_eq!(applied(store.create(&numbered_record(2)).await.unwrap_err()), told, "{failure:?}");
        assert_eq!(store.load(&numbered_id(2)).await.unwrap().is_some(), there, "{failure:?}");
        expect_stored(&store, &numbered_record(1), revision).await.unwrap();
        store.create(&numbered_record(3)).await.unwrap();
        assert_eq!(store.calls(Operation::Create), 3);
    }
}

#[tokio::test]
async fn a_broken_store_fails_until_it_heals() {
    let store = Faulty::new(MemoryTaskStore::default());
    store.break_down(Operation::Load, Failure::Refused);
    for _ in 0..3 {
        assert!(store.load(&numbered_id(1)).await.is_err());
    }
    store.heal();
    assert!(store.load(&numbered_id(1)).await.unwrap().is_none());
    store.fail_next(Operation::Load, Failure::RequestLost);
    assert!(store.load(&numbered_id(1)).await.is_err());
    assert!(store.load(&numbered_id(1)).await.is_ok());
}

#[tokio::test]
async fn a_guard_whose_answer_is_lost_has_consumed_the_nonce() {
    let guard = Faulty::new(MemoryReplayGuard::default()).failing(Operation::Consume, 1, Failure::AnswerLost);
    let (nonce, now) = (Nonce::from_random([1; 16]), Timestamp::from_unix_ms(0));
    let lost = guard.consume(&nonce, now, now).await;
    assert!(matches!(lost, Err(ConsumeError::Unavailable(_))), "{lost:?}");
    let again = guard.consume(&nonce, now, now).await;
    assert!(matches!(again, Err(ConsumeError::AlreadyUsed)), "{again:?}");
}

#[tokio::test]
async fn a_slow_store_writes_first_and_answers_later() {
    let clock = VirtualClock::default();
    let second = Duration::from_secs(1);
    let store = Arc::new(Slow::new(MemoryTaskStore::default(), Arc::new(clock.clone()), second, 2 * second));
    let writer = Arc::clone(&store);
    let writing = tokio::spawn(async move { writer.create(&numbered_record(1)).await });
    clock.asleep(1).await;
    assert!(store.inner().load(&numbered_id(1)).await.unwrap().is_none());
    let started = clock.now();
    clock.advance(second);
    clock.asleep(1).await;
    assert!(store.inner().load(&numbered_id(1)).await.unwrap().is_some());
    assert!(!writing.is_finished());
    assert_eq!(clock.advance_to_next(), Some(started.after(3 * second)));
    writing.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_recording_store_tells_what_was_done() {
    let store = Recording::new(MemoryTaskStore::default());
    let revision = store.create(&numbered_record(1)).await.unwrap();
    store.create(&numbered_record(1)).await.unwrap_err();
    store.remove(&numbered_id(1), revision).await.unwrap();
    assert_eq!(store.operations(), [Operation::Create, Operation::Create, Operation::Remove]);
    let calls = store.calls();
    assert_eq!(calls.iter().map(|call| call.ok).collect::<Vec<_>>(), [true, false, true]);
    assert!(calls.iter().all(|call| call.task == numbered_id(1).as_str()));
}
