//! How the kit gets at a key source, and at the issuer that it asks.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{KeySet, KeySource};

use crate::harness::HarnessError;

/// An issuer that the tests play, and what the source states about asking it.
pub trait PlayedIssuer: Send + Sync + 'static {
    /// From now on it publishes other keys, and none of those before; gives them.
    fn changes_its_keys(&self) -> KeySet;

    /// Whether it cannot be reached from now on.
    fn is_down(&self, down: bool);

    /// How often it was asked for its keys until now, counting a look of several requests once.
    fn asked(&self) -> usize;

    /// For how long keys are given out that can no longer be confirmed, counted from the last answer.
    fn serves_for(&self) -> Duration;

    /// The least time between two looks for newer keys, after an answer and after a failure; above zero.
    fn rest(&self) -> Duration;
}

/// Makes key sources to try.
#[async_trait]
pub trait KeySourceHarness: Send + Sync + 'static {
    /// What a fresh source stands on, such as a server that plays the issuer; dropping it cleans up.
    type Guard: Send + 'static;

    /// A source that was not asked yet, the keys of its issuer, and the issuer; `None` for a source that asks nobody.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    async fn fresh(
        &self,
    ) -> Result<(Arc<dyn KeySource>, KeySet, Option<Arc<dyn PlayedIssuer>>, Self::Guard), HarnessError>;
}

/// A fresh source and its issuer.
pub struct FreshKeys {
    pub(super) source: Arc<dyn KeySource>,
    pub(super) published: KeySet,
    pub(super) issuer: Option<Arc<dyn PlayedIssuer>>,
    pub(super) now: Timestamp,
    _place: Box<dyn Any + Send>,
}

impl FreshKeys {
    /// A fresh source of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says, and when its issuer has no keys or states no rest.
    pub async fn of<H: KeySourceHarness>(harness: H) -> Result<Self, HarnessError> {
        let (source, published, issuer, place) = harness.fresh().await?;
        if published.keys().is_empty() {
            return Err("the harness has to name one key of the issuer or more".into());
        }
        if issuer.as_ref().is_some_and(|issuer| issuer.rest().is_zero()) {
            return Err("the harness has to state a rest above zero".into());
        }
        let now = Timestamp::from_unix_ms(1_800_000_000_000);
        Ok(Self { source, published, issuer, now, _place: Box::new(place) })
    }
}

impl fmt::Debug for FreshKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshKeys").field("source", &self.source).finish_non_exhaustive()
    }
}

pub(super) fn skipped_without_issuer(fresh: &FreshKeys) -> Option<&'static str> {
    fresh.issuer.is_none().then_some("the harness says that the source asks nobody")
}
