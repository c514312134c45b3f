//! How much disk many tasks take that come and go (field case C91).

use std::sync::Arc;

use pm_mcp_contract::task_store::{bytes_below, come_and_go, cycles_or};
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_task_sled::{SledDatabase, SledOptions};

/// The log is used again from segments of 1 MiB, of which some stay in use or are being cleaned.
const BOUND: u64 = 32 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn c91_tasks_that_come_and_go_leave_a_database_of_bounded_size() {
    let place = tempfile::tempdir().unwrap();
    let database = SledDatabase::open(place.path().join("db"), SledOptions::default()).unwrap();
    let store: Arc<dyn TaskStore> = Arc::new(database.task_store());
    let cycles = cycles_or(2_000);
    come_and_go(&store, 0..cycles / 2).await.unwrap();
    let half = database.bytes_on_disk().await.unwrap();
    come_and_go(&store, cycles / 2..cycles).await.unwrap();
    let (told, found) = (database.bytes_on_disk().await.unwrap(), bytes_below(place.path()));
    eprintln!(
        "{cycles} tasks came and went: {half} bytes after half of them, {told} at the end, {found} in files"
    );
    assert!(told <= BOUND && found <= BOUND, "{told} bytes are told, {found} found");
    assert!(found <= told + (32 << 20), "the measure tells {told} bytes of {found}");
}
