//! Writing answers.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use pm_mcp_domain::fault::{
    ErrorCode, ErrorResponse, Refusal, Rejection, denial_json, refusal_json, rejection_json,
};
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::wire::{JsonSink, ResultResponse, WrittenResult};
use pm_mcp_ports::driving::Answer;
use pm_mcp_ports::feature::HandlerFault;
use serde::Serialize;
use serde_json::Value;
use tracing::error;

use crate::access::Gate;
use crate::failure::Failure;

/// Writes a response with HTTP status 200.
pub(crate) fn answer<R: WrittenResult>(response: &ResultResponse<'_, R>) -> Result<Answer, Failure> {
    let mut body = Body(Vec::with_capacity(response.size_hint()));
    response.write_to(&mut body).map_err(|fault| Failure::Handler(HandlerFault::internal(fault)))?;
    Ok(Answer::new(200, body.0))
}

/// The bytes of an answer.
struct Body(Vec<u8>);

impl JsonSink for Body {
    type Error = serde_json::Error;

    fn text(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), serde_json::Error> {
        serde_json::to_writer(&mut self.0, value)
    }
}

/// Writes the answer to a message that was refused before dispatch.
pub(crate) fn rejected(id: Option<RequestId<'_>>, rejection: &Rejection) -> Answer {
    Answer::error(rejection.http_status(), rejection.code(), rejection_json(id, rejection))
}

/// Writes the answer to a request that gets no result. `not_found` is the refusal when a handler finds nothing.
///
/// Errors of handlers travel in band with status 200; the codes that the revision ties to status 400 keep it.
pub(crate) fn failed(
    id: RequestId<'_>,
    failure: Failure,
    gate: Option<&Gate>,
    not_found: impl FnOnce() -> Refusal,
) -> Answer {
    let refused =
        |refusal: &Refusal| Answer::error(200, refusal.code(), refusal_json(id, refusal).into_bytes());
    match failure {
        Failure::Rejected(rejection) => rejected(Some(id), &rejection),
        Failure::Refused(refusal) => refused(&refusal),
        Failure::Denied(denial, needs) => match gate {
            Some(gate) => gate.denied(Some(id), &denial, &needs),
            // Only a gate denies.
            None => Answer::error(denial.http_status(), denial.code(), denial_json(Some(id), &denial)),
        },
        Failure::Handler(HandlerFault::NotFound) => refused(&not_found()),
        Failure::Handler(HandlerFault::InvalidArgument(message)) => refused(&Refusal::Unusable(message)),
        Failure::Handler(HandlerFault::InvalidCursor) => refused(&Refusal::InvalidCursor),
        Failure::Handler(HandlerFault::MissingCapability(capability)) => {
            rejected(Some(id), &Rejection::MissingCapability(capability))
        }
        Failure::Handler(fault) => {
            let (code, message, data) = describe(&fault);
            let status = if code.is_reserved_for_400() { 400 } else { 200 };
            error_answer(status, &ErrorResponse { id: Some(id), code, message: &message, data })
        }
    }
}

/// Code, words and data of a handler's fault. What failed inside the server is told to the log; the peer reads where to
/// look.
pub(crate) fn describe(fault: &HandlerFault) -> (ErrorCode, String, Option<Value>) {
    let code = code(fault);
    match fault {
        HandlerFault::Protocol { message, data, .. } => (code, message.clone(), data.clone()),
        HandlerFault::Internal(source) => (code, internal(&**source), None),
        HandlerFault::MissingCapability(capability) => {
            let required = serde_json::from_str(&capability.as_json()).unwrap_or(Value::Null);
            let data = serde_json::json!({ "requiredCapabilities": required });
            (code, fault.to_string(), Some(data))
        }
        HandlerFault::NotFound
        | HandlerFault::InvalidArgument(_)
        | HandlerFault::InvalidCursor
        | HandlerFault::CannotAsk
        | HandlerFault::Declined(_)
        | HandlerFault::Busy(_)
        | HandlerFault::TimedOut { .. }
        | HandlerFault::AwaitingInput => (code, fault.to_string(), None),
    }
}

/// The code of a handler's fault.
pub(crate) fn code(fault: &HandlerFault) -> ErrorCode {
    match fault {
        HandlerFault::Protocol { code, .. } => *code,
        HandlerFault::MissingCapability(_) => ErrorCode::MISSING_CAPABILITY,
        HandlerFault::NotFound
        | HandlerFault::InvalidArgument(_)
        | HandlerFault::InvalidCursor
        | HandlerFault::CannotAsk
        | HandlerFault::Declined(_) => ErrorCode::INVALID_PARAMS,
        HandlerFault::Internal(_)
        | HandlerFault::Busy(_)
        | HandlerFault::TimedOut { .. }
        | HandlerFault::AwaitingInput => ErrorCode::INTERNAL,
    }
}

/// The peer reads where to look, the log what happened.
fn internal(source: &(dyn Error + Send + Sync)) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let correlation = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut causes = source.to_string();
    let mut next = source.source();
    while let Some(cause) = next {
        // Writing to a string cannot fail.
        write!(causes, ": {cause}").unwrap_or_default();
        next = cause.source();
    }
    error!(correlation, cause = %causes, "a request failed inside the server");
    format!("internal error; the server's log has the cause under correlation={correlation}")
}

fn error_answer(status: u16, response: &ErrorResponse<'_, Value>) -> Answer {
    match serde_json::to_vec(response) {
        Ok(body) => Answer::error(status, response.code, body),
        Err(_) => {
            let body = br#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal error"}}"#.to_vec();
            Answer::error(200, ErrorCode::INTERNAL, body)
        }
    }
}
