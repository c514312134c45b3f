//! Why there is no grant.

use pm_mcp_ports::driven::FetchError;
use thiserror::Error;

/// Why a token is not accepted: for the log of the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum IntrospectionRefusal {
    /// The authorization server does not know it, or takes it back.
    #[error("the authorization server says that the token is not active")]
    Inactive,
    /// It is bound to a key that its bearer would have to prove.
    #[error("the token is bound to a key (cnf), which this verifier cannot have proven")]
    Bound,
    /// It is of another type than Bearer.
    #[error("the token's type is not Bearer")]
    Type,
}

/// Why nothing is known of a token.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IntrospectionError {
    /// The endpoint cannot be reached.
    #[error("the introspection endpoint cannot be asked")]
    Fetch(#[from] FetchError),
    /// It does not know this server, or not with this secret.
    #[error(
        "the introspection endpoint refuses the client of this server with status {0}; look at its id, its secret and how it is sent"
    )]
    Client(u16),
    /// It answered with another status than 200.
    #[error("the introspection endpoint answers with status {0}")]
    Status(u16),
    /// Its answer cannot be read.
    #[error("the answer of the introspection endpoint has no {0} of the right type")]
    Answer(&'static str),
    /// It did not answer in time.
    #[error("the introspection endpoint does not answer in time")]
    Late,
    /// It could not be reached a moment ago.
    #[error("the introspection endpoint could not be reached a moment ago")]
    Resting,
    /// The question was given up.
    #[error("the question to the introspection endpoint was given up")]
    GivenUp,
}
