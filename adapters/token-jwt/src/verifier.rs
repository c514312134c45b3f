//! From a token to a grant.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::{Grant, Issuer, PresentedToken};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{HttpFetch, KeySource, TokenVerifier, VerifyError};

use crate::claims::Claims;
use crate::compact::Compact;
use crate::issuer::{IssuerKeys, Schedule};
use crate::refusal::TokenRefusal;
use crate::seen::{self, Seen, Verified};

/// Verifies JWTs of one or several issuers.
///
/// ```no_run
/// use pm_mcp_domain::access::Issuer;
/// use pm_mcp_token_jwt::JwtVerifier;
/// # fn client() -> std::sync::Arc<dyn pm_mcp_ports::driven::HttpFetch> { unreachable!() }
///
/// let issuer = Issuer::parse("https://login.example")?;
/// let verifier = JwtVerifier::discover(&issuer, client());
/// # Ok::<(), pm_mcp_domain::access::AddressFault>(())
/// ```
pub struct JwtVerifier {
    issuers: BTreeMap<String, Arc<dyn KeySource>>,
    seen: Seen,
}

impl JwtVerifier {
    /// Tokens of this issuer, with keys that are found by its metadata and kept by the usual [`Schedule`]. Nothing is
    /// asked before the first token comes, or [`IssuerKeys`] is told to.
    pub fn discover(issuer: &Issuer, fetch: Arc<dyn HttpFetch>) -> Self {
        Self::new(issuer, IssuerKeys::discover(issuer, fetch, Schedule::default()))
    }

    /// Tokens of this issuer, with keys of this source.
    pub fn new(issuer: &Issuer, keys: impl KeySource) -> Self {
        Self { issuers: BTreeMap::new(), seen: Seen::default() }.with_issuer(issuer, keys)
    }

    /// Tokens of this issuer as well. Keys of one issuer never make a token of another one good.
    #[must_use]
    pub fn with_issuer(mut self, issuer: &Issuer, keys: impl KeySource) -> Self {
        self.issuers.insert(issuer.as_str().to_owned(), Arc::new(keys));
        self
    }

    async fn checked(&self, token: &str, now: Timestamp) -> Result<Verified, VerifyError> {
        let compact = Compact::parse(token).map_err(VerifyError::invalid)?;
        let claims = Claims::parse(compact.claims()).map_err(VerifyError::invalid)?;
        let source =
            self.source(claims.issuer()).ok_or_else(|| VerifyError::invalid(TokenRefusal::Issuer))?;
        let mut keys = source.keys(now).await.map_err(VerifyError::unavailable)?;
        if !compact.is_signed_by(&keys) {
            // The issuer may have changed its keys; the source bounds how often it is asked.
            let newer = source.newer(&keys, now).await.map_err(VerifyError::unavailable)?;
            keys = newer
                .filter(|newer| compact.is_signed_by(newer))
                .ok_or_else(|| VerifyError::invalid(TokenRefusal::Signature(compact.algorithm().name())))?;
        }
        let grant = claims.into_grant().map_err(VerifyError::invalid)?;
        Ok(Verified { grant, keys })
    }

    fn source(&self, issuer: &str) -> Option<&Arc<dyn KeySource>> {
        self.issuers.get(issuer)
    }
}

#[deny(clippy::missing_trait_methods, reason = "a verifier answers every call of the port itself")]
#[async_trait]
impl TokenVerifier for JwtVerifier {
    /// A grant names the end of the token; whether it has come is weighed by the domain, with the leeway of the host.
    async fn verify(&self, token: &PresentedToken, now: Timestamp) -> Result<Grant, VerifyError> {
        let hash = seen::hash(token.expose());
        if let Some(known) = self.seen.find(&hash)
            && let Some(source) = self.source(&known.grant.issuer)
        {
            let keys = source.keys(now).await.map_err(VerifyError::unavailable)?;
            if Arc::ptr_eq(&keys, &known.keys) {
                return Ok(known.grant);
            }
            self.seen.forget(&hash);
        }
        let verified = self.checked(token.expose(), now).await?;
        self.seen.keep(hash, verified.clone());
        Ok(verified.grant)
    }
}

impl fmt::Debug for JwtVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuers: Vec<&String> = self.issuers.keys().collect();
        f.debug_struct("JwtVerifier").field("issuers", &issuers).finish_non_exhaustive()
    }
}
