//! Which workers are gone for certain.

use std::any::Any;
use std::fmt;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::task::WorkerId;

use super::backend_error::BackendError;

/// Knows at once that a worker has ended, where the lease of its tasks tells it only in time.
///
/// It sees what it can be sure of: as a rule, the processes of one machine. A worker that it cannot judge is not named,
/// and its tasks end with their lease.
///
/// # Laws
///
/// - WL-01: a worker that was announced and has not ended is never named, whoever of those who share the place asks, and
///   however many ask.
/// - WL-02: a worker that has ended, by dropping its announcement or with its process, is named to all who share the
///   place until it is forgotten.
/// - WL-03: a worker that was never announced in this place is never named.
/// - WL-04: forgetting concerns workers that have ended: one that lives goes on as before and is named when it has ended.
///
/// Not promised: that a worker is named after a restart of the machine.
///
/// ```
/// use pm_mcp_domain::task::WorkerId;
/// use pm_mcp_ports::driven::{BackendError, WorkerLiveness};
///
/// /// Whether the work of another process is lost.
/// async fn is_lost(workers: &dyn WorkerLiveness, worker: &WorkerId) -> Result<bool, BackendError> {
///     Ok(workers.gone().await?.contains(worker))
/// }
/// ```
#[async_trait]
pub trait WorkerLiveness: Debug + Send + Sync + 'static {
    /// Lets others see that the worker works, for as long as the announcement is kept. It may wait for the disk: call it
    /// before serving.
    ///
    /// # Errors
    ///
    /// When others could not see it.
    fn announce(&self, worker: &WorkerId) -> Result<Announcement, BackendError>;

    /// The workers that are gone for certain, in any order.
    ///
    /// # Errors
    ///
    /// When it cannot be told of any.
    async fn gone(&self) -> Result<Vec<WorkerId>, BackendError>;

    /// Names a worker no more that is gone. Nothing happens when it lives or is not known.
    ///
    /// # Errors
    ///
    /// When it would still be named.
    async fn forget(&self, worker: &WorkerId) -> Result<(), BackendError>;
}

/// What shows that a worker works. Dropped, or ended with the process, it shows that the worker is gone.
pub struct Announcement {
    _held: Box<dyn Any + Send + Sync>,
}

impl Announcement {
    /// An announcement that stands for as long as `held` is not dropped; for adapters.
    pub fn holding(held: impl Any + Send + Sync) -> Self {
        Self { _held: Box::new(held) }
    }
}

impl Debug for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Announcement").finish_non_exhaustive()
    }
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<L: WorkerLiveness + ?Sized> WorkerLiveness for $pointer<L> {
            fn announce(&self, worker: &WorkerId) -> Result<Announcement, BackendError> {
                (**self).announce(worker)
            }

            async fn gone(&self) -> Result<Vec<WorkerId>, BackendError> {
                (**self).gone().await
            }

            async fn forget(&self, worker: &WorkerId) -> Result<(), BackendError> {
                (**self).forget(worker).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);
