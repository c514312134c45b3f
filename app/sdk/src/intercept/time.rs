//! How long an operation may take.

use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_ports::feature::{HandlerFault, Interceptor, Operation, Pass, TimeBound};

use super::bounded::is_bounded;

/// Ends calls, reads, prompts, completions and resource lists that take longer than a time; the error says which limit
/// was reached. Whatever the handler was doing is dropped where it waits.
///
/// The time counts from where the limit stands among the interceptors: one that was added before a
/// [`ConcurrencyLimit`](super::ConcurrencyLimit) counts the wait for a place, one that was added after it does not.
#[derive(Clone, Debug)]
pub struct TimeLimit {
    bound: TimeBound,
}

impl TimeLimit {
    /// A limit of this length, in whole milliseconds. Callers and operators know it by `name`.
    pub fn new(name: impl Into<String>, limit: Duration) -> Self {
        Self { bound: TimeBound::new(name, limit) }
    }

    /// Bounds the work of tasks as well, which is free of the limit unless told: a task that takes longer fails.
    #[must_use]
    pub fn with_tasks(self) -> Self {
        Self { bound: self.bound.with_tasks() }
    }
}

#[async_trait]
impl Interceptor for TimeLimit {
    async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
        let pass = Pass::new();
        Ok(if is_bounded(operation) { pass.within(self.bound.clone()) } else { pass })
    }
}
