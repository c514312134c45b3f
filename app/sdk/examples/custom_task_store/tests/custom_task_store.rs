//! The store against every law, killed processes, and two processes that share it.

use std::path::PathBuf;
use std::sync::Arc;

use custom_task_store::SqliteTaskStore;
use pm_mcp_contract::processes::{ProcessTest, StoreAtPlace, work_as_child};
use pm_mcp_contract::{HarnessError, TaskStoreHarness, async_trait, task_store_contract};
use pm_mcp_ports::driven::{Durability, TaskStore};
use tempfile::TempDir;

task_store_contract!(InFile);

struct InFile;

fn open(file: PathBuf) -> Result<Arc<dyn TaskStore>, HarnessError> {
    Ok(Arc::new(SqliteTaskStore::open(file)?))
}

#[async_trait]
impl TaskStoreHarness for InFile {
    type Guard = TempDir;

    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, TempDir), HarnessError> {
        let folder = tempfile::tempdir()?;
        Ok((open(folder.path().join("tasks"))?, folder))
    }

    async fn reopen(
        &self,
        folder: &mut TempDir,
        killed: Arc<dyn TaskStore>,
    ) -> Result<Arc<dyn TaskStore>, HarnessError> {
        std::mem::forget(killed); // It closes nothing: a killed process does not either.
        open(folder.path().join("tasks"))
    }
}

#[async_trait]
impl StoreAtPlace for InFile {
    async fn open(&self, place: &str) -> Result<Arc<dyn TaskStore>, HarnessError> {
        open(place.into())
    }

    async fn settle(&self, _: &str) -> Result<(), HarnessError> {
        Ok(())
    }
}

#[test]
fn a_killed_process_loses_nothing_acknowledged() {
    if work_as_child(&InFile) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("tasks");
    let test =
        ProcessTest::new(InFile, "a_killed_process_loses_nothing_acknowledged", place.to_str().unwrap());
    eprintln!("{}", test.kill(10, |_| Ok(())).unwrap());
}

#[test]
fn two_processes_lose_no_update() {
    if work_as_child(&InFile) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("tasks");
    let test = ProcessTest::new(InFile, "two_processes_lose_no_update", place.to_str().unwrap());
    eprintln!("{}", test.share(400).unwrap());
}
