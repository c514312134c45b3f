//! Why a token is not accepted.

use thiserror::Error;

/// Why a token is not accepted: for the log of the operator. Nothing of the token is repeated, except the name of an
/// algorithm that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TokenRefusal {
    /// It has not the form of a signed JWT.
    #[error("the token is no signed JWT: it must have three parts of base64url without padding")]
    Form,
    /// Its header or its claims are no JSON object, name a member twice, or are too large or nested too deeply.
    #[error("the {0} of the token is no JSON object that can be read in one way only")]
    Json(&'static str),
    /// Its algorithm is none that is accepted.
    #[error("the token's alg is none of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 and EdDSA")]
    Algorithm,
    /// Its type is that of something else than an access token.
    #[error("the token's typ is neither at+jwt nor JWT")]
    Type,
    /// Its header has a member that changes what the token means.
    #[error("the token's header has {0}, which is not accepted")]
    Header(&'static str),
    /// Its header has a member of the wrong type.
    #[error("the token's header has a {0} of the wrong type or size")]
    HeaderMember(&'static str),
    /// A claim is of the wrong type, or out of range.
    #[error("the token's claim {0} is of the wrong type or out of range")]
    Claim(&'static str),
    /// A claim that must be there is not.
    #[error("the token has no claim {0}")]
    NoClaim(&'static str),
    /// It is bound to a key that its bearer would have to prove.
    #[error("the token is bound to a key (cnf), which this verifier cannot have proven")]
    Bound,
    /// Nobody knows its issuer here.
    #[error("the token's issuer is none of those that are configured")]
    Issuer,
    /// None of the issuer's keys made its signature.
    #[error("no key of the issuer made the token's {0} signature")]
    Signature(&'static str),
}
