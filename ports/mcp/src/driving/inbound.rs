//! One message on its way in, and what became of it.

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::request::Binding;

/// A message as a transport received it: framed and bounded, otherwise untouched.
#[derive(Clone, Copy, Debug)]
pub struct Inbound<'a> {
    /// The bytes of one message.
    pub bytes: &'a [u8],
    /// The binding it came by, with the headers where there are some.
    pub binding: Binding<'a>,
    /// Whom the message acts for.
    pub principal: &'a Principal,
}

/// The answer to one request, serialised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The HTTP status that the binding gives it; other transports pass it over.
    pub status: u16,
    /// One JSON object without line breaks.
    pub body: Vec<u8>,
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
}
