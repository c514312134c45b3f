//! The laws of the replay guard, held by the memory guard.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::error::Error;
use std::sync::Arc;

use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_memory::{GuardFull, MemoryReplayGuard};
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard};

fn nonce(number: u8) -> Nonce {
    Nonce::from_random([number; 16])
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(ms)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_consumes_a_nonce() {
    let guard: Arc<dyn ReplayGuard> = Arc::new(MemoryReplayGuard::default());
    for round in 0..32 {
        let callers: Vec<_> = (0..16)
            .map(|_| {
                let guard = Arc::clone(&guard);
                tokio::spawn(async move { guard.consume(&nonce(round), at(100), at(0)).await })
            })
            .collect();
        let mut consumed = 0;
        for caller in callers {
            match caller.await.unwrap() {
                Ok(()) => consumed += 1,
                Err(ConsumeError::AlreadyUsed) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(consumed, 1);
    }
}

#[tokio::test]
async fn a_nonce_is_remembered_until_its_time_is_past() {
    let guard = MemoryReplayGuard::with_capacity(1);
    guard.consume(&nonce(1), at(100), at(0)).await.unwrap();
    for now in [0, 99, 100, -5] {
        let outcome = guard.consume(&nonce(1), at(200), at(now)).await;
        assert!(matches!(outcome, Err(ConsumeError::AlreadyUsed)), "{now}");
    }
    let outcome = guard.consume(&nonce(2), at(200), at(100)).await;
    assert!(matches!(outcome, Err(ConsumeError::Unavailable(_))), "{outcome:?}");
    guard.consume(&nonce(2), at(200), at(101)).await.unwrap();
}

#[tokio::test]
async fn a_full_guard_refuses_and_says_what_to_change() {
    let guard = MemoryReplayGuard::with_capacity(2);
    guard.consume(&nonce(1), at(300), at(0)).await.unwrap();
    guard.consume(&nonce(2), at(100), at(0)).await.unwrap();
    let error = guard.consume(&nonce(3), at(300), at(50)).await.unwrap_err();
    let source = error.source().and_then(|source| source.downcast_ref::<GuardFull>()).unwrap();
    assert_eq!(source.entries, 2);
    assert!(source.to_string().contains("give it room for more"));
    guard.consume(&nonce(3), at(300), at(101)).await.unwrap();
    let outcome = guard.consume(&nonce(1), at(300), at(101)).await;
    assert!(matches!(outcome, Err(ConsumeError::AlreadyUsed)), "the other nonce was forgotten early");
}
