//! What an edit takes of memory when its item has a long history. Alone in its process, whose peak is looked at.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "a test stops at the first surprise, and uses a part of what the tests of writing share"
)]

#[path = "common/mod.rs"]
mod common;
#[path = "writing/desk.rs"]
mod desk;

use std::{
    fs::{self, OpenOptions},
    io::{BufWriter, Write as _},
};

use pm_tracker_domain::change::{Change, FieldEdits};
use serde_json::json;

use desk::{Desk, update};

const ID: &str = "demo-k3x9";
const PAIRS: usize = 8_000;

/// The most memory that this process has held so far, in KiB, where the system tells.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[tokio::test]
async fn an_edit_takes_no_more_memory_for_a_long_history() {
    let desk = Desk::new();
    let (one, other) = ("a".repeat(2_000), "b".repeat(2_000));
    for body in [&one, &other, &one] {
        let edits = FieldEdits { body: Some(body.clone()), ..FieldEdits::default() };
        desk.make(ID, Change::Update(Box::new(edits))).await;
    }
    let path = format!("history/{ID}.jsonl");
    let text = desk.sample.read(&path);
    let lines: Vec<&str> = text.lines().collect();
    let &[.., there, back] = lines.as_slice() else { panic!("three edits, three entries") };
    let short = lines.len();
    let file = OpenOptions::new().append(true).open(desk.sample.tracker.join(&path)).unwrap();
    let mut file = BufWriter::new(file);
    for _ in 0..PAIRS {
        writeln!(file, "{there}\n{back}").unwrap();
    }
    file.into_inner().unwrap().sync_all().unwrap();
    let bytes = fs::metadata(desk.sample.tracker.join(&path)).unwrap().len();

    let before = peak_kib();
    let written = desk.make(ID, update(json!({"priority": 4}))).await;
    let version = short + 2 * PAIRS + 1;
    assert_eq!(written.version, version);
    let restored = desk.make(ID, Change::Restore { version: Some(short), reason: "r".to_owned() }).await;
    assert_eq!(restored.version, version + 1);
    assert_eq!(restored.after.unwrap().body().trim_end(), one);
    let Some((before, after)) = before.zip(peak_kib()) else {
        return eprintln!("SKIPPED memory of an edit: the system does not tell the peak of a process");
    };
    let (grown, whole) = (after - before, bytes >> 10);
    assert!(grown < whole / 8, "two edits took {grown} KiB for a history of {whole} KiB");
}
