//! Keys that a host has.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{KeySet, KeySource, KeysUnavailable};

use crate::jwk::{JwksError, parse_jwks};

/// Keys that never change while the server runs.
#[derive(Debug, Clone)]
pub struct StaticKeys {
    keys: Arc<KeySet>,
}

impl StaticKeys {
    /// These keys.
    #[must_use]
    pub fn new(keys: KeySet) -> Self {
        Self { keys: Arc::new(keys) }
    }

    /// The keys of a JSON Web Key Set. Those that cannot be used are logged and left out.
    ///
    /// # Errors
    ///
    /// [`JwksError`] when no key is left.
    pub fn from_jwks(document: &[u8]) -> Result<Self, JwksError> {
        let read = parse_jwks(document)?;
        for (place, fault) in &read.unused {
            tracing::warn!(key = place, reason = %fault, "a key of the set is not used");
        }
        Ok(Self::new(read.keys))
    }
}

#[deny(clippy::missing_trait_methods, reason = "a source answers every call of the port itself")]
#[async_trait]
impl KeySource for StaticKeys {
    async fn keys(&self, _now: Timestamp) -> Result<Arc<KeySet>, KeysUnavailable> {
        Ok(Arc::clone(&self.keys))
    }

    async fn newer(
        &self,
        _seen: &Arc<KeySet>,
        _now: Timestamp,
    ) -> Result<Option<Arc<KeySet>>, KeysUnavailable> {
        Ok(None)
    }
}
