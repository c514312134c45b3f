//! Grants in memory, by token.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use async_trait::async_trait;
use pm_mcp_domain::access::{Grant, PresentedToken};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};
use thiserror::Error;

use crate::poison::lock;

/// Knows the tokens that it was told, as they are: the readable reference of the port, for tests and examples. It keeps
/// tokens in the clear; a deployment takes a verifier that does not.
#[derive(Default)]
pub struct MemoryTokenVerifier {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    grants: BTreeMap<String, Grant>,
    out: bool,
}

impl MemoryTokenVerifier {
    /// Has `token` stand for `grant` from now on.
    pub fn issue(&self, token: &str, grant: Grant) {
        lock(&self.known).grants.insert(token.to_owned(), grant);
    }

    /// Takes a token back; says whether it was known.
    pub fn revoke(&self, token: &str) -> bool {
        lock(&self.known).grants.remove(token).is_some()
    }

    /// Whether the issuer cannot be reached from now on.
    pub fn set_unavailable(&self, unavailable: bool) {
        lock(&self.known).out = unavailable;
    }
}

impl fmt::Debug for MemoryTokenVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens = lock(&self.known).grants.len();
        f.debug_struct("MemoryTokenVerifier").field("tokens", &tokens).finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a verifier answers every call of the port itself")]
#[async_trait]
impl TokenVerifier for MemoryTokenVerifier {
    async fn verify(&self, token: &PresentedToken, _now: Timestamp) -> Result<Grant, VerifyError> {
        let known = lock(&self.known);
        if known.out {
            return Err(VerifyError::unavailable(IssuerOut));
        }
        known.grants.get(token.expose()).cloned().ok_or_else(|| VerifyError::invalid(UnknownToken))
    }
}

/// The token was not issued here, or was taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the token was not issued here, or was taken back")]
pub struct UnknownToken;

/// The issuer cannot be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the issuer cannot be reached")]
pub struct IssuerOut;
