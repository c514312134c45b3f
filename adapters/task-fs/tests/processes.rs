//! Several processes on one folder, some of which are killed.
//!
//! `PM_TASK_FS_KILLS` says how many processes are killed (30 unless set), `PM_TASK_FS_TRANSITIONS` how many transitions
//! two processes share (2,000 unless set).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says what it found"
)]

use std::sync::Arc;

use pm_mcp_contract::processes::{ProcessTest, StoreAtPlace, work_as_child};
use pm_mcp_contract::{HarnessError, Violation, async_trait};
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_task_fs::FsTaskStore;
use tempfile::TempDir;

struct InFolder;

#[async_trait]
impl StoreAtPlace for InFolder {
    async fn open(&self, place: &str) -> Result<Arc<dyn TaskStore>, HarnessError> {
        Ok(Arc::new(FsTaskStore::open(place)?))
    }

    async fn settle(&self, _: &str) -> Result<(), HarnessError> {
        Ok(())
    }
}

fn count(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a whole number"))
}

fn test(name: &'static str, folder: &TempDir) -> ProcessTest<InFolder> {
    ProcessTest::new(InFolder, name, folder.path().join("tasks").to_str().unwrap())
}

#[test]
fn a_killed_process_loses_nothing_acknowledged_and_tears_nothing() {
    if work_as_child(&InFolder) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let test = test("a_killed_process_loses_nothing_acknowledged_and_tears_nothing", &folder);
    let kills = test.kill(count("PM_TASK_FS_KILLS", 30), |tasks| {
        for entry in std::fs::read_dir(tasks)? {
            let name = entry?.file_name();
            if name.to_string_lossy().ends_with(".tmp") {
                return Err(Violation::new(format!("{name:?} was half written and stays behind")));
            }
        }
        Ok(())
    });
    eprintln!("{}", kills.unwrap());
}

#[test]
fn two_processes_lose_no_update() {
    if work_as_child(&InFolder) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let shared = test("two_processes_lose_no_update", &folder).share(count("PM_TASK_FS_TRANSITIONS", 2_000));
    eprintln!("{}", shared.unwrap());
}
