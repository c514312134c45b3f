//! One message on its way in, and what became of it.

use pm_mcp_domain::access::Credential;
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::request::Binding;

/// A message as a transport received it: framed and bounded, otherwise untouched.
#[derive(Clone, Copy, Debug)]
pub struct Inbound<'a> {
    /// The bytes of one message.
    pub bytes: &'a [u8],
    /// The binding it came by, with the headers where there are some.
    pub binding: Binding<'a>,
    /// Whom the message acts for where nobody has to show a token. Where tokens are asked for, it is what the token says.
    pub principal: &'a Principal,
    /// What the message brings along to show whom it acts for. The service looks into it, so that every transport gives
    /// the same answer.
    pub credential: Credential<'a>,
}

impl<'a> Inbound<'a> {
    /// A message for which the transport itself vouches, such as one of a process of the same user.
    pub const fn local(bytes: &'a [u8], binding: Binding<'a>, principal: &'a Principal) -> Self {
        Self { bytes, binding, principal, credential: Credential::Local }
    }
}

/// The answer to one request, serialised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The HTTP status that the binding gives it; other transports pass it over.
    pub status: u16,
    /// One JSON object without line breaks.
    pub body: Vec<u8>,
    /// The challenge to a caller that is kept out, for the header `WWW-Authenticate`; other transports pass it over.
    pub challenge: Option<Box<str>>,
    /// The code of the error that the body tells, for whoever counts; `None` for a result.
    pub error: Option<ErrorCode>,
}

impl Answer {
    /// A result, without a challenge.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, body: body.into(), challenge: None, error: None }
    }

    /// An error, without a challenge.
    pub fn error(status: u16, code: ErrorCode, body: impl Into<Vec<u8>>) -> Self {
        Self { error: Some(code), ..Self::new(status, body) }
    }
}

/// What became of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Served {
    /// It was a request: send the answer.
    Answered(Answer),
    /// It was a notification: there is nothing to send.
    Accepted,
    /// It was a request that was cancelled meanwhile: nothing may be sent.
    Cancelled,
    /// It was a request that became a stream, which the outbox [carries](super::Outbox::carry) from here on.
    HandedOver,
}
