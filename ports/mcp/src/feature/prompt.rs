//! Prompts, and completions of their arguments and of templates' variables.

use std::collections::BTreeMap;
use std::fmt::Debug;

use async_trait::async_trait;
use pm_mcp_domain::wire::{Completion, GetPromptResult};

use super::context::Context;
use super::fault::HandlerFault;

/// Writes one prompt.
#[async_trait]
pub trait PromptHandler: Debug + Send + Sync + 'static {
    /// The prompt's messages. Every required argument is there, and no undeclared one.
    ///
    /// # Errors
    ///
    /// A [`HandlerFault`] when an argument cannot be used or the server fails.
    async fn get(
        &self,
        context: Context,
        arguments: BTreeMap<String, String>,
    ) -> Result<GetPromptResult, HandlerFault>;
}

/// Completes one argument of a prompt, or one variable of a template.
#[async_trait]
pub trait Completer: Debug + Send + Sync + 'static {
    /// Values that begin like `value`, best first; `known` are the values of other arguments.
    ///
    /// # Errors
    ///
    /// A [`HandlerFault`] when the server fails; no value at all is an empty completion.
    async fn complete(
        &self,
        context: Context,
        value: &str,
        known: BTreeMap<String, String>,
    ) -> Result<Completion, HandlerFault>;
}
