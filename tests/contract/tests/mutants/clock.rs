//! Clocks that are wrong on purpose.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_contract::clock::{LAWS, TriedClock};
use pm_mcp_contract::{ClockHarness, HarnessError, VirtualClock};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;

use crate::caught::mutants;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    WaitsForNothing,
    WakesEarly,
    MovesWithWhoeverSleeps,
}

#[derive(Clone, Debug)]
struct Mutant {
    fault: Fault,
    inner: VirtualClock,
}

#[async_trait]
impl Clock for Mutant {
    fn now(&self) -> Timestamp {
        self.inner.now()
    }

    async fn sleep_until(&self, instant: Timestamp) {
        match self.fault {
            Fault::WaitsForNothing => tokio::task::yield_now().await,
            Fault::WakesEarly => {
                let early = Timestamp::from_unix_ms(instant.as_unix_ms() - 5);
                return self.inner.sleep_until(early).await;
            }
            Fault::MovesWithWhoeverSleeps => self.inner.set(instant),
        }
        self.inner.sleep_until(instant).await;
    }
}

impl ClockHarness for Mutant {
    fn clock(&self) -> Result<Arc<dyn Clock>, HarnessError> {
        Ok(Arc::new(self.clone()))
    }

    fn pass(&self, span: Duration) {
        self.inner.advance(span);
    }
}

async fn wrong(fault: Fault) -> TriedClock {
    TriedClock::of(Mutant { fault, inner: VirtualClock::default() }).await.unwrap()
}

mod without_fault {
    pm_mcp_contract::clock_contract!(pm_mcp_contract::VirtualClock::default());
}

mutants! {
    LAWS, wrong;
    cl_01_a_reached_instant_is_ready_at_once cl_01_catches_a_wait_for_nothing Fault::WaitsForNothing;
    cl_02_a_sleep_does_not_end_early cl_02_catches_a_sleeper_woken_early Fault::WakesEarly;
    cl_03_a_dropped_sleep_has_no_effect cl_03_catches_a_clock_that_moves_with_sleepers Fault::MovesWithWhoeverSleeps;
}
