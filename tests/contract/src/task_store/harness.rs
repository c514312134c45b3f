//! How the kit gets at a store.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driven::{Durability, TaskStore};

use crate::harness::HarnessError;
use crate::law::Violation;

/// Makes stores to try. Most are a unit struct in a test file.
///
/// ```
/// use std::sync::Arc;
/// use pm_mcp_contract::{HarnessError, TaskStoreHarness, async_trait};
/// use pm_mcp_ports::driven::{Durability, TaskStore};
/// # async fn open(folder: &std::path::Path) -> Result<Arc<dyn TaskStore>, HarnessError> { Err("none".into()) }
///
/// struct InFolder;
///
/// /// Removes the folder when it is dropped.
/// struct Folder(std::path::PathBuf);
///
/// #[async_trait]
/// impl TaskStoreHarness for InFolder {
///     type Guard = Folder;
///
///     fn durability(&self) -> Durability {
///         Durability::Durable
///     }
///
///     async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, Folder), HarnessError> {
///         let folder = Folder(std::env::temp_dir().join("a-name-of-its-own"));
///         Ok((open(&folder.0).await?, folder))
///     }
///
///     async fn reopen(&self, folder: &mut Folder, killed: Arc<dyn TaskStore>)
///     -> Result<Arc<dyn TaskStore>, HarnessError> {
///         std::mem::forget(killed); // No `Drop` may tidy up: a killed process does not either.
///         open(&folder.0).await
///     }
/// }
/// ```
#[async_trait]
pub trait TaskStoreHarness: Send + Sync + 'static {
    /// What a fresh store lives in, such as a temporary folder. The kit drops it after the last use of the store; dropping
    /// it cleans up.
    type Guard: Send + 'static;

    /// What `Ok` of these stores survives. A volatile store is not asked to survive the end of a process, and says so.
    fn durability(&self) -> Durability;

    /// An empty store that shares nothing with any other one.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, Self::Guard), HarnessError>;

    /// Opens again what `killed` has written, as the next process would find it after the first was killed: without
    /// closing, flushing or dropping `killed` first. Where a lock keeps a second store out of the same process, copy what
    /// lies in the guard's place as it is at this moment, and open the copy.
    ///
    /// Only durable stores are opened again; the harness of a volatile one need not have it.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being opened; the law fails with it.
    async fn reopen(
        &self,
        _place: &mut Self::Guard,
        _killed: Arc<dyn TaskStore>,
    ) -> Result<Arc<dyn TaskStore>, HarnessError> {
        Err("the harness declares a durable store and cannot open it again; implement `reopen`".into())
    }
}

/// The harness of a store that keeps nothing beyond the process, from a function that makes an empty one.
#[derive(Clone, Copy, Debug)]
pub struct VolatileStore<F>(pub F);

#[async_trait]
impl<S: TaskStore, F: Fn() -> S + Send + Sync + 'static> TaskStoreHarness for VolatileStore<F> {
    type Guard = ();

    fn durability(&self) -> Durability {
        Durability::Volatile
    }

    async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, ()), HarnessError> {
        Ok((Arc::new((self.0)()), ()))
    }
}

/// A fresh store, with what it lives in and the way to open it again.
pub struct FreshStore {
    store: Arc<dyn TaskStore>,
    place: Box<dyn Place>,
}

impl FreshStore {
    /// A fresh store of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says.
    pub async fn of<H: TaskStoreHarness>(harness: H) -> Result<Self, HarnessError> {
        let (store, guard) = harness.fresh().await?;
        Ok(Self { store, place: Box::new(Placed { harness, guard }) })
    }

    /// The store.
    pub fn store(&self) -> Arc<dyn TaskStore> {
        Arc::clone(&self.store)
    }

    /// What the harness declares.
    pub fn durability(&self) -> Durability {
        self.place.durability()
    }

    /// The store as the next process finds it after this one was killed.
    pub(crate) async fn killed_and_reopened(self) -> Result<Self, Violation> {
        let Self { store, mut place } = self;
        let reopened = place.reopen(store).await;
        let store =
            reopened.map_err(|fault| Violation::new(format!("the store cannot be opened again: {fault}")))?;
        Ok(Self { store, place })
    }
}

impl fmt::Debug for FreshStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshStore").field("store", &self.store).finish_non_exhaustive()
    }
}

/// A harness and its guard, whatever type the guard has.
#[async_trait]
trait Place: Send {
    fn durability(&self) -> Durability;
    async fn reopen(&mut self, killed: Arc<dyn TaskStore>) -> Result<Arc<dyn TaskStore>, HarnessError>;
}

struct Placed<H: TaskStoreHarness> {
    harness: H,
    guard: H::Guard,
}

#[async_trait]
impl<H: TaskStoreHarness> Place for Placed<H> {
    fn durability(&self) -> Durability {
        self.harness.durability()
    }

    async fn reopen(&mut self, killed: Arc<dyn TaskStore>) -> Result<Arc<dyn TaskStore>, HarnessError> {
        self.harness.reopen(&mut self.guard, killed).await
    }
}
