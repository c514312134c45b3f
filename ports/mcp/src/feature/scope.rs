//! What a handler may do within the request that it serves; the engine's side of [`Context`](super::Context).

use async_trait::async_trait;
use pm_mcp_domain::continuation::{Answer, AnswerFault, InputKey, Question};
use pm_mcp_domain::subscription::Change;
use pm_mcp_domain::time::Timestamp;
use serde_json::Value;

use super::context::Caller;
use super::fault::HandlerFault;
use crate::driven::CursorSigner;

/// Says whether an answer that fits its question is of use; a fault asks again.
pub type CheckAnswer<'a> = &'a (dyn Fn(&Answer) -> Result<(), AnswerFault> + Sync);

/// One request, as its handler sees it. The handler does not know whether it runs on a request that is sent again with
/// the answer, or in a task that waits for it.
#[async_trait]
pub trait RequestScope: Send + Sync {
    /// Who calls.
    fn caller(&self) -> &Caller;

    /// The present instant.
    fn now(&self) -> Timestamp;

    /// Signer of the server's list cursors.
    fn cursors(&self) -> &dyn CursorSigner;

    /// The answer to a question, if there is one that fits and passes `check`.
    ///
    /// # Errors
    ///
    /// [`HandlerFault::AwaitingInput`] when the question has to travel to the client first: the engine then ends the
    /// request with it, and the handler runs again when the answer has come. In a task it waits instead.
    /// [`HandlerFault::MissingCapability`] when the request does not declare what the question needs,
    /// [`HandlerFault::CannotAsk`] where nothing can be asked.
    async fn ask(
        &self,
        key: InputKey,
        question: Question,
        check: CheckAnswer<'_>,
    ) -> Result<Answer, HandlerFault>;

    /// What an earlier round of this operation remembered under `name`.
    fn recall(&self, name: &str) -> Option<Value>;

    /// Remembers a value for the next round of this operation. The client carries it and can neither read nor change it.
    fn remember(&self, name: &str, value: Value);

    /// Reports how far the work is; nothing happens when the client did not ask for progress.
    fn progress(&self, progress: f64, total: Option<f64>, message: Option<String>);

    /// Goes on as a task from here, if the client can wait for one: its handle is the answer to the request.
    ///
    /// # Errors
    ///
    /// When the task cannot be made; the handler passes it on.
    async fn start_task(&self, message: Option<String>) -> Result<(), HandlerFault>;

    /// Whether the task of this work was cancelled; the work should then end soon.
    fn is_cancelled(&self) -> bool;

    /// Ready when the task of this work is cancelled; never for work that is no task.
    async fn cancelled(&self);

    /// Tells everyone who listens that something changed.
    fn publish(&self, change: Change);
}
