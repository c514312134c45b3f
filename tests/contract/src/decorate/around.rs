//! What a decorator does before and after each operation.

use async_trait::async_trait;
use pm_mcp_ports::driven::BackendError;

use super::operation::Operation;

/// One call of an operation.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) operation: Operation,
    /// The id of the task that it is about; empty for lists, and for nonces, which are not to be shown.
    pub(super) key: String,
    /// What the caller is told after the operation had its effect.
    pub(super) then: Option<BackendError>,
}

impl Call {
    pub(super) fn new(operation: Operation, key: &str) -> Self {
        Self { operation, key: key.to_owned(), then: None }
    }
}

#[async_trait]
pub(super) trait Around {
    /// Before the effect; an error keeps it away.
    async fn before(&self, call: &mut Call) -> Result<(), BackendError>;

    /// After the effect.
    async fn after(&self, call: Call, ok: bool) -> Result<(), BackendError>;
}
