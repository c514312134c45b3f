//! Processes that are killed in the middle of their work.

use std::io::{BufRead as _, BufReader};

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Page, TaskStore};
use pm_mcp_task_fs::FsTaskStore;

use crate::oracle::Oracle;
use crate::work::{Role, start};
use crate::{Dice, count};

pub(crate) fn run() {
    let rounds = count("PM_TASK_FS_KILLS", 30);
    let folder = tempfile::tempdir().unwrap();
    let tasks = folder.path().join("tasks");
    let (mut oracle, mut dice, mut acknowledged) = (Oracle::default(), Dice(2026), 0_u64);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    for round in 0..rounds {
        let mut child = start(Role::Lives, &tasks, round);
        let (mut left, mut heard) = (1 + dice.below(80), 0);
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            if oracle.hear(round, &line.unwrap()) {
                (left, heard) = (left.saturating_sub(1), heard + 1);
                if left == 0 {
                    // Killed: what it told before it died is still read to the end.
                    child.kill().unwrap();
                }
            }
        }
        assert!(!child.wait().unwrap().success(), "the process ended by itself");
        assert!(heard > 0);
        acknowledged += heard;
        let store = FsTaskStore::open(&tasks).unwrap();
        runtime.block_on(oracle.check(&store, round));
        let left = std::fs::read_dir(&tasks)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp"));
        assert_eq!(left.count(), 0, "what was half written stays behind");
    }
    let store = FsTaskStore::open(&tasks).unwrap();
    let found = runtime.block_on(async {
        let found = oracle.check(&store, 0).await;
        let page = Page::first(std::num::NonZeroUsize::MAX);
        let due = store.due(Timestamp::from_unix_ms(i64::MAX), page).await.unwrap();
        assert_eq!(due.len(), found, "the list of what is due is another one than the records");
        let unfinished = store.unfinished(Page::first(std::num::NonZeroUsize::MAX)).await.unwrap();
        let expected = due.iter().filter(|stored| !stored.record.finished).count();
        assert_eq!(unfinished.len(), expected);
        found
    });
    eprintln!(
        "{rounds} processes killed, {acknowledged} acknowledged steps, {found} records left, none lost or torn"
    );
}
