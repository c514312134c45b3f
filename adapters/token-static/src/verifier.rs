//! The verifier.

use std::fmt;

use async_trait::async_trait;
use pm_mcp_domain::access::{Grant, Issuer, PresentedToken, Resource, Scopes, TokenFault};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};
use ring::hmac;
use thiserror::Error;

/// Parts the digests kept here from digests of the same token elsewhere; it is no secret.
const PURPOSE: &[u8] = b"pm-mcp deployment token";

/// What a token of a deployment stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaticGrant {
    /// Who counts as its issuer: the one that the server trusts.
    pub issuer: Issuer,
    /// The server that it is for.
    pub resource: Resource,
    /// Whom it acts for.
    pub subject: String,
    /// What it allows.
    pub scopes: Scopes,
}

/// Knows the tokens of a deployment by their digests.
#[derive(Clone)]
pub struct StaticTokenVerifier {
    key: hmac::Key,
    tokens: Vec<(hmac::Tag, Grant)>,
}

impl StaticTokenVerifier {
    /// Knows one token.
    ///
    /// # Errors
    ///
    /// [`TokenFault`] when no client could present such a token; it repeats nothing of it.
    pub fn new(token: &str, grant: StaticGrant) -> Result<Self, TokenFault> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, PURPOSE);
        Self { key, tokens: Vec::new() }.and(token, grant)
    }

    /// Knows another token too, such as the next one while the last one is still in use.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn and(mut self, token: &str, grant: StaticGrant) -> Result<Self, TokenFault> {
        let token = PresentedToken::parse(token)?;
        let StaticGrant { issuer, resource, subject, scopes } = grant;
        let grant = Grant {
            issuer: issuer.as_str().to_owned(),
            subject,
            audiences: vec![resource.as_str().to_owned()],
            scopes,
            client: None,
            expires: None,
            not_before: None,
        };
        self.tokens.push((hmac::sign(&self.key, token.expose().as_bytes()), grant));
        Ok(self)
    }
}

impl fmt::Debug for StaticTokenVerifier {
    /// Neither tokens nor their digests are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticTokenVerifier").field("tokens", &self.tokens.len()).finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a verifier answers every call of the port itself")]
#[async_trait]
impl TokenVerifier for StaticTokenVerifier {
    async fn verify(&self, token: &PresentedToken, _now: Timestamp) -> Result<Grant, VerifyError> {
        let presented = token.expose().as_bytes();
        let mut found = None;
        // Every token is compared, so that time tells nothing of which one fits.
        for (tag, grant) in &self.tokens {
            if hmac::verify(&self.key, presented, tag.as_ref()).is_ok() {
                found = Some(grant);
            }
        }
        found.cloned().ok_or_else(|| VerifyError::invalid(NotOfThisDeployment))
    }
}

/// The token is none of this deployment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the token is none of this deployment")]
struct NotOfThisDeployment;
