//! Verifies access tokens that are JWTs ([RFC 9068](https://www.rfc-editor.org/rfc/rfc9068) and what providers make of
//! it), with the keys that their issuer publishes.
//!
//! [`JwtVerifier`] is the `TokenVerifier`; its keys come from a `KeySource`: [`StaticKeys`] of a document that a host
//! has, or [`IssuerKeys`], which finds the keys of an issuer over HTTPS and keeps them for a while, by a [`Schedule`].
//!
//! What is accepted:
//!
//! | Part | Rule |
//! |---|---|
//! | form | three parts of strict base64url; nested, encrypted and compressed tokens are refused |
//! | `alg` | RS256, RS384, RS512, PS256, PS384, PS512 with RSA keys of 2048 to 8192 bits; ES256 with P-256; ES384 with P-384; EdDSA with Ed25519. There is no code for `none` or for shared secrets |
//! | `typ` | `at+jwt`, `JWT` or absent, because many providers say no more; any other type, such as that of a logout token, is refused |
//! | `crit`, `b64`, `zip`, `enc`, `cty` | refused: nothing that changes the meaning of a token is understood |
//! | `jwk`, `jku`, `x5c`, `x5u` | never looked at: a token does not bring its own keys |
//! | `kid` | picks the keys of that name; without one, each key that fits the algorithm is tried |
//! | `iss` | picks the issuer whose keys are tried, letter for letter |
//! | `exp` | must be there; fractions of a second are kept to the millisecond |
//! | `aud` | a text or an array of texts |
//! | scopes | `scope`, else `scp`, else `scopes`: a text with spaces between or an array of texts |
//! | client | `client_id`, else `azp` |
//! | `cnf` | refused: a token that is bound to a key must not pass for one that anybody may bear |
//!
//! Issuer, audience, time and scopes are weighed by the domain, for every verifier alike. A member that stands twice, a
//! claim of the wrong type and JSON that is nested too deeply refuse the token.
//!
//! A token that was verified is remembered by its hash, so that a client that calls often costs one signature check;
//! as soon as the issuer's keys change, all are checked again.

mod algorithm;
mod claims;
mod compact;
mod issuer;
mod json;
mod jwk;
mod refusal;
mod seen;
mod static_keys;
#[cfg(test)]
mod vectors;
mod verifier;

pub use issuer::{IssuerKeys, KeyLocation, LookError, Schedule};
pub use jwk::{JwksError, KeyFault, KeysOfSet, parse_jwks};
pub use refusal::TokenRefusal;
pub use static_keys::StaticKeys;
pub use verifier::JwtVerifier;
