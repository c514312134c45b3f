//! What a client keeps of authorization servers.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::Credential;
use thiserror::Error;

use super::backend_error::BackendError;
use super::stored::{Durability, Revision};

/// Keeps the credentials of a client, one for each issuer. It keeps and gives back, and nothing else: it asks no server,
/// refreshes nothing and decides nothing.
///
/// # Laws
///
/// Each method repeats its own; these hold for all.
///
/// - CR-08: what `Ok` acknowledged is found by every later call of everyone who shares the store, also after the process
///   was killed. A store that says [`Durability::Volatile`] may forget with the process.
/// - CR-09: nothing of a secret shows in the store's `Debug` or in its errors.
///
/// A dropped `save` or `remove` had its whole effect or none. Not promised: that anything is removed by itself, and that
/// what a store keeps is safe from whoever owns its machine.
#[async_trait]
pub trait CredentialStore: fmt::Debug + Send + Sync + 'static {
    /// What `Ok` of this store survives. It never changes in the life of a store.
    fn durability(&self) -> Durability;

    /// Finds the credential of an issuer.
    ///
    /// - CR-01: it gives what the latest acknowledged `save` for this issuer wrote, equal in every part, whatever became of
    ///   the value that was saved; `None` when there is none.
    /// - CR-02: issuers are told apart letter for letter: what differs in a slash, an escape, a port or the case is
    ///   another issuer.
    ///
    /// # Errors
    ///
    /// When reading failed.
    async fn load(&self, issuer: &Issuer) -> Result<Option<StoredCredential>, BackendError>;

    /// Writes the credential of an issuer in the place of the one that was read, or of none.
    ///
    /// - CR-03: where something else was written or removed since, it is a conflict and changes nothing; of any number of
    ///   callers that expect the same, exactly one gets `Ok`.
    /// - CR-05: the revision was never given out for this issuer before, not even before a removal.
    ///
    /// # Errors
    ///
    /// [`SaveCredentialError::Conflict`] when what is there is not what was expected.
    async fn save(
        &self,
        issuer: &Issuer,
        credential: &Credential,
        expected: Option<Revision>,
    ) -> Result<Revision, SaveCredentialError>;

    /// Removes the credential of an issuer.
    ///
    /// - CR-04: where something else was written or removed since, it is a conflict and changes nothing; whatever is
    ///   removed, no other issuer's credential is touched.
    ///
    /// # Errors
    ///
    /// [`SaveCredentialError::Conflict`] when what is there is not what was expected.
    async fn remove(&self, issuer: &Issuer, expected: Revision) -> Result<(), SaveCredentialError>;

    /// Waits until nobody else holds the issuer, and holds it. Whoever spends a refresh token holds its issuer meanwhile,
    /// reads again first and saves before letting go, so that no token is spent twice.
    ///
    /// - CR-06: of all who share the store, one at the most holds an issuer; dropping the hold, or the end of its process,
    ///   lets the next one have it. Holds of other issuers are not waited for.
    /// - CR-07: a dropped call holds nothing.
    ///
    /// Holding keeps others from holding, not from `load`, `save` and `remove`. How long it takes is up to the other
    /// holders; who cannot wait drops the call.
    ///
    /// # Errors
    ///
    /// When holds cannot be had at all.
    async fn hold(&self, issuer: &Issuer) -> Result<CredentialHold, BackendError>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<S: CredentialStore + ?Sized> CredentialStore for $pointer<S> {
            fn durability(&self) -> Durability {
                (**self).durability()
            }

            async fn load(&self, issuer: &Issuer) -> Result<Option<StoredCredential>, BackendError> {
                (**self).load(issuer).await
            }

            async fn save(
                &self,
                issuer: &Issuer,
                credential: &Credential,
                expected: Option<Revision>,
            ) -> Result<Revision, SaveCredentialError> {
                (**self).save(issuer, credential, expected).await
            }

            async fn remove(&self, issuer: &Issuer, expected: Revision) -> Result<(), SaveCredentialError> {
                (**self).remove(issuer, expected).await
            }

            async fn hold(&self, issuer: &Issuer) -> Result<CredentialHold, BackendError> {
                (**self).hold(issuer).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// A credential as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredCredential {
    /// The credential.
    pub credential: Credential,
    /// The write that it comes from.
    pub revision: Revision,
}

/// Keeps others from holding an issuer, until it is dropped.
pub struct CredentialHold(#[expect(dead_code, reason = "held for its drop")] Box<dyn Any + Send + Sync>);

impl CredentialHold {
    /// A hold that lasts until `guard` is dropped; for stores.
    pub fn new(guard: impl Send + Sync + 'static) -> Self {
        Self(Box::new(guard))
    }
}

impl fmt::Debug for CredentialHold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CredentialHold")
    }
}

/// A credential is not written or removed.
#[derive(Debug, Error)]
pub enum SaveCredentialError {
    /// Somebody else wrote or removed it meanwhile: read it again and decide again.
    #[error("the credential was changed by someone else")]
    Conflict,
    /// The store keeps no more.
    #[error("the credential store is full: {limit}")]
    Full {
        /// The limit that was reached and what to change.
        limit: String,
    },
    /// Storing failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}
