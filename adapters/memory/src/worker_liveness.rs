//! Workers of one process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};

use async_trait::async_trait;
use pm_mcp_domain::task::WorkerId;
use pm_mcp_ports::driven::{Announcement, BackendError, WorkerLiveness};

use crate::poison::lock;

/// Knows the workers of this process: the reference, and for tests of servers that share a store in memory. A clone knows
/// the same ones.
#[derive(Clone, Debug, Default)]
pub struct MemoryWorkerLiveness {
    announced: Arc<Mutex<BTreeMap<WorkerId, Weak<()>>>>,
}

#[deny(clippy::missing_trait_methods, reason = "an adapter answers every call of the port itself")]
#[async_trait]
impl WorkerLiveness for MemoryWorkerLiveness {
    fn announce(&self, worker: &WorkerId) -> Result<Announcement, BackendError> {
        let held = Arc::new(());
        lock(&self.announced).insert(worker.clone(), Arc::downgrade(&held));
        Ok(Announcement::holding(held))
    }

    async fn gone(&self) -> Result<Vec<WorkerId>, BackendError> {
        let announced = lock(&self.announced);
        let gone = announced.iter().filter(|(_, held)| held.strong_count() == 0);
        Ok(gone.map(|(worker, _)| worker.clone()).collect())
    }

    async fn forget(&self, worker: &WorkerId) -> Result<(), BackendError> {
        let mut announced = lock(&self.announced);
        if announced.get(worker).is_some_and(|held| held.strong_count() == 0) {
            announced.remove(worker);
        }
        Ok(())
    }
}
