//! Who may do what: tokens as they are presented, what a verifier found in them, and whether that is enough
//! ([Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization)).
//!
//! A verifier authenticates and says what it found, as a [`Grant`]. Everything after that is decided here, for every
//! verifier and every transport alike: [`AccessPolicy::authenticate`] looks at issuer, audience and time,
//! [`authorize`] at the scopes too. How a token is encoded or looked up is none of this module's business.

mod address;
mod authorize;
mod credential;
mod grant;
mod hierarchy;
mod needs;
mod refusal;
mod scope;
mod token;

pub use address::{AddressFault, Issuer, Resource};
pub use authorize::{AccessPolicy, Authorized, DEFAULT_LEEWAY, authorize};
pub use credential::{Credential, CredentialFault};
pub use grant::Grant;
pub use hierarchy::ScopeHierarchy;
pub use needs::MethodNeeds;
pub use refusal::AccessRefusal;
pub use scope::{Scope, ScopeFault, Scopes};
pub use token::{LONGEST_TOKEN, PresentedToken, TokenFault};
