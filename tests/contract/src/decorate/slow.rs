//! Operations that take their time.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_ports::driven::{BackendError, Clock};

use super::around::{Around, Call};

/// A [`TaskStore`](pm_mcp_ports::driven::TaskStore) or [`ReplayGuard`](pm_mcp_ports::driven::ReplayGuard) each of whose
/// operations waits before its effect and after it, as one behind a slow network does. It waits by a clock, so a
/// [`VirtualClock`](crate::VirtualClock) decides when it goes on.
#[derive(Debug)]
pub struct Slow<S> {
    pub(super) inner: S,
    clock: Arc<dyn Clock>,
    there: Duration,
    back: Duration,
}

impl<S> Slow<S> {
    /// One whose effects come after `there` and whose answers come `back` later.
    pub fn new(inner: S, clock: Arc<dyn Clock>, there: Duration, back: Duration) -> Self {
        Self { inner, clock, there, back }
    }

    /// What is decorated.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    async fn wait(&self, span: Duration) {
        self.clock.sleep_until(self.clock.now().after(span)).await;
    }
}

#[async_trait]
impl<S: Sync + Send> Around for Slow<S> {
    async fn before(&self, _call: &mut Call) -> Result<(), BackendError> {
        self.wait(self.there).await;
        Ok(())
    }

    async fn after(&self, _call: Call, _ok: bool) -> Result<(), BackendError> {
        self.wait(self.back).await;
        Ok(())
    }
}
