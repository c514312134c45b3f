//! The laws, one function each.

use std::sync::Arc;

use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard};

use crate::begin::begin;
use crate::law::{Outcome, Violation, ensure};

use super::harness::FreshGuard;

const CALLERS: usize = 16;

fn nonce(number: u64) -> Nonce {
    let mut bytes = [0xA7; 16];
    for (byte, digit) in bytes.iter_mut().zip(number.to_be_bytes()) {
        *byte = digit;
    }
    Nonce::from_random(bytes)
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(ms)
}

async fn is_used(guard: &dyn ReplayGuard, nonce: &Nonce, now: Timestamp) -> Result<bool, Violation> {
    match guard.consume(nonce, at(1_000), now).await {
        Ok(()) => Ok(false),
        Err(ConsumeError::AlreadyUsed) => Ok(true),
        Err(other) => Err(other.into()),
    }
}

/// Lets many consume one nonce through these guards in turn.
async fn race(guards: &[Arc<dyn ReplayGuard>], nonce: Nonce) -> Outcome {
    let callers: Vec<_> = guards
        .iter()
        .cycle()
        .take(CALLERS)
        .map(|guard| {
            let guard = Arc::clone(guard);
            tokio::spawn(async move { is_used(&*guard, &nonce, at(0)).await })
        })
        .collect();
    let mut consumed = 0;
    for caller in callers {
        if !caller.await?? {
            consumed += 1;
        }
    }
    ensure!(consumed == 1, "{consumed} of {CALLERS} callers consumed one nonce");
    Ok(())
}

pub(super) async fn one_of_many_consumes_a_nonce(fresh: FreshGuard) -> Outcome {
    for round in 0..32 {
        race(&[fresh.guard()], nonce(round)).await?;
    }
    Ok(())
}

pub(super) async fn a_nonce_is_kept_until_its_time(fresh: FreshGuard) -> Outcome {
    let guard = fresh.guard();
    guard.consume(&nonce(1), at(100), at(0)).await?;
    guard.consume(&nonce(2), at(5_000), at(0)).await?;
    // The clock may step back, and others come and go meanwhile.
    for (other, now) in (10..).zip([0, 99, 100, -5, 100]) {
        ensure!(is_used(&*guard, &nonce(1), at(now)).await?, "a nonce kept until 100 is forgotten at {now}");
        guard.consume(&nonce(other), at(now), at(now)).await?;
    }
    ensure!(is_used(&*guard, &nonce(2), at(5_000)).await?, "a nonce kept until 5000 is forgotten at 5000");
    Ok(())
}

pub(super) async fn a_full_guard_refuses(fresh: FreshGuard) -> Outcome {
    let (guard, Some(bound)) = (fresh.guard(), fresh.bound()) else { return Ok(()) };
    let bound = u64::try_from(bound)?;
    for number in 0..bound {
        guard.consume(&nonce(number), at(100), at(0)).await?;
    }
    let over = guard.consume(&nonce(bound), at(100), at(100)).await;
    ensure!(matches!(over, Err(ConsumeError::Unavailable(_))), "one nonce more than fit gives {over:?}");
    for number in 0..bound {
        ensure!(
            is_used(&*guard, &nonce(number), at(100)).await?,
            "nonce {number} was forgotten to make room"
        );
    }
    guard.consume(&nonce(bound), at(300), at(101)).await?;
    ensure!(is_used(&*guard, &nonce(bound), at(101)).await?, "a nonce that took a free place is not kept");
    Ok(())
}

pub(super) async fn an_answer_holds_for_all_who_share_the_store(fresh: FreshGuard) -> Outcome {
    let (guard, Some(twin)) = (fresh.guard(), fresh.twin()) else { return Ok(()) };
    guard.consume(&nonce(1), at(100), at(0)).await?;
    ensure!(is_used(&*twin, &nonce(1), at(0)).await?, "another guard of the same store consumed it again");
    for round in 10..42 {
        race(&[Arc::clone(&guard), Arc::clone(&twin)], nonce(round)).await?;
    }
    Ok(())
}

pub(super) async fn a_dropped_call_leaves_consumed_or_not(fresh: FreshGuard) -> Outcome {
    let guard = fresh.guard();
    for (number, polls) in (1..).zip(0..8) {
        let nonce = nonce(number);
        let done = begin(Box::pin(guard.consume(&nonce, at(1_000), at(0))), polls);
        let before = match done {
            Some(Ok(())) => Some(true),
            Some(Err(fault)) => return Err(fault.into()),
            None if polls == 0 => Some(false),
            None => None,
        };
        // Whatever the dropped call left: the first to ask finds it out, and everyone after that finds it used.
        let found = is_used(&*guard, &nonce, at(0)).await?;
        ensure!(before.is_none_or(|before| before == found), "the call did not leave what it said");
        ensure!(is_used(&*guard, &nonce, at(0)).await?, "a nonce is consumed twice after a call was dropped");
    }
    Ok(())
}
