//! The store in a folder against every law.

use std::path::PathBuf;
use std::sync::Arc;

use pm_mcp_contract::{HarnessError, TaskStoreHarness, async_trait, task_store_contract};
use pm_mcp_ports::driven::{Durability, TaskStore};
use pm_mcp_task_fs::FsTaskStore;
use tempfile::TempDir;

task_store_contract!(InFolder);

struct InFolder;

impl InFolder {
    async fn open(path: PathBuf) -> Result<Arc<dyn TaskStore>, HarnessError> {
        Ok(Arc::new(tokio::task::spawn_blocking(|| FsTaskStore::open(path)).await??))
    }
}

#[async_trait]
impl TaskStoreHarness for InFolder {
    type Guard = TempDir;

    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, TempDir), HarnessError> {
        let place = tempfile::tempdir()?;
        Ok((Self::open(place.path().join("tasks")).await?, place))
    }

    async fn reopen(
        &self,
        place: &mut TempDir,
        killed: Arc<dyn TaskStore>,
    ) -> Result<Arc<dyn TaskStore>, HarnessError> {
        // It goes on holding its locks, which a killed process would not: the next one has to do without them.
        std::mem::forget(killed);
        Self::open(place.path().join("tasks")).await
    }
}
