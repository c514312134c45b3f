//! How the kit gets at what knows the workers.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driven::WorkerLiveness;

use crate::harness::HarnessError;

/// Makes adapters of [`WorkerLiveness`] to try.
#[async_trait]
pub trait WorkerLivenessHarness: Send + Sync + 'static {
    /// What the place of a fresh pair lives in; dropping it cleans up.
    type Guard: Send + 'static;

    /// Two that know no worker yet and share one place, as two processes do.
    ///
    /// # Errors
    ///
    /// Whatever keeps them from being made; the test fails with it.
    async fn fresh(&self) -> Result<([Arc<dyn WorkerLiveness>; 2], Self::Guard), HarnessError>;
}

/// A fresh pair, with what its place lives in.
pub struct FreshLiveness {
    pair: [Arc<dyn WorkerLiveness>; 2],
    _place: Box<dyn Any + Send>,
}

impl FreshLiveness {
    /// A fresh pair of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says.
    pub async fn of<H: WorkerLivenessHarness>(harness: H) -> Result<Self, HarnessError> {
        let (pair, place) = harness.fresh().await?;
        Ok(Self { pair, _place: Box::new(place) })
    }

    /// Both.
    pub fn pair(&self) -> [Arc<dyn WorkerLiveness>; 2] {
        self.pair.clone()
    }
}

impl fmt::Debug for FreshLiveness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshLiveness").field("pair", &self.pair).finish_non_exhaustive()
    }
}
