//! The laws, one function each.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;
use tokio::time::timeout;

use crate::begin::begin;
use crate::law::{Outcome, ensure};

use super::harness::TriedClock;

/// How long the clock is slept by.
const SHORT: Duration = Duration::from_millis(20);
/// Further than any test lasts.
const FAR: Duration = Duration::from_secs(86_400);
/// After this long, what should be there is missing.
const LONG: Duration = Duration::from_secs(20);

pub(super) async fn a_reached_instant_is_ready_at_once(tried: TriedClock) -> Outcome {
    let clock = tried.clock();
    let now = clock.now();
    let past =
        [now, Timestamp::from_unix_ms(now.as_unix_ms().saturating_sub(1)), Timestamp::from_unix_ms(i64::MIN)];
    for instant in past {
        let ready = begin(Box::pin(clock.sleep_until(instant)), 1);
        ensure!(
            ready.is_some(),
            "sleeping until {instant}, which the clock has reached, is not ready at once"
        );
    }
    Ok(())
}

/// Moves the clock until the sleeper ends. One that moves by itself is only waited for.
async fn slept(tried: &TriedClock, until: Timestamp) -> Result<Timestamp, crate::Violation> {
    let clock = tried.clock();
    let sleeping: Arc<dyn Clock> = Arc::clone(&clock);
    let sleeper = tokio::spawn(async move {
        sleeping.sleep_until(until).await;
        sleeping.now()
    });
    let moved = async {
        while !sleeper.is_finished() {
            // Small steps, so that a sleeper who wakes too early is seen to.
            tokio::time::sleep(Duration::from_millis(1)).await;
            tried.pass(Duration::from_millis(1));
        }
    };
    ensure!(timeout(LONG, moved).await.is_ok(), "a sleep of {SHORT:?} did not end within {LONG:?}");
    Ok(sleeper.await?)
}

pub(super) async fn a_sleep_does_not_end_early(tried: TriedClock) -> Outcome {
    for _ in 0..5 {
        let until = tried.clock().now().after(SHORT);
        let woken = slept(&tried, until).await?;
        ensure!(woken >= until, "a sleep until {until} ended at {woken}");
    }
    Ok(())
}

pub(super) async fn a_dropped_sleep_has_no_effect(tried: TriedClock) -> Outcome {
    let clock = tried.clock();
    let far = clock.now().after(FAR);
    for _ in 0..100 {
        begin(Box::pin(clock.sleep_until(far)), 1);
    }
    ensure!(clock.now() < far, "the clock has moved with a sleep that was dropped");
    let until = clock.now().after(SHORT);
    let woken = slept(&tried, until).await?;
    ensure!(woken >= until, "after dropped sleeps a sleep until {until} ended at {woken}");
    Ok(())
}
