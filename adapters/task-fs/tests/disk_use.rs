//! How much disk many tasks take that come and go (field case C91).
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use pm_mcp_contract::task_store::{bytes_below, come_and_go, cycles_or};
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_task_fs::FsTaskStore;

/// The list of changes begins anew at 4 MiB; nothing else stays of a record that is removed.
const BOUND: u64 = 5 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn c91_tasks_that_come_and_go_leave_a_folder_of_bounded_size() {
    let place = tempfile::tempdir().unwrap();
    let store: Arc<dyn TaskStore> = Arc::new(FsTaskStore::open(place.path()).unwrap());
    let cycles = cycles_or(1_000);
    come_and_go(&store, 0..cycles).await.unwrap();
    let bytes = bytes_below(place.path());
    eprintln!("{cycles} tasks came and went, {bytes} bytes are left");
    assert!(bytes <= BOUND, "{bytes} bytes are left");
    let files = std::fs::read_dir(place.path()).unwrap().count();
    assert!(files <= 8, "{files} files are left");
}
