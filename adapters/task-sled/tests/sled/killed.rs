//! A process that is killed under load, over and over: what it was told is done is there, and nothing is half.
//!
//! `PM_TASK_SLED_KILLS` sets the number of rounds, 5 without it.

use std::env;
use std::path::Path;
use std::sync::Arc;

use pm_mcp_contract::processes::{ProcessTest, StoreAtPlace, work_as_child};
use pm_mcp_contract::{HarnessError, async_trait};
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_task_sled::{SledDatabase, SledOptions};

struct InFolder;

#[async_trait]
impl StoreAtPlace for InFolder {
    async fn open(&self, place: &str) -> Result<Arc<dyn TaskStore>, HarnessError> {
        Ok(Arc::new(SledDatabase::open(place, SledOptions::default())?.task_store()))
    }

    async fn settle(&self, _: &str) -> Result<(), HarnessError> {
        Ok(())
    }
}

#[test]
fn nothing_acknowledged_is_lost_to_a_killed_process() {
    if work_as_child(&InFolder) {
        return;
    }
    let rounds = env::var("PM_TASK_SLED_KILLS").map_or(5, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("tasks");
    let name = "killed::nothing_acknowledged_is_lost_to_a_killed_process";
    let kills = ProcessTest::new(InFolder, name, place.to_str().unwrap()).kill(rounds, |_| Ok(())).unwrap();
    let bodies = std::fs::read_dir(Path::new(&place).join("large")).unwrap().count();
    assert!(bodies <= kills.records, "{bodies} bodies for {} records", kills.records);
    eprintln!("{kills}");
}
