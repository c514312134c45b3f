//! Why a grant is not enough.

use thiserror::Error;

use super::scope::Scopes;

/// Why a grant is refused. The words are for the peer: they say what is wrong with the token and repeat nothing of it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AccessRefusal {
    /// The issuer is none of those that the server trusts, letter for letter.
    #[error("the token is from an issuer that this server does not trust")]
    OtherIssuer,
    /// This resource is not among the audiences, letter for letter.
    #[error("the token was issued for another resource")]
    OtherAudience,
    /// The token names nobody.
    #[error("the token has no subject")]
    NoSubject,
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
    /// Its time has not come.
    #[error("the token is not valid yet")]
    NotYetValid,
    /// It allows too little.
    #[error("the operation needs the scopes: {needs}")]
    InsufficientScope {
        /// All that the operation needs.
        needs: Scopes,
    },
}
