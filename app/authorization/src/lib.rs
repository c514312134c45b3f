//! Authorization for clients of protected MCP servers
//! ([Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization)).
//!
//! An [`Authorizer`] stands between a client and one server. It gives the `Authorization` header of the next request, and
//! when the server refuses one, it does what is needed to get a better token, and says whether to send again. What to do
//! is decided by [`Flow`](pm_mcp_domain::authorization::Flow); here it is done, by four ports and the clock:
//!
//! | Port | For |
//! |---|---|
//! | [`HttpFetch`](pm_mcp_ports::driven::HttpFetch) | metadata, registration, tokens |
//! | [`CredentialStore`](pm_mcp_ports::driven::CredentialStore) | what is kept of each issuer |
//! | [`UserConsent`](pm_mcp_ports::driven::UserConsent) | the user |
//! | [`Entropy`](pm_mcp_ports::driven::Entropy) | code verifiers and states |
//!
//! Nothing is asked of anybody before a server has refused a request or a token is about to end. Whoever shares an
//! authorizer, or a store, waits while one of them gets a token, and then has it too.

mod authorizer;
mod drive;
mod error;
mod ports;
mod refusal;
mod session;

pub use authorizer::Authorizer;
pub use error::AuthorizeError;
pub use ports::Ports;
pub use refusal::Refusal;

/// The guide, whose examples compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/client-authorization.md")]
struct Guide;
