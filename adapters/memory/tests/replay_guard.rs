//! The laws of the replay guard, held by the memory guard.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::error::Error;

use pm_mcp_contract::{VolatileGuard, replay_guard_contract};
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

replay_guard_contract!(VolatileGuard { bound: 64, fresh: MemoryReplayGuard::with_capacity });

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
