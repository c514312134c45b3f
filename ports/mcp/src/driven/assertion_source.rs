//! Whoever vouches for a client that has no user in front of it.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::{Issuer, Resource};
use pm_mcp_domain::authorization::Secret;

/// Gets assertions (RFC 7523): from an identity provider that a user signed in at, or from the platform that a workload
/// runs on. How it does that is the host's affair.
///
/// A dropped future gives the request up.
#[async_trait]
pub trait AssertionSource: Debug + Send + Sync + 'static {
    /// An assertion that this issuer believes, for a token that is good for this resource. It is redeemed at once and not
    /// kept.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being had. It must hold nothing of an assertion, because it is logged.
    async fn assertion(
        &self,
        issuer: &Issuer,
        resource: &Resource,
    ) -> Result<Secret, Box<dyn Error + Send + Sync>>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<A: AssertionSource + ?Sized> AssertionSource for $pointer<A> {
            async fn assertion(
                &self,
                issuer: &Issuer,
                resource: &Resource,
            ) -> Result<Secret, Box<dyn Error + Send + Sync>> {
                (**self).assertion(issuer, resource).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);
