//! How the kit gets at a bus.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driven::ChangeBus;

use crate::harness::HarnessError;

/// Makes adapters of [`ChangeBus`] to try.
#[async_trait]
pub trait ChangeBusHarness: Send + Sync + 'static {
    /// What a fresh bus lives in; dropping it cleans up.
    type Guard: Send + 'static;

    /// Two members of a bus that nobody else uses, as two processes have them.
    ///
    /// # Errors
    ///
    /// Whatever keeps them from being made; the test fails with it.
    async fn fresh(&self) -> Result<([Arc<dyn ChangeBus>; 2], Self::Guard), HarnessError>;

    /// How many small changes may wait for a feed at the most: one more, and a feed that is not read has lagged. The laws
    /// ask for room for 100, and publish twice as many as this where they want a feed to lag.
    fn most_waiting(&self) -> usize;
}

/// Two members of a fresh bus, with what it lives in.
pub struct FreshBus {
    members: [Arc<dyn ChangeBus>; 2],
    most_waiting: usize,
    _place: Box<dyn Any + Send>,
}

impl FreshBus {
    /// A fresh bus of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says.
    pub async fn of<H: ChangeBusHarness>(harness: H) -> Result<Self, HarnessError> {
        let (members, place) = harness.fresh().await?;
        Ok(Self { members, most_waiting: harness.most_waiting(), _place: Box::new(place) })
    }

    /// Both members.
    pub fn members(&self) -> [Arc<dyn ChangeBus>; 2] {
        self.members.clone()
    }

    /// Both members, and what they live in: nothing else holds them.
    pub(super) fn into_members(self) -> ([Arc<dyn ChangeBus>; 2], Box<dyn Any + Send>) {
        (self.members, self._place)
    }

    /// How many small changes may wait for a feed at the most.
    pub fn most_waiting(&self) -> usize {
        self.most_waiting
    }
}

impl fmt::Debug for FreshBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshBus").field("members", &self.members).finish_non_exhaustive()
    }
}
