//! Operations that leave a trace.

use std::sync::Mutex;

use async_trait::async_trait;
use pm_mcp_ports::driven::BackendError;

use crate::lock::lock;

use super::around::{Around, Call};
use super::operation::Operation;

/// A [`TaskStore`](pm_mcp_ports::driven::TaskStore) or [`ReplayGuard`](pm_mcp_ports::driven::ReplayGuard) that remembers
/// what was done with it. It never forgets, so it is for tests only.
#[derive(Debug)]
pub struct Recording<S> {
    pub(super) inner: S,
    calls: Mutex<Vec<Recorded>>,
}

/// One operation that ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// What was done.
    pub operation: Operation,
    /// The id of the task it was done to; empty for lists and nonces.
    pub task: String,
    /// Whether it gave `Ok`.
    pub ok: bool,
}

impl<S> Recording<S> {
    /// One that has recorded nothing yet.
    pub fn new(inner: S) -> Self {
        Self { inner, calls: Mutex::default() }
    }

    /// What ended so far, in that order. An operation whose future was dropped is not among it.
    pub fn calls(&self) -> Vec<Recorded> {
        lock(&self.calls).clone()
    }

    /// The operations alone.
    pub fn operations(&self) -> Vec<Operation> {
        lock(&self.calls).iter().map(|recorded| recorded.operation).collect()
    }

    /// What is decorated.
    pub fn inner(&self) -> &S {
        &self.inner
    }
}

#[async_trait]
impl<S: Sync + Send> Around for Recording<S> {
    async fn before(&self, _call: &mut Call) -> Result<(), BackendError> {
        Ok(())
    }

    async fn after(&self, call: Call, ok: bool) -> Result<(), BackendError> {
        lock(&self.calls).push(Recorded { operation: call.operation, task: call.key, ok });
        Ok(())
    }
}
