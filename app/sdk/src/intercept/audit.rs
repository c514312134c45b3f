//! A record of every operation.

use std::time::Duration;

use pm_mcp_ports::feature::{Interceptor, Operation, Outcome};
use tracing::info;

/// How much of a name that a client made up is recorded, in characters.
const LONGEST_NAME: usize = 256;

/// Records the end of every operation as one `tracing` event of level `INFO` and target `pm_mcp::audit`. Arguments,
/// results, answers and tokens are never part of it.
///
/// | Field | Holds |
/// |---|---|
/// | `method` | the request's method |
/// | `name` | the tool, prompt, resource or task that it names, shortened to 256 characters |
/// | `principal` | whom it acts for |
/// | `client` | what the client calls itself; a label, not to be trusted |
/// | `trace` | the trace that the request belongs to |
/// | `task` | the task whose work has ended, or that a call became |
/// | `outcome` | [`Outcome::as_str`] |
/// | `code` | the error's code, where there was one |
/// | `took_ms` | how long it took, in milliseconds |
///
/// Add it first, so that what other interceptors refuse is recorded as well.
#[derive(Clone, Copy, Default, Debug)]
#[non_exhaustive]
pub struct AuditRecord;

impl AuditRecord {
    /// A record of every operation.
    pub fn new() -> Self {
        Self
    }
}

impl Interceptor for AuditRecord {
    fn after(&self, operation: &Operation, outcome: &Outcome, took: Duration) {
        let Operation { method, name, caller, task, .. } = operation;
        let became = match outcome {
            Outcome::Task { id } => Some(id.as_str()),
            _ => None,
        };
        info!(
            target: "pm_mcp::audit",
            method = method.as_str(),
            name = name.as_deref().map(shortened),
            principal = caller.principal.as_str(),
            client = caller.client.as_ref().map(|client| shortened(&client.name)),
            trace = caller.trace.parent.as_ref().map(tracing::field::display),
            task = task.as_deref().or(became),
            outcome = outcome.as_str(),
            code = outcome.code().map(|code| code.0),
            took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            "an operation has ended"
        );
    }
}

fn shortened(name: &str) -> &str {
    match name.char_indices().nth(LONGEST_NAME) {
        None => name,
        Some((end, _)) => name.get(..end).unwrap_or_default(),
    }
}
