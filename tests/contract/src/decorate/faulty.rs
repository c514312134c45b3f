//! Failures by a script.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use pm_mcp_ports::driven::{Applied, BackendError, Retry};
use thiserror::Error;

use crate::lock::lock;

use super::around::{Around, Call};
use super::operation::Operation;

/// How an operation fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Failure {
    /// It has no effect, and the caller is told so ([`Applied::No`]): a full disk.
    Refused,
    /// It has no effect, and the caller cannot know ([`Applied::Unknown`]): the request was lost on the way.
    RequestLost,
    /// It has its effect, and the caller cannot know ([`Applied::Unknown`]): the answer was lost on the way.
    AnswerLost,
}

impl Failure {
    /// Every way to fail, for tests that try each.
    pub const ALL: [Self; 3] = [Self::Refused, Self::RequestLost, Self::AnswerLost];

    const fn applied(self) -> Applied {
        match self {
            Self::Refused => Applied::No,
            Self::RequestLost | Self::AnswerLost => Applied::Unknown,
        }
    }
}

/// A [`TaskStore`](pm_mcp_ports::driven::TaskStore) or [`ReplayGuard`](pm_mcp_ports::driven::ReplayGuard) that fails where
/// a script says so, and else is the one inside.
#[derive(Debug)]
pub struct Faulty<S> {
    pub(super) inner: S,
    script: Mutex<Script>,
}

#[derive(Default, Debug)]
struct Script {
    calls: BTreeMap<Operation, usize>,
    once: Vec<(Operation, usize, Failure)>,
    from: Vec<(Operation, usize, Failure)>,
}

impl<S> Faulty<S> {
    /// One that does not fail yet.
    pub fn new(inner: S) -> Self {
        Self { inner, script: Mutex::default() }
    }

    /// Lets the `nth` call of an operation fail, counted from 1 and from the beginning.
    #[must_use]
    pub fn failing(self, operation: Operation, nth: usize, failure: Failure) -> Self {
        lock(&self.script).once.push((operation, nth, failure));
        self
    }

    /// Lets the next call of an operation fail.
    pub fn fail_next(&self, operation: Operation, failure: Failure) {
        let mut script = lock(&self.script);
        let next = script.calls.get(&operation).copied().unwrap_or_default().saturating_add(1);
        script.once.push((operation, next, failure));
    }

    /// Lets every further call of an operation fail, until [`heal`](Self::heal).
    pub fn break_down(&self, operation: Operation, failure: Failure) {
        let mut script = lock(&self.script);
        let next = script.calls.get(&operation).copied().unwrap_or_default().saturating_add(1);
        script.from.push((operation, next, failure));
    }

    /// Drops what is left of the script: nothing fails any more.
    pub fn heal(&self) {
        let mut script = lock(&self.script);
        script.once.clear();
        script.from.clear();
    }

    /// How often an operation was called, failed calls among them.
    pub fn calls(&self, operation: Operation) -> usize {
        lock(&self.script).calls.get(&operation).copied().unwrap_or_default()
    }

    /// What is decorated.
    pub fn inner(&self) -> &S {
        &self.inner
    }
}

impl Script {
    fn next(&mut self, operation: Operation) -> Option<Failure> {
        let calls = self.calls.entry(operation).or_default();
        *calls = calls.saturating_add(1);
        let count = *calls;
        let once = self.once.iter().find(|(listed, nth, _)| *listed == operation && *nth == count);
        let from = || self.from.iter().find(|(listed, first, _)| *listed == operation && *first <= count);
        once.or_else(from).map(|(_, _, failure)| *failure)
    }
}

#[async_trait]
impl<S: Sync + Send> Around for Faulty<S> {
    async fn before(&self, call: &mut Call) -> Result<(), BackendError> {
        let Some(failure) = lock(&self.script).next(call.operation) else { return Ok(()) };
        let fault = BackendError {
            operation: call.operation.doing(),
            applied: failure.applied(),
            retry: Retry::Later,
            source: Box::new(ScriptedFault(failure)),
        };
        match failure {
            Failure::Refused | Failure::RequestLost => Err(fault),
            Failure::AnswerLost => {
                call.then = Some(fault);
                Ok(())
            }
        }
    }

    async fn after(&self, call: Call, _ok: bool) -> Result<(), BackendError> {
        call.then.map_or(Ok(()), Err)
    }
}

/// The source of an error that a script asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the script of the test says so ({0:?})")]
pub struct ScriptedFault(pub Failure);
