//! What a tool gives back.

use std::error::Error;
use std::fmt;

use pm_mcp_domain::wire::{CallToolResult, ContentBlock};
use pm_mcp_ports::feature::HandlerFault;
use serde::Serialize;
use serde_json::Value;

/// The result of a tool: content for the model and, if there is any, the same as data.
///
/// ```
/// use pm_mcp::{ContentBlock, Output};
/// let output = Output::text("two pictures").with(ContentBlock::image("iVBORw0K", "image/png"));
/// # let _ = output;
/// ```
#[derive(Debug, Default)]
pub struct Output {
    result: CallToolResult,
    unwritable: Option<serde_json::Error>,
}

impl Output {
    /// One block of text.
    pub fn text(text: impl Into<String>) -> Self {
        // Most results have one block, and room for one is all that a list of one takes.
        let result = CallToolResult { content: vec![ContentBlock::text(text)], ..CallToolResult::default() };
        Self { result, unwritable: None }
    }

    /// Data as structured content, and the same as compact JSON in one block of text. A value that cannot be written
    /// as JSON becomes an internal error of the call.
    pub fn json(value: impl Serialize) -> Self {
        let written =
            serde_json::to_value(value).and_then(|value| Ok((serde_json::to_string(&value)?, value)));
        match written {
            Ok((text, value)) => Self::text(text).structured(value),
            Err(fault) => Self { unwritable: Some(fault), ..Self::default() },
        }
    }

    /// Adds a block of content.
    #[must_use]
    pub fn with(mut self, block: ContentBlock) -> Self {
        self.result.content.push(block);
        self
    }

    /// Sets the structured content, any JSON value.
    #[must_use]
    pub fn structured(mut self, value: Value) -> Self {
        self.result.structured_content = Some(value);
        self
    }

    /// Says that the tool ran and failed; the content tells the model why.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.result.is_error = true;
        self
    }

    pub(crate) fn into_result(self) -> Result<CallToolResult, HandlerFault> {
        match self.unwritable {
            None => Ok(self.result),
            Some(fault) => Err(HandlerFault::internal(fault)),
        }
    }
}

/// Why a tool gives no output.
///
/// Any error turns into one with `?` and reaches the model as a failed result with the error's text. A
/// [`HandlerFault`] stays what it is: an error of the request.
pub enum ToolError {
    /// The tool ran and failed; the model reads this.
    Failed(Box<Output>),
    /// The request or the server is at fault.
    Fault(HandlerFault),
}

impl ToolError {
    /// A failure with this text for the model.
    pub fn failed(text: impl Into<String>) -> Self {
        Self::Failed(Box::new(Output::text(text)))
    }

    pub(crate) fn into_result(self) -> Result<CallToolResult, HandlerFault> {
        match self {
            Self::Failed(output) => output.failed().into_result(),
            Self::Fault(fault) => Err(fault),
        }
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(output) => f.debug_tuple("Failed").field(output).finish(),
            Self::Fault(fault) => f.debug_tuple("Fault").field(fault).finish(),
        }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        let error: Box<dyn Error + Send + Sync> = Box::new(error);
        match error.downcast::<HandlerFault>() {
            Ok(fault) => match *fault {
                HandlerFault::Declined(_) => Self::failed("The user did not agree, so nothing was done."),
                fault => Self::Fault(fault),
            },
            Err(error) => Self::failed(error.to_string()),
        }
    }
}
