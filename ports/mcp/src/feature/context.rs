//! What a handler may know of the request that it serves, and do within it.

use std::fmt;
use std::sync::Arc;

use pm_mcp_domain::access::Authorized;
use pm_mcp_domain::continuation::{Answer, InputKey, Question};
use pm_mcp_domain::extension::{ExtensionId, ExtensionUse};
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::request::{ClientCapabilities, ClientCapability, ClientInfo};
use pm_mcp_domain::subscription::Change;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_domain::trace::TraceContext;
use serde_json::Value;

use super::ask::Ask;
use super::fault::HandlerFault;
use super::progress::{ProgressAmount, ProgressTotal, StatusMessage};
use super::scope::RequestScope;
use crate::driven::CursorSigner;

/// Who calls: the principal, and what its client says of itself.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Whom the request acts for.
    pub principal: Principal,
    /// What its token says and allows; `None` where nobody has to show one.
    pub access: Option<Arc<Authorized>>,
    /// What the client says of itself: labels, never a principal.
    pub client: Option<Arc<ClientInfo<'static>>>,
    /// What the client can do.
    pub capabilities: ClientCapabilities,
    /// Which trace the request belongs to. It holds for this request alone; what is spawned inherits it on purpose only.
    pub trace: TraceContext,
}

/// The context of one request. It holds for that request alone; cloning it is cheap.
#[derive(Clone)]
pub struct Context {
    scope: Arc<dyn RequestScope>,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("caller", self.caller()).finish_non_exhaustive()
    }
}

impl Context {
    /// The context of the request behind `scope`.
    pub fn new(scope: Arc<dyn RequestScope>) -> Self {
        Self { scope }
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        self.scope.caller()
    }

    /// The present instant, by the server's clock.
    pub fn now(&self) -> Timestamp {
        self.scope.now()
    }

    /// Signer of the server's list cursors, for handlers that page their own lists.
    pub fn cursors(&self) -> &dyn CursorSigner {
        self.scope.cursors()
    }

    /// Goes on only if the client can do what the operation needs.
    ///
    /// # Errors
    ///
    /// [`HandlerFault::MissingCapability`] when this request does not declare `capability`; pass it on with `?`.
    pub fn require(&self, capability: ClientCapability) -> Result<(), HandlerFault> {
        match self.caller().capabilities.declares(capability) {
            true => Ok(()),
            false => Err(HandlerFault::MissingCapability(capability)),
        }
    }

    /// What this request may do with an extension of the server's, and with which settings. A handler that only adds
    /// something for clients of the extension leaves it out for all others; one that cannot do without it goes through
    /// [`require`](Self::require).
    pub fn extension(&self, id: ExtensionId) -> ExtensionUse<'_> {
        self.caller().capabilities.extension(id)
    }

    /// Asks the client, under a key that is unique within the operation, and gives its answer.
    ///
    /// On a plain request the engine ends the request with the question and runs the handler from its beginning when the
    /// client comes back, with all answers so far: what comes before a question must be safe to do again. In a task the
    /// same line waits. To ask several things at once, ask them all before the first `?`, for example with
    /// `tokio::join!`.
    ///
    /// # Errors
    ///
    /// [`HandlerFault::AwaitingInput`] while there is no answer, [`HandlerFault::MissingCapability`] when the request
    /// does not declare what the question needs, [`HandlerFault::CannotAsk`] where nothing can be asked,
    /// [`HandlerFault::Declined`] when the user said no to a question that needs an answer. Pass them on with `?`.
    pub async fn ask<A: Ask>(&self, key: &str, ask: A) -> Result<A::Answer, HandlerFault> {
        let question = ask.question()?;
        let answer = self.ask_raw(key, question, |answer| ask.read(answer).map(drop)).await?;
        match ask.read(&answer) {
            Ok(read) => read,
            Err(fault) => Err(HandlerFault::internal(fault)),
        }
    }

    /// Asks the client and gives the answer as it came, after it passed `check`.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask), but for a user who said no: that is an answer here.
    pub async fn ask_raw(
        &self,
        key: &str,
        question: Question,
        check: impl Fn(&Answer) -> Result<(), pm_mcp_domain::continuation::AnswerFault> + Sync,
    ) -> Result<Answer, HandlerFault> {
        let key = InputKey::parse(key).map_err(HandlerFault::internal)?;
        self.scope.ask(key, question, &check).await
    }

    /// What an earlier round of this operation remembered under `name`.
    pub fn recall(&self, name: &str) -> Option<Value> {
        self.scope.recall(name)
    }

    /// Remembers a value for the next round of this operation. It travels sealed through the client; together with all
    /// answers it is bounded in size.
    pub fn remember(&self, name: &str, value: impl Into<Value>) {
        self.scope.remember(name, value.into());
    }

    /// Reports how far the work is. `progress` must grow from one report to the next; what does not is passed over.
    /// Nothing happens when the client did not ask for progress. In a task, `message` becomes its status message.
    ///
    /// ```
    /// # fn example(ctx: &pm_mcp_ports::feature::Context, files: &[String]) {
    /// for (done, file) in files.iter().enumerate() {
    ///     ctx.progress(done, files.len(), format!("reading {file}"));
    /// }
    /// ctx.progress(files.len(), None, "sorting");
    /// # }
    /// ```
    pub fn progress(
        &self,
        progress: impl Into<ProgressAmount>,
        total: impl Into<ProgressTotal>,
        message: impl Into<StatusMessage>,
    ) {
        let (progress, total) = (progress.into().as_f64(), total.into().as_f64());
        self.scope.progress(progress, total, message.into().into_text());
    }

    /// Goes on as a task from here, if the client can wait for one: its handle is the answer to the request, and
    /// questions from here on are answered through the task. For a client that cannot wait nothing changes.
    ///
    /// # Errors
    ///
    /// When the task cannot be made; pass it on with `?`.
    pub async fn start_task(&self, message: impl Into<StatusMessage>) -> Result<(), HandlerFault> {
        self.scope.start_task(message.into().into_text()).await
    }

    /// Whether the task of this work was cancelled; the work should then end soon.
    pub fn is_cancelled(&self) -> bool {
        self.scope.is_cancelled()
    }

    /// Ready when the task of this work is cancelled; never for work that is no task, which is simply dropped.
    pub async fn cancelled(&self) {
        self.scope.cancelled().await;
    }

    /// Tells everyone who listens that something changed.
    pub fn publish(&self, change: Change) {
        self.scope.publish(change);
    }

    /// Tells everyone who listens for exactly this URI that its resource was updated.
    pub fn resource_updated(&self, uri: impl Into<Arc<str>>) {
        self.publish(Change::ResourceUpdated { uri: uri.into() });
    }
}
