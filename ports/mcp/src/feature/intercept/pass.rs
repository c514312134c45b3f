//! What an interceptor asks for when it lets an operation go on.

use std::fmt;
use std::time::Duration;

use pm_mcp_domain::fault::ErrorCode;

use crate::feature::HandlerFault;

/// Lets an operation go on.
#[derive(Default)]
pub struct Pass {
    held: Option<Box<dyn Send>>,
    bound: Option<TimeBound>,
}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { held, bound } = self;
        f.debug_struct("Pass").field("holds", &held.is_some()).field("bound", bound).finish()
    }
}

impl Pass {
    /// Asks for nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a value, such as a permit, until the operation has ended.
    #[must_use]
    pub fn holding(mut self, held: impl Send + 'static) -> Self {
        self.held = Some(Box::new(held));
        self
    }

    /// Ends the operation when it takes longer than this from now on. Where several bounds hold, the nearest ends it.
    #[must_use]
    pub fn within(mut self, bound: TimeBound) -> Self {
        self.bound = Some(bound);
        self
    }

    /// Takes the bound out.
    pub fn take_bound(&mut self) -> Option<TimeBound> {
        self.bound.take()
    }
}

/// How long an operation may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeBound {
    limit: Duration,
    name: String,
    with_tasks: bool,
}

impl TimeBound {
    /// A bound of this length for requests, known to callers by `name`. A task that a call becomes is not bound.
    pub fn new(name: impl Into<String>, limit: Duration) -> Self {
        Self { limit, name: name.into(), with_tasks: false }
    }

    /// Bounds the work of tasks as well: it is dropped when the time is up, and the task fails.
    #[must_use]
    pub fn with_tasks(mut self) -> Self {
        self.with_tasks = true;
        self
    }

    /// How long an operation may take, in whole milliseconds.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Whether it bounds the work of tasks as well.
    pub fn binds_tasks(&self) -> bool {
        self.with_tasks
    }

    /// What the caller gets when the time is up: an internal error that names the limit.
    pub fn fault(&self) -> HandlerFault {
        HandlerFault::Protocol {
            code: ErrorCode::INTERNAL,
            message: format!(
                "the request took longer than {} ms (limit {}); narrow it, or ask the server's operator to raise the \
                 limit",
                self.limit.as_millis(),
                self.name
            ),
            data: None,
        }
    }
}
