//! What is being done, for whom.

use pm_mcp_domain::request::Method;

use crate::feature::Caller;

/// One operation, as interceptors see it. It holds neither arguments nor answers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Operation {
    /// The request's method.
    pub method: Method,
    /// What the request names, as it was sent: the tool, the prompt, the resource's URI, the template or prompt whose
    /// argument is completed, the task's id. Nobody has looked yet whether it exists. Lists, discovery, streams and
    /// the methods of extensions name nothing.
    pub name: Option<String>,
    /// Whom the request acts for, and what its client says of itself.
    pub caller: Caller,
    /// The id of the task that a call became, once it has: what is told then concerns the work of the task.
    pub task: Option<String>,
}

impl Operation {
    /// An operation that is no task, or none yet.
    pub fn new(method: Method, name: Option<String>, caller: Caller) -> Self {
        Self { method, name, caller, task: None }
    }

    /// The same operation as the task with this id.
    #[must_use]
    pub fn as_task(&self, id: impl Into<String>) -> Self {
        Self { task: Some(id.into()), ..self.clone() }
    }
}
