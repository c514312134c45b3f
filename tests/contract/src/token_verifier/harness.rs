//! How the kit gets at a token verifier, and at tokens to show it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Grant;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::TokenVerifier;

use crate::harness::HarnessError;

/// Tokens that the host knows all about.
#[derive(Clone)]
pub struct SampleTokens {
    /// The instant at which they are shown.
    pub now: Timestamp,
    /// Tokens that are good, with what the issuer put into each; at least one.
    pub good: Vec<(String, Grant)>,
    /// Tokens that are not: of another issuer, signed with another key, taken back, made up; at least one.
    pub invalid: Vec<String>,
    /// A token that was good and whose time is over at `now`, where the issuer sets an end.
    pub expired: Option<String>,
    /// What must show nowhere beside the tokens, such as the key of a client.
    pub secrets: Vec<String>,
}

impl fmt::Debug for SampleTokens {
    /// The tokens are not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SampleTokens").field("good", &self.good.len()).finish_non_exhaustive()
    }
}

/// Makes token verifiers to try.
#[async_trait]
pub trait TokenVerifierHarness: Send + Sync + 'static {
    /// What a fresh verifier stands on, such as a server that plays the issuer; dropping it cleans up.
    type Guard: Send + 'static;

    /// A verifier that has seen no token yet, and tokens for it.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    async fn fresh(&self) -> Result<(Arc<dyn TokenVerifier>, SampleTokens, Self::Guard), HarnessError>;

    /// A verifier that has seen no token yet and whose issuer cannot be reached, with tokens that are good; `None` for a
    /// verifier that needs nobody.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    async fn cut_off(
        &self,
    ) -> Result<Option<(Arc<dyn TokenVerifier>, SampleTokens, Self::Guard)>, HarnessError>;
}

/// A fresh verifier, tokens for it, and one that cannot reach its issuer.
pub struct FreshVerifier {
    pub(super) verifier: Arc<dyn TokenVerifier>,
    pub(super) samples: SampleTokens,
    pub(super) cut_off: Option<(Arc<dyn TokenVerifier>, SampleTokens)>,
    _places: [Box<dyn Any + Send>; 2],
}

impl FreshVerifier {
    /// A fresh verifier of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says, and when it has no samples.
    pub async fn of<H: TokenVerifierHarness>(harness: H) -> Result<Self, HarnessError> {
        let (verifier, samples, place) = harness.fresh().await?;
        if samples.good.is_empty() || samples.invalid.is_empty() {
            return Err("the harness has to give one good token and one that is not, or more".into());
        }
        let (cut_off, other_place): (_, Box<dyn Any + Send>) = match harness.cut_off().await? {
            None => (None, Box::new(())),
            Some((verifier, samples, place)) => (Some((verifier, samples)), Box::new(place)),
        };
        Ok(Self { verifier, samples, cut_off, _places: [Box::new(place), other_place] })
    }
}

impl fmt::Debug for FreshVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshVerifier").field("samples", &self.samples).finish_non_exhaustive()
    }
}

pub(super) fn skipped_without_end(fresh: &FreshVerifier) -> Option<&'static str> {
    fresh.samples.expired.is_none().then_some("the harness says that tokens do not end by themselves")
}

pub(super) fn skipped_without_issuer(fresh: &FreshVerifier) -> Option<&'static str> {
    fresh.cut_off.is_none().then_some("the harness says that the verifier needs nobody")
}
