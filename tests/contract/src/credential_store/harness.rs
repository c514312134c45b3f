//! How the kit gets at a credential store.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driven::{CredentialStore, Durability};

use crate::harness::HarnessError;
use crate::law::Violation;

/// Makes credential stores to try.
#[async_trait]
pub trait CredentialStoreHarness: Send + Sync + 'static {
    /// What a fresh store lives in; the kit drops it after the last use of the store, and dropping it cleans up.
    type Guard: Send + 'static;

    /// What `Ok` of these stores survives.
    fn durability(&self) -> Durability;

    /// An empty store that shares nothing with any other one.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    async fn fresh(&self) -> Result<(Arc<dyn CredentialStore>, Self::Guard), HarnessError>;

    /// One more store on what a fresh one lives in, as another process has it, while the first is neither closed nor
    /// dropped. `None` for a store that nobody can share; a durable one can be.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being opened; the test fails with it.
    async fn share(
        &self,
        _place: &mut Self::Guard,
    ) -> Result<Option<Arc<dyn CredentialStore>>, HarnessError> {
        Ok(None)
    }
}

/// The harness of a store that keeps nothing beyond the process, from a function that makes an empty one.
#[derive(Clone, Copy, Debug)]
pub struct VolatileCredentials<F>(pub F);

#[async_trait]
impl<S: CredentialStore, F: Fn() -> S + Send + Sync + 'static> CredentialStoreHarness
    for VolatileCredentials<F>
{
    type Guard = ();

    fn durability(&self) -> Durability {
        Durability::Volatile
    }

    async fn fresh(&self) -> Result<(Arc<dyn CredentialStore>, ()), HarnessError> {
        Ok((Arc::new((self.0)()), ()))
    }
}

/// A fresh store, and the way to another one that shares its place.
pub struct FreshCredentials {
    store: Arc<dyn CredentialStore>,
    durability: Durability,
    place: Box<dyn Place>,
}

impl FreshCredentials {
    /// A fresh store of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says.
    pub async fn of<H: CredentialStoreHarness>(harness: H) -> Result<Self, HarnessError> {
        let (store, guard) = harness.fresh().await?;
        let durability = harness.durability();
        Ok(Self { store, durability, place: Box::new(Placed { harness, guard }) })
    }

    /// The store.
    pub fn store(&self) -> Arc<dyn CredentialStore> {
        Arc::clone(&self.store)
    }

    pub(super) fn durability(&self) -> Durability {
        self.durability
    }

    /// The store twice where nobody can share it, and otherwise with another one of the same place.
    pub(super) async fn pair(&mut self) -> Result<[Arc<dyn CredentialStore>; 2], Violation> {
        let twin = self.place.share().await.map_err(not_opened)?;
        Ok([self.store(), twin.unwrap_or_else(|| self.store())])
    }

    /// What the next process finds. The store is left as a killed process leaves it.
    pub(super) async fn killed_and_reopened(&mut self) -> Result<Arc<dyn CredentialStore>, Violation> {
        let next = self.place.share().await.map_err(not_opened)?;
        let next = next.ok_or_else(|| {
            Violation::new("the harness declares a durable store and cannot open it again; implement `share`")
        })?;
        std::mem::forget(std::mem::replace(&mut self.store, Arc::clone(&next)));
        Ok(next)
    }
}

impl fmt::Debug for FreshCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshCredentials").field("store", &self.store).finish_non_exhaustive()
    }
}

#[async_trait]
trait Place: Send {
    async fn share(&mut self) -> Result<Option<Arc<dyn CredentialStore>>, HarnessError>;
}

struct Placed<H: CredentialStoreHarness> {
    harness: H,
    guard: H::Guard,
}

#[async_trait]
impl<H: CredentialStoreHarness> Place for Placed<H> {
    async fn share(&mut self) -> Result<Option<Arc<dyn CredentialStore>>, HarnessError> {
        self.harness.share(&mut self.guard).await
    }
}

fn not_opened(fault: HarnessError) -> Violation {
    Violation::new(format!("the harness cannot share the store: {fault}"))
}

pub(super) fn skipped_when_volatile(fresh: &FreshCredentials) -> Option<&'static str> {
    match fresh.durability {
        Durability::Durable => None,
        Durability::Volatile => Some("the harness declares that the store keeps nothing beyond the process"),
    }
}
