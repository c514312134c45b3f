//! Tools.

use std::fmt::Debug;

use async_trait::async_trait;
use pm_mcp_domain::wire::CallToolResult;
use serde_json::Value;

use super::context::Context;
use super::fault::HandlerFault;

/// Runs one tool. Its description is given beside it, when the catalogue is built.
#[async_trait]
pub trait ToolHandler: Debug + Send + Sync + 'static {
    /// Runs the tool with arguments that fit its input schema.
    ///
    /// If the future is dropped the call was cancelled: whatever must not stop half way belongs into a task of its own.
    ///
    /// # Errors
    ///
    /// A [`HandlerFault`] only for what is wrong with the request or the server. A tool that ran and failed returns a
    /// result with `is_error`, so that the model can read why.
    async fn call(&self, context: Context, arguments: Value) -> Result<CallToolResult, HandlerFault>;
}
