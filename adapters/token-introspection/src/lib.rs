//! Verifies access tokens by asking the authorization server about each
//! ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)).
//!
//! For tokens that only their issuer can read. [`IntrospectionVerifier`] is the `TokenVerifier`: it asks an
//! [`Endpoint`] with the [`ClientAuthentication`] of this server, and keeps each answer for a short while, by the hash of
//! the token, within [`Bounds`]. All who present one token at a time share one question.
//!
//! | The answer says | The verifier says |
//! |---|---|
//! | `active: true` | a grant; issuer, audience, time and scopes are weighed by the domain. A token without an audience is for nobody, so the endpoint must name one. `iss` may be missing, because the endpoint belongs to one issuer |
//! | `active: false` | invalid |
//! | `cnf`, or a `token_type` other than `Bearer` | invalid: a token that is bound to a key must not pass for one that anybody may bear |
//! | another status than 200, no JSON, nothing in time | unavailable: neither a grant nor a bad token |
//!
//! A token that was taken back is believed for as long as an answer is kept, and not longer.

mod answer;
mod answers;
mod bounds;
mod endpoint;
mod refusal;
mod verifier;

pub use bounds::Bounds;
pub use endpoint::{ClientAuthentication, ClientSecret, Endpoint};
pub use refusal::{IntrospectionError, IntrospectionRefusal};
pub use verifier::IntrospectionVerifier;
