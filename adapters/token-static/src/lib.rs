//! Opaque tokens that are part of a deployment, for servers that stand alone or are being tried out.
//!
//! [`StaticTokenVerifier`] keeps a keyed SHA-256 digest of each token and compares digests in constant time; the tokens
//! themselves are forgotten at once. Such a token does not end by itself and is one caller whoever holds it: where people
//! sign in, take a verifier that asks their identity provider.

mod verifier;

pub use verifier::{StaticGrant, StaticTokenVerifier};
