//! A request that a server refused.

use pm_mcp_domain::authorization::Secret;

/// What a client knows of a refused request.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<'a> {
    /// The status: 401 or 403.
    pub status: u16,
    /// The values of `WWW-Authenticate`, in their order.
    pub challenges: &'a [&'a str],
    /// The token that the request carried, as [`Authorizer::token`](crate::Authorizer::token) gave it.
    pub token: Option<&'a Secret>,
    /// What was asked, in words that tell operations apart, such as `tools/call deploy`. Authorizations are counted by it.
    pub operation: &'a str,
}
