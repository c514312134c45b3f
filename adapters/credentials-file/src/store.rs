//! The store.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::Credential;
use pm_mcp_ports::driven::{
    Applied, BackendError, CredentialHold, CredentialStore, Durability, Revision, SaveCredentialError,
    StoredCredential,
};
use tokio::task::spawn_blocking;

use crate::fault::{Fault, OpenError};
use crate::folder::{Change, Folder};
use crate::lock::Turns;

/// Keeps credentials in a folder, encrypted. Any number of stores, in any number of processes of one machine, may share it
/// with one key. Cloning it is cheap.
#[derive(Clone)]
pub struct FileCredentialStore {
    folder: Arc<Folder>,
    turns: Arc<Turns>,
}

impl FileCredentialStore {
    /// Opens a folder, or makes it, with a key of at least [`SHORTEST_KEY`](crate::SHORTEST_KEY) random bytes. This reads
    /// and writes files, shortly.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when the key is too short, the folder cannot be used, or others may look into it.
    pub fn open(folder: impl AsRef<Path>, key: &[u8]) -> Result<Self, OpenError> {
        Ok(Self::of(Folder::open(folder.as_ref(), key)?))
    }

    /// Like [`open`](Self::open), and reads what was written with older keys too. What is saved is written with the new
    /// key.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), for every key.
    pub fn open_with_older_keys(
        folder: impl AsRef<Path>,
        key: &[u8],
        older: &[&[u8]],
    ) -> Result<Self, OpenError> {
        let mut folder = Folder::open(folder.as_ref(), key)?;
        older.iter().try_for_each(|key| folder.reads_also(key))?;
        Ok(Self::of(folder))
    }

    fn of(folder: Folder) -> Self {
        Self { folder: Arc::new(folder), turns: Arc::default() }
    }

    /// Does blocking work where it holds nobody up. What has begun is done whole, also when nobody waits for it any more.
    async fn on_files<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let folder = Arc::clone(&self.folder);
        spawn_blocking(move || work(&folder)).await.unwrap_or(Err(Fault::Stopped))
    }
}

impl fmt::Debug for FileCredentialStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileCredentialStore").field("folder", &self.folder.path()).finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a store answers every call of the port itself")]
#[async_trait]
impl CredentialStore for FileCredentialStore {
    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn load(&self, issuer: &Issuer) -> Result<Option<StoredCredential>, BackendError> {
        let issuer = issuer.clone();
        let found = self.on_files(move |folder| folder.load(&issuer)).await;
        found.map_err(|fault| fault.backend("reading a credential", Applied::No))
    }

    async fn save(
        &self,
        issuer: &Issuer,
        credential: &Credential,
        expected: Option<Revision>,
    ) -> Result<Revision, SaveCredentialError> {
        let (issuer, credential) = (issuer.clone(), credential.clone());
        let saved = self.on_files(move |folder| folder.save(&issuer, &credential, expected)).await;
        made(saved, "writing a credential")
    }

    async fn remove(&self, issuer: &Issuer, expected: Revision) -> Result<(), SaveCredentialError> {
        let issuer = issuer.clone();
        let removed = self.on_files(move |folder| folder.remove(&issuer, expected)).await;
        made(removed, "removing a credential")
    }

    async fn hold(&self, issuer: &Issuer) -> Result<CredentialHold, BackendError> {
        let held = self.turns.hold(issuer.as_str(), &self.folder.hold_file(issuer)).await;
        held.map(CredentialHold::new).map_err(|fault| fault.backend("holding a credential", Applied::No))
    }
}

fn made<T>(change: Result<Change<T>, Fault>, operation: &'static str) -> Result<T, SaveCredentialError> {
    match change {
        Ok(Change::Made(made)) => Ok(made),
        Ok(Change::Conflict) => Err(SaveCredentialError::Conflict),
        // The file may have been renamed when the folder could not be synced.
        Err(fault) => Err(fault.backend(operation, Applied::Unknown).into()),
    }
}
