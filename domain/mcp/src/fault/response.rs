//! Error responses.

use alloc::string::{String, ToString};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::code::ErrorCode;
use super::denial::Denial;
use super::refusal::Refusal;
use super::rejection::Rejection;
use crate::ident::RequestId;

/// A JSON-RPC error response. The id is left out when the message had none that can be echoed.
#[derive(Clone, Copy, Debug)]
pub struct ErrorResponse<'a, D> {
    /// The id of the request.
    pub id: Option<RequestId<'a>>,
    /// The error's code.
    pub code: ErrorCode,
    /// What is wrong and what to change.
    pub message: &'a str,
    /// Structured data, if the error has some.
    pub data: Option<D>,
}

impl<D: Serialize> Serialize for ErrorResponse<'_, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Body<'a, D> {
            code: ErrorCode,
            message: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            data: Option<&'a D>,
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("jsonrpc", "2.0")?;
        if let Some(id) = &self.id {
            map.serialize_entry("id", id)?;
        }
        map.serialize_entry(
            "error",
            &Body { code: self.code, message: self.message, data: self.data.as_ref() },
        )?;
        map.end()
    }
}

/// A refusal as the error response that the peer reads, in JSON.
pub fn rejection_json(id: Option<RequestId<'_>>, rejection: &Rejection) -> String {
    let message = rejection.to_string();
    error_json(&ErrorResponse { id, code: rejection.code(), message: &message, data: rejection.data() })
}

/// A refusal of what a request names, as the error response that the peer reads, in JSON.
pub fn refusal_json(id: RequestId<'_>, refusal: &Refusal) -> String {
    let message = refusal.to_string();
    error_json(&ErrorResponse { id: Some(id), code: refusal.code(), message: &message, data: refusal.data() })
}

/// A caller's refusal as the error response that it reads, in JSON.
pub fn denial_json(id: Option<RequestId<'_>>, denial: &Denial) -> String {
    let message = denial.to_string();
    error_json(&ErrorResponse::<()> { id, code: denial.code(), message: &message, data: None })
}

fn error_json(response: &impl Serialize) -> String {
    serde_json::to_string(response).unwrap_or_else(|_| {
        String::from(r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal error"}}"#)
    })
}
