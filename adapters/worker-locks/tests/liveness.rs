//! Locked files against every law, and what lies beyond them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::sync::Arc;

use pm_mcp_contract::{HarnessError, WorkerLivenessHarness, async_trait, worker_liveness_contract};
use pm_mcp_domain::task::WorkerId;
use pm_mcp_ports::driven::WorkerLiveness;
use pm_mcp_worker_locks::LockFileLiveness;
use tempfile::TempDir;

worker_liveness_contract!(InFolder);

struct InFolder;

#[async_trait]
impl WorkerLivenessHarness for InFolder {
    type Guard = TempDir;

    async fn fresh(&self) -> Result<([Arc<dyn WorkerLiveness>; 2], TempDir), HarnessError> {
        let place = tempfile::tempdir()?;
        let open = || LockFileLiveness::open(place.path().join("workers"));
        Ok(([Arc::new(open()?), Arc::new(open()?)], place))
    }
}

fn worker(number: u8) -> WorkerId {
    WorkerId::from_random(&[number; WorkerId::RANDOM_BYTES])
}

#[tokio::test]
async fn a_lock_of_another_machine_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let workers = LockFileLiveness::open(folder.path()).unwrap();
    drop(workers.announce(&worker(1)).unwrap());
    drop(workers.announce(&worker(2)).unwrap());
    let path = folder.path().join(format!("{}.worker", worker(1)));
    let ours = fs::read_to_string(&path).unwrap();
    let (kernel, file_system) = ours.trim_end().split_once(' ').unwrap();
    for elsewhere in [format!("{kernel} {file_system}0\n"), format!("another-kernel {file_system}\n")] {
        fs::write(&path, elsewhere).unwrap();
        assert_eq!(workers.gone().await.unwrap(), [worker(2)]);
        workers.forget(&worker(1)).await.unwrap();
        assert!(path.exists(), "it is forgotten although nothing is known of it");
    }
}

#[tokio::test]
async fn what_is_of_no_use_goes_when_the_folder_is_opened_and_the_rest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let workers = LockFileLiveness::open(folder.path()).unwrap();
    let lives = workers.announce(&worker(1)).unwrap();
    drop(workers.announce(&worker(2)).unwrap());
    let before = folder.path().join(format!("{}.worker", worker(3)));
    let broken_off = folder.path().join(format!("{}.coming", worker(4)));
    let foreign = folder.path().join("notes.txt");
    for path in [&before, &broken_off, &foreign] {
        fs::write(path, "before the machine was started").unwrap();
    }
    let again = LockFileLiveness::open(folder.path()).unwrap();
    assert!(!before.exists() && !broken_off.exists() && foreign.exists());
    assert_eq!(again.gone().await.unwrap(), [worker(2)]);
    drop(lives);
    assert_eq!(again.gone().await.unwrap().len(), 2);
}
