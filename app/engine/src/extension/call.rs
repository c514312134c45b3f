//! A call of an extension's method.

use std::sync::Arc;

use pm_mcp_domain::fault::{ArgumentFault, Refusal};
use pm_mcp_domain::request::{ExtensionParts, Method};
use pm_mcp_domain::wire::{ResultResponse, complete_result};
use pm_mcp_ports::driven::CompiledSchema;
use pm_mcp_ports::driving::{Outbox, Served};
use pm_mcp_ports::feature::{Context, HandlerFault, ResultMut};
use serde_json::{Map, Value};
use thiserror::Error;

use super::table::MethodEntry;
use crate::answer::answer;
use crate::exchange::{Driven, HandlerFuture, Request};
use crate::failure::Failure;
use crate::unwind::guard;

/// How many violations one refusal tells.
const VIOLATIONS: usize = 8;

/// A result breaks the schema that its method promises.
#[derive(Debug, Error)]
#[error("the result of method {method:?} does not match its schema: {violation}")]
struct ResultMismatch {
    method: &'static str,
    violation: String,
}

impl Request<'_> {
    /// Serves a method of an extension. That the request may use it has been seen to.
    pub(crate) async fn call_extension(
        &self,
        message: &str,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let Method::Extension(method) = self.method else {
            return Err(HandlerFault::internal("the method belongs to no extension").into());
        };
        let entry = self.core.extensions.method(method).ok_or(HandlerFault::NotFound)?;
        let params = params(message, entry)?;
        let exchange = Arc::new(self.plain_exchange());
        let (handler, context) = (Arc::clone(&entry.handler), Context::new(Arc::clone(&exchange) as Arc<_>));
        let mut work: HandlerFuture<Map<String, Value>> =
            Box::pin(guard("the handler", async move { handler.call(context, params).await }));
        let driven = self.drive(&exchange, work.as_mut(), outbox).await;
        let mut result = match driven {
            Driven::PeerGone => return Ok(Served::Cancelled),
            Driven::Done(done) => done?,
        };
        self.alter(ResultMut::Extension(method, &mut result))?;
        let whole = Value::Object(result);
        if !entry.result.is_valid(&whole) {
            let violation = violations(&*entry.result, &whole, 1).pop();
            let violation = violation.map_or_else(String::new, |at| format!("{} {}", at.pointer, at.message));
            let mismatch = ResultMismatch { method: method.as_str(), violation };
            return Err(HandlerFault::internal(mismatch).into());
        }
        let Value::Object(result) = whole else { return Err(HandlerFault::internal("no object").into()) };
        let result = complete_result(&self.core.identity, result).map_err(HandlerFault::internal)?;
        answer(&ResultResponse::composed(self.id, &result)).map(Served::Answered)
    }
}

/// The parameters of the message, if they fit.
fn params(message: &str, entry: &MethodEntry) -> Result<Map<String, Value>, Refusal> {
    let raw = ExtensionParts::read(message).params.map_or("{}", |raw| raw.get());
    let unreadable = |fault| Refusal::Unusable(format!("params cannot be read: {fault}"));
    let mut params: Map<String, Value> = serde_json::from_str(raw).map_err(unreadable)?;
    params.remove("_meta");
    let whole = Value::Object(params);
    if !entry.params.is_valid(&whole) {
        return Err(Refusal::InvalidParams(violations(&*entry.params, &whole, VIOLATIONS)));
    }
    match whole {
        Value::Object(params) => Ok(params),
        _ => Ok(Map::new()),
    }
}

fn violations(schema: &dyn CompiledSchema, instance: &Value, limit: usize) -> Vec<ArgumentFault> {
    schema
        .violations(instance, limit)
        .into_iter()
        .map(|violation| ArgumentFault { pointer: violation.pointer, message: violation.message })
        .collect()
}
