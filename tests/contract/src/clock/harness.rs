//! How the kit gets at a clock.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use pm_mcp_ports::driven::Clock;

use crate::harness::HarnessError;
use crate::virtual_clock::VirtualClock;

/// Makes clocks to try.
pub trait ClockHarness: Send + Sync + 'static {
    /// A clock.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    fn clock(&self) -> Result<Arc<dyn Clock>, HarnessError>;

    /// Moves a clock on that does not move by itself; one that does is left alone.
    fn pass(&self, span: Duration);
}

/// The harness of a clock that moves by itself.
#[derive(Clone, Copy, Debug)]
pub struct SelfMoving<C>(pub C);

impl<C: Clock + Clone> ClockHarness for SelfMoving<C> {
    fn clock(&self) -> Result<Arc<dyn Clock>, HarnessError> {
        Ok(Arc::new(self.0.clone()))
    }

    fn pass(&self, _span: Duration) {}
}

/// A virtual clock is its own harness.
impl ClockHarness for VirtualClock {
    fn clock(&self) -> Result<Arc<dyn Clock>, HarnessError> {
        Ok(Arc::new(self.clone()))
    }

    fn pass(&self, span: Duration) {
        self.advance(span);
    }
}

/// A clock and the way to move it.
pub struct TriedClock {
    clock: Arc<dyn Clock>,
    harness: Box<dyn ClockHarness>,
}

impl TriedClock {
    /// The clock of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says.
    pub async fn of(harness: impl ClockHarness) -> Result<Self, HarnessError> {
        Ok(Self { clock: harness.clock()?, harness: Box::new(harness) })
    }

    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    pub(super) fn pass(&self, span: Duration) {
        self.harness.pass(span);
    }
}

impl fmt::Debug for TriedClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TriedClock").field("clock", &self.clock).finish_non_exhaustive()
    }
}
