//! State that can be used once only.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use thiserror::Error;

/// Remembers which sealed states were used.
///
/// # Laws
///
/// - RG-01: of any number of callers that consume one nonce, exactly one gets `Ok`.
/// - RG-02: a nonce is not forgotten before its `keep_until`; when there is no room left, the guard refuses new ones.
/// - RG-03: `Ok` holds for all who share the guard's store.
/// - RG-04: a dropped future leaves the nonce consumed or not, nothing between.
#[async_trait]
pub trait ReplayGuard: Debug + Send + Sync + 'static {
    /// Consumes a nonce: one atomic check and insert, so that there is no gap to race through.
    ///
    /// # Errors
    ///
    /// [`ConsumeError::AlreadyUsed`] when it was consumed before, [`ConsumeError::Unavailable`] when that cannot be
    /// told. Both refuse the state.
    async fn consume(&self, nonce: &Nonce, keep_until: Timestamp, now: Timestamp)
    -> Result<(), ConsumeError>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<G: ReplayGuard + ?Sized> ReplayGuard for $pointer<G> {
            async fn consume(
                &self,
                nonce: &Nonce,
                keep_until: Timestamp,
                now: Timestamp,
            ) -> Result<(), ConsumeError> {
                (**self).consume(nonce, keep_until, now).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// A nonce is not consumed.
#[derive(Debug, Error)]
pub enum ConsumeError {
    /// It was consumed before.
    #[error("the state was used before")]
    AlreadyUsed,
    /// The guard cannot tell: its store failed or is full.
    #[error("the replay guard cannot tell whether the state was used before")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}
