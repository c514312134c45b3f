//! Prompts.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::wire::{GetPromptResult, Prompt, PromptArgument, PromptMessage};
use pm_mcp_engine::PromptSpec;
use pm_mcp_ports::feature::{Completer, Context, HandlerFault, PromptHandler};

use crate::access::EntryScopes;
use crate::builder::BuildError;
use crate::template::CompleteWith;

/// Starts a prompt; [`PromptDraft::handler`] finishes it.
///
/// `name` has 1 to 128 characters of `A-Z a-z 0-9 _ . - /`.
///
/// ```
/// use pm_mcp::{PromptMessage, Server, prompt};
///
/// let review = prompt("review", "Asks for a review.")
///     .required_argument("file", "Which file.")
///     .complete("file", |_, typed, _| async move {
///         let known = ["main.rs", "lib.rs"].into_iter().filter(|name| name.starts_with(&typed));
///         Ok(known.map(str::to_owned).collect())
///     })
///     .handler(|_, arguments| async move {
///         Ok(vec![PromptMessage::user(format!("Review {}.", arguments["file"]))])
///     });
/// let server = Server::builder("demo", "1").prompt(review).build()?;
/// # let _ = server;
/// # Ok::<(), pm_mcp::BuildError>(())
/// ```
pub fn prompt(name: impl Into<String>, description: impl Into<String>) -> PromptDraft {
    PromptDraft {
        prompt: Prompt { name: name.into(), description: Some(description.into()), ..Prompt::default() },
        completers: BTreeMap::new(),
        scopes: EntryScopes::default(),
    }
}

/// A prompt without its handler.
#[derive(Debug)]
pub struct PromptDraft {
    prompt: Prompt,
    completers: BTreeMap<String, Arc<dyn Completer>>,
    scopes: EntryScopes,
}

impl PromptDraft {
    /// The prompt's name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.prompt.title = Some(title.into());
        self
    }

    /// An argument that may be left out.
    #[must_use]
    pub fn argument(self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.with_argument(name.into(), description.into(), false)
    }

    /// An argument that must be given.
    #[must_use]
    pub fn required_argument(self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.with_argument(name.into(), description.into(), true)
    }

    fn with_argument(mut self, name: String, description: String, required: bool) -> Self {
        self.prompt.arguments.push(PromptArgument { name, description: Some(description), required });
        self
    }

    /// Completes an argument: `complete` gets what is typed so far and the values of other arguments.
    #[must_use]
    pub fn complete<F, Fut>(mut self, argument: impl Into<String>, complete: F) -> Self
    where
        F: Fn(Context, String, BTreeMap<String, String>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<String>, HandlerFault>> + Send + 'static,
    {
        self.completers.insert(argument.into(), Arc::new(CompleteWith(complete)));
        self
    }

    /// Asks for these scopes, with spaces between, of whoever gets the prompt or completes its arguments.
    #[must_use]
    pub fn scope(mut self, scopes: &str) -> Self {
        self.scopes.add(scopes);
        self
    }

    /// Finishes the prompt with what writes its messages. Every required argument is there, and no undeclared one.
    pub fn handler<F, Fut>(self, write: F) -> PromptEntry
    where
        F: Fn(Context, BTreeMap<String, String>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<PromptMessage>, HandlerFault>> + Send + 'static,
    {
        let handler = Arc::new(Writer { description: self.prompt.description.clone(), write });
        let spec = PromptSpec {
            prompt: self.prompt,
            handler,
            completers: self.completers,
            scopes: Scopes::default(),
        };
        PromptEntry { spec, scopes: self.scopes }
    }
}

/// A prompt, ready for [`ServerBuilder::prompt`](crate::ServerBuilder::prompt).
#[derive(Debug)]
pub struct PromptEntry {
    spec: PromptSpec,
    scopes: EntryScopes,
}

impl PromptEntry {
    pub(crate) fn into_spec(self) -> Result<PromptSpec, BuildError> {
        Ok(PromptSpec { scopes: self.scopes.finish()?, ..self.spec })
    }
}

/// A handler from a closure.
struct Writer<F> {
    description: Option<String>,
    write: F,
}

impl<F> fmt::Debug for Writer<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("description", &self.description).finish_non_exhaustive()
    }
}

#[async_trait]
impl<F, Fut> PromptHandler for Writer<F>
where
    F: Fn(Context, BTreeMap<String, String>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<PromptMessage>, HandlerFault>> + Send + 'static,
{
    async fn get(
        &self,
        context: Context,
        arguments: BTreeMap<String, String>,
    ) -> Result<GetPromptResult, HandlerFault> {
        let messages = (self.write)(context, arguments).await?;
        Ok(GetPromptResult { description: self.description.clone(), messages })
    }
}
