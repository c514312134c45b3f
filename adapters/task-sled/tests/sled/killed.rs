//! A process that is killed under load, over and over: what it was told is done is there, and nothing is half.
//!
//! `PM_TASK_SLED_KILLS` sets the number of rounds, 5 without it.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};

use pm_mcp_domain::task::TaskRecord;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Page, Revision, TaskStore};
use pm_mcp_task_sled::{SledDatabase, SledOptions, SledTaskStore};

use crate::records::{id, record, runtime};

const FOLDER: &str = "PM_TASK_SLED_FOLDER";
const CALLERS: u64 = 8;

/// The longest body is over the bound from which bodies lie in files.
fn body(step: u64) -> Vec<u8> {
    let length = [10, 2_000, 70_000][usize::try_from(step % 3).unwrap()];
    [&step.to_be_bytes()[..], &vec![u8::try_from(step % 251).unwrap(); length]].concat()
}

/// What a caller writes in a step: now in the lists, now out of them.
fn written(caller: u64, step: u64) -> TaskRecord {
    let due = (!step.is_multiple_of(3)).then(|| Timestamp::from_unix_ms(i64::try_from(step).unwrap()));
    TaskRecord { due, finished: step.is_multiple_of(4), ..record(caller, body(step)) }
}

fn step(body: &[u8]) -> u64 {
    u64::from_be_bytes(body[..8].try_into().unwrap())
}

/// Writes step by step, and a line for each acknowledged step.
async fn write_on(store: SledTaskStore, caller: u64) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (mut revision, mut next) = match store.load(&id(caller)).await? {
        Some(stored) => (Some(stored.revision), step(&stored.record.body) + 1),
        None => (None, 1),
    };
    loop {
        let written = written(caller, next);
        let acknowledged = match revision {
            None => store.create(&written).await?,
            Some(old) => store.replace(&written, old).await?,
        };
        std::io::stdout().lock().write_all(format!("{caller} {next} {acknowledged}\n").as_bytes())?;
        revision = Some(acknowledged);
        next += 1;
    }
}

/// Writes until it is killed, each caller its own record.
fn write_until_killed(folder: OsString) {
    runtime().block_on(async {
        let store = SledDatabase::open(folder, SledOptions::default()).unwrap().task_store();
        let callers: Vec<_> =
            (0..CALLERS).map(|caller| tokio::spawn(write_on(store.clone(), caller))).collect();
        for caller in callers {
            caller.await.unwrap().unwrap();
        }
    });
}

/// What the child was told, until it was killed. The child is this very test in a process of its own.
fn run_and_kill(folder: &Path, lines: usize) -> BTreeMap<u64, (u64, Revision)> {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "killed::nothing_acknowledged_is_lost_to_a_killed_process", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BTreeMap::new();
    let mut seen = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [caller, step, revision] = numbers[..] else { continue };
        told.insert(caller, (step, Revision::from_u64(revision)));
        seen += 1;
        if seen == lines {
            // Std sends SIGKILL. What is in the pipe already is read to its end: it was told too.
            child.kill().unwrap();
        }
    }
    assert!(!child.wait().unwrap().success());
    assert!(seen >= lines, "the child ended by itself after {seen} lines");
    told
}

async fn check(folder: &Path, told: &BTreeMap<u64, (u64, Revision)>) {
    let store = SledDatabase::open(folder, SledOptions::default()).unwrap().task_store();
    let page = || NonZeroUsize::new(100).unwrap();
    let due = store.due(Timestamp::from_unix_ms(i64::MAX), Page::first(page())).await.unwrap();
    let unfinished = store.unfinished(Page::first(page())).await.unwrap();
    for (caller, (acknowledged, revision)) in told {
        let stored = store.load(&id(*caller)).await.unwrap();
        let Some(stored) = stored else { panic!("the record of {caller} is lost") };
        let found = step(&stored.record.body);
        assert_eq!(stored.record, written(*caller, found), "half a record");
        // One step more may have been done without anyone being told.
        assert!(
            (*acknowledged..=acknowledged + 1).contains(&found),
            "{caller}: {found} after {acknowledged}"
        );
        assert_eq!(found == *acknowledged, stored.revision == *revision);
        assert_eq!(unfinished.contains(&stored), !stored.record.finished);
        assert_eq!(due.contains(&stored), stored.record.due.is_some());
    }
    assert!(due.len().max(unfinished.len()) <= usize::try_from(CALLERS).unwrap());
    let bodies = std::fs::read_dir(folder.join("large")).unwrap().count();
    assert!(bodies <= usize::try_from(CALLERS).unwrap(), "{bodies} bodies for {CALLERS} records");
}

#[test]
fn nothing_acknowledged_is_lost_to_a_killed_process() {
    if let Some(folder) = env::var_os(FOLDER) {
        return write_until_killed(folder);
    }
    let rounds = env::var("PM_TASK_SLED_KILLS").map_or(5, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    for round in 0..rounds {
        // A different moment each time, the same ones in each run.
        let told = run_and_kill(folder.path(), 20 + round * 37 % 400);
        runtime().block_on(check(folder.path(), &told));
    }
}
