//! Real commands.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::Path;
use std::time::Duration;

use pm_tracker_command_process::ProcessRunner;
use pm_tracker_ports::{CommandEnd, CommandOrder, CommandOutcome, CommandRunner as _};
use tempfile::TempDir;
use tokio::time::timeout;

fn order(command: &str) -> CommandOrder {
    CommandOrder { time_limit: Duration::from_secs(60), ..CommandOrder::of(command) }
}

async fn run(folder: &TempDir, order: CommandOrder) -> CommandEnd {
    ProcessRunner::new(folder.path().to_owned()).run(order).await
}

/// Waits until a process has written its id.
async fn id_in(path: &Path) -> String {
    timeout(Duration::from_secs(30), async {
        loop {
            match fs::read_to_string(path) {
                Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
                Ok(_) | Err(_) => tokio::task::yield_now().await,
            }
        }
    })
    .await
    .expect("the process did not start")
}

/// Waits until a process is gone, or nothing but a remainder that its parent has not asked about.
async fn gone(id: &str) {
    let is_alive = || {
        let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        state
            .rsplit(')')
            .next()
            .is_some_and(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with('Z'))
    };
    timeout(Duration::from_secs(30), async {
        while is_alive() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the process lives on");
}

#[tokio::test]
async fn a_command_runs_in_the_repository_and_its_end_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("here"), "").unwrap();
    let end = run(&folder, order("ls; echo wrong >&2; exit 3")).await;
    assert_eq!(end.outcome, CommandOutcome::Exited { code: 3 });
    assert_eq!((end.stdout_tail.as_str(), end.stderr_tail.as_str()), ("here\n", "wrong\n"));
    assert_eq!(run(&folder, order("kill -9 $$")).await.outcome, CommandOutcome::Signalled { signal: 9 });
}

#[tokio::test]
async fn only_the_end_of_long_output_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let long = CommandOrder {
        tail_bytes: 100,
        ..order("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done")
    };
    let end = run(&folder, long).await;
    assert!(end.stdout_tail.len() <= 100 && end.stdout_tail.ends_with("line 19999\n"), "{}", end.stdout_tail);
}

#[tokio::test]
async fn a_command_whose_time_is_up_ends_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let slow = CommandOrder {
        time_limit: Duration::from_millis(700),
        ..order("sh -c 'trap \"\" TERM; echo $$ > child; while :; do sleep 1; done' & echo before; wait")
    };
    let end = run(&folder, slow).await;
    assert_eq!(end.outcome, CommandOutcome::TimedOut);
    assert_eq!(end.stdout_tail, "before\n");
    gone(&id_in(&folder.path().join("child")).await).await;
}

#[tokio::test]
async fn what_is_left_in_the_background_neither_delays_nor_survives_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let end = run(&folder, order("sleep 300 & echo $! > child; echo done")).await;
    assert_eq!(end.outcome, CommandOutcome::Exited { code: 0 });
    assert!(end.took < Duration::from_secs(30), "{:?}", end.took);
    gone(&id_in(&folder.path().join("child")).await).await;
}

#[tokio::test]
async fn a_command_ends_when_nobody_waits_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let runner = ProcessRunner::new(folder.path().to_owned());
    let running = tokio::spawn(async move { runner.run(order("sleep 300 & echo $! > child; wait")).await });
    let child = id_in(&folder.path().join("child")).await;
    running.abort();
    gone(&child).await;
}

#[tokio::test]
async fn the_environment_is_as_ordered() {
    let folder = tempfile::tempdir().unwrap();
    let with = CommandOrder {
        env_set: vec![("GIVEN".to_owned(), "a b".to_owned())],
        env_clear: vec!["HOME".to_owned()],
        ..order("echo \"$GIVEN|${HOME-none}\"; read line || echo no input")
    };
    assert_eq!(run(&folder, with).await.stdout_tail, "a b|none\nno input\n");
}

#[tokio::test]
async fn a_folder_that_is_gone_is_said() {
    let runner = ProcessRunner::new("/nowhere/at/all".into());
    let end = runner.run(order("true")).await;
    assert!(matches!(end.outcome, CommandOutcome::NotStarted { .. }), "{end:?}");
}
