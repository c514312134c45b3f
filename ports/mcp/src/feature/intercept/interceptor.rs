//! The port around every operation.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::operation::Operation;
use super::outcome::Outcome;
use super::pass::Pass;
use super::result::ResultMut;
use crate::feature::HandlerFault;

/// Stands around operations, of the whole server or of one tool, to refuse, bound, redact or record them.
///
/// An operation begins once a request was admitted and its method is offered. It ends with its answer; a stream of
/// changes ends when it is closed. A call that goes on as a task ends twice: the request with [`Outcome::Task`], then the
/// work, with [`Operation::task`] set.
///
/// # Laws
///
/// - IC-01: interceptors nest. The server's come first, in the order in which they were added, then those of the tool;
///   `before` runs in this order, `result` and `after` in the reverse one.
/// - IC-02: when a `before` refuses, neither the handler nor any `before` further in runs, and the refusal is placed
///   among the errors of handlers.
/// - IC-03: whoever let an operation in hears of its end exactly once, whether it completed, was refused further in or by
///   the engine, failed, or was cancelled, also by being dropped. Whoever refused it, or was still deciding, does not.
/// - IC-04: what a [`Pass`] holds is held until its interceptor heard of the last end: that of the task, where the call
///   became one, even if the task was cancelled and its handler works on.
/// - IC-05: `result` runs after the handler and before all checks of what it gave; it runs for results alone, never for
///   questions, handles or errors. What the task store gets has passed it.
/// - IC-06: a panic in `before` or `result` fails its own request with an internal error. A panic in `after` changes
///   nothing that was done: it is told to the log, and those further out hear of the end all the same.
/// - IC-07: where nothing is added, nothing is allocated and no clock is read.
///
/// Each method may be called for any number of operations at once.
///
/// ```
/// use pm_mcp_ports::feature::{HandlerFault, Interceptor, Operation, Pass};
///
/// /// Lets nobody call tools at night.
/// #[derive(Debug)]
/// struct Closed;
///
/// #[async_trait::async_trait]
/// impl Interceptor for Closed {
///     async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
///         match operation.method.as_str() {
///             "tools/call" => Err(HandlerFault::Busy("tools are closed; come back at 8:00".to_owned())),
///             _ => Ok(Pass::new()),
///         }
///     }
/// }
/// ```
#[async_trait]
pub trait Interceptor: Debug + Send + Sync + 'static {
    /// Lets an operation in, with what it asks for meanwhile, or refuses it. It may wait; the request's cancellation and
    /// the time bounds of interceptors further out drop the future.
    ///
    /// # Errors
    ///
    /// The [`HandlerFault`] that the caller gets instead of a result. [`HandlerFault::NotFound`] reads as if what the
    /// operation names did not exist.
    async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
        let _ = operation;
        Ok(Pass::new())
    }

    /// Looks at a result before it is written, and changes it if need be. What a tool promises of its output is checked
    /// afterwards.
    ///
    /// # Errors
    ///
    /// The [`HandlerFault`] that the caller gets instead of the result.
    fn result(&self, operation: &Operation, result: &mut ResultMut<'_>) -> Result<(), HandlerFault> {
        let _ = (operation, result);
        Ok(())
    }

    /// Hears how an operation ended, and how long that took since the first `before`.
    fn after(&self, operation: &Operation, outcome: &Outcome, took: Duration) {
        let _ = (operation, outcome, took);
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
impl<T: Interceptor + ?Sized> Interceptor for Arc<T> {
    async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
        T::before(self, operation).await
    }

    fn result(&self, operation: &Operation, result: &mut ResultMut<'_>) -> Result<(), HandlerFault> {
        T::result(self, operation, result)
    }

    fn after(&self, operation: &Operation, outcome: &Outcome, took: Duration) {
        T::after(self, operation, outcome, took);
    }
}
