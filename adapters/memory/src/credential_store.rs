//! Credentials in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::Credential;
use pm_mcp_ports::driven::{
    BackendError, CredentialHold, CredentialStore, Durability, Revision, SaveCredentialError,
    StoredCredential,
};
use tokio::sync;

use crate::poison::lock;

/// Keeps credentials for as long as the process lives.
pub struct MemoryCredentialStore {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    credentials: BTreeMap<String, StoredCredential>,
    holds: BTreeMap<String, Arc<sync::Mutex<()>>>,
    /// Numbers revisions for all issuers together, so that none comes twice.
    last: u64,
}

impl Kept {
    fn is_at(&self, issuer: &Issuer, expected: Option<Revision>) -> bool {
        self.credentials.get(issuer.as_str()).map(|stored| stored.revision) == expected
    }
}

impl MemoryCredentialStore {
    /// A store that keeps the credentials of so many issuers.
    pub fn with_capacity(issuers: usize) -> Self {
        Self { most: issuers, kept: Mutex::default() }
    }
}

impl Default for MemoryCredentialStore {
    /// 1,000 issuers.
    fn default() -> Self {
        Self::with_capacity(1_000)
    }
}

impl fmt::Debug for MemoryCredentialStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = lock(&self.kept).credentials.len();
        f.debug_struct("MemoryCredentialStore").field("most", &self.most).field("kept", &kept).finish()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a store answers every call of the port itself")]
#[async_trait]
impl CredentialStore for MemoryCredentialStore {
    fn durability(&self) -> Durability {
        Durability::Volatile
    }

    async fn load(&self, issuer: &Issuer) -> Result<Option<StoredCredential>, BackendError> {
        Ok(lock(&self.kept).credentials.get(issuer.as_str()).cloned())
    }

    async fn save(
        &self,
        issuer: &Issuer,
        credential: &Credential,
        expected: Option<Revision>,
    ) -> Result<Revision, SaveCredentialError> {
        let mut kept = lock(&self.kept);
        if !kept.is_at(issuer, expected) {
            return Err(SaveCredentialError::Conflict);
        }
        if expected.is_none() && kept.credentials.len() >= self.most {
            let limit =
                format!("it keeps {} issuers; give it room for more, or remove those not used", self.most);
            return Err(SaveCredentialError::Full { limit });
        }
        kept.last = kept.last.saturating_add(1);
        let revision = Revision::from_u64(kept.last);
        let stored = StoredCredential { credential: credential.clone(), revision };
        kept.credentials.insert(issuer.as_str().to_owned(), stored);
        Ok(revision)
    }

    async fn remove(&self, issuer: &Issuer, expected: Revision) -> Result<(), SaveCredentialError> {
        let mut kept = lock(&self.kept);
        if !kept.is_at(issuer, Some(expected)) {
            return Err(SaveCredentialError::Conflict);
        }
        kept.credentials.remove(issuer.as_str());
        Ok(())
    }

    async fn hold(&self, issuer: &Issuer) -> Result<CredentialHold, BackendError> {
        let turn = {
            let mut kept = lock(&self.kept);
            // What nobody holds or waits for is referred to from here alone.
            kept.holds.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(kept.holds.entry(issuer.as_str().to_owned()).or_default())
        };
        Ok(CredentialHold::new(turn.lock_owned().await))
    }
}
