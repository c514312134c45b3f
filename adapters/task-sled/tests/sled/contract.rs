//! The store and the guard against every law of their ports.

use std::sync::Arc;

use pm_mcp_contract::{
    HarnessError, ReplayGuardHarness, TaskStoreHarness, async_trait, replay_guard_contract,
    task_store_contract,
};
use pm_mcp_ports::driven::{Durability, ReplayGuard, TaskStore};
use pm_mcp_task_sled::{SledDatabase, SledOptions};
use tempfile::TempDir;

use crate::records::copy;

struct InFolder;

#[async_trait]
impl TaskStoreHarness for InFolder {
    type Guard = TempDir;

    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, TempDir), HarnessError> {
        let folder = tempfile::tempdir()?;
        let database = SledDatabase::open(folder.path(), SledOptions::default())?;
        Ok((Arc::new(database.task_store()), folder))
    }

    async fn reopen(
        &self,
        folder: &mut TempDir,
        killed: Arc<dyn TaskStore>,
    ) -> Result<Arc<dyn TaskStore>, HarnessError> {
        let as_it_is = tempfile::tempdir()?;
        copy(folder.path(), as_it_is.path());
        drop(killed);
        *folder = as_it_is;
        Ok(Arc::new(SledDatabase::open(folder.path(), SledOptions::default())?.task_store()))
    }
}

task_store_contract!(InFolder);

/// How many nonces the guard under test remembers; each waits for a sync or shares one.
const BOUND: usize = 64;

#[async_trait]
impl ReplayGuardHarness for InFolder {
    type Guard = TempDir;

    fn bound(&self) -> Option<usize> {
        Some(BOUND)
    }

    async fn fresh(
        &self,
    ) -> Result<(Arc<dyn ReplayGuard>, Option<Arc<dyn ReplayGuard>>, TempDir), HarnessError> {
        let folder = tempfile::tempdir()?;
        let options = SledOptions { nonces: u64::try_from(BOUND)?, ..SledOptions::default() };
        let database = SledDatabase::open(folder.path(), options)?;
        Ok((Arc::new(database.replay_guard()), Some(Arc::new(database.replay_guard())), folder))
    }
}

replay_guard_contract!(InFolder);
