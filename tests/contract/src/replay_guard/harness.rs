//! How the kit gets at a replay guard.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driven::ReplayGuard;

use crate::harness::HarnessError;

/// Makes replay guards to try.
#[async_trait]
pub trait ReplayGuardHarness: Send + Sync + 'static {
    /// What the store of a fresh guard lives in; dropping it cleans up.
    type Guard: Send + 'static;

    /// How many nonces a fresh guard remembers at a time, where that can be filled within a test (up to a few
    /// thousand); `None` for more or no bound.
    fn bound(&self) -> Option<usize>;

    /// Two guards that remember nothing yet and share one store, as two processes do; `None` in the place of the second
    /// for a guard that nobody can share.
    ///
    /// # Errors
    ///
    /// Whatever keeps them from being made; the test fails with it.
    async fn fresh(
        &self,
    ) -> Result<(Arc<dyn ReplayGuard>, Option<Arc<dyn ReplayGuard>>, Self::Guard), HarnessError>;
}

/// The harness of a guard that remembers within one process, from a function that makes one with room for `bound` nonces.
#[derive(Clone, Copy, Debug)]
pub struct VolatileGuard<F> {
    /// How many nonces the guards remember, a few thousand at the most.
    pub bound: usize,
    /// Makes a guard with room for so many.
    pub fresh: F,
}

#[async_trait]
impl<G: ReplayGuard, F: Fn(usize) -> G + Send + Sync + 'static> ReplayGuardHarness for VolatileGuard<F> {
    type Guard = ();

    fn bound(&self) -> Option<usize> {
        Some(self.bound)
    }

    async fn fresh(&self) -> Result<(Arc<dyn ReplayGuard>, Option<Arc<dyn ReplayGuard>>, ()), HarnessError> {
        Ok((Arc::new((self.fresh)(self.bound)), None, ()))
    }
}

/// A fresh guard, with its twin and what their store lives in.
pub struct FreshGuard {
    guard: Arc<dyn ReplayGuard>,
    twin: Option<Arc<dyn ReplayGuard>>,
    bound: Option<usize>,
    _place: Box<dyn Any + Send>,
}

impl FreshGuard {
    /// A fresh guard of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says.
    pub async fn of<H: ReplayGuardHarness>(harness: H) -> Result<Self, HarnessError> {
        let (guard, twin, place) = harness.fresh().await?;
        Ok(Self { guard, twin, bound: harness.bound(), _place: Box::new(place) })
    }

    /// The guard.
    pub fn guard(&self) -> Arc<dyn ReplayGuard> {
        Arc::clone(&self.guard)
    }

    pub(super) fn twin(&self) -> Option<Arc<dyn ReplayGuard>> {
        self.twin.clone()
    }

    pub(super) fn bound(&self) -> Option<usize> {
        self.bound
    }
}

impl fmt::Debug for FreshGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshGuard").field("guard", &self.guard).finish_non_exhaustive()
    }
}

pub(super) fn skipped_without_bound(fresh: &FreshGuard) -> Option<&'static str> {
    fresh.bound.is_none().then_some("the harness names no bound that a test can fill")
}

pub(super) fn skipped_when_not_shared(fresh: &FreshGuard) -> Option<&'static str> {
    fresh.twin.is_none().then_some("the harness says that no two guards can share a store")
}
