//! A large real workspace, if `PM_LARGE_WORKSPACE` names one: the folder that holds its `.agents/pm`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise, and this one measures"
)]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use pm_tracker_domain::{Dialect, Item, normal_form};
use pm_tracker_ports::{Unwatched, WorkspaceRepository};
use pm_tracker_workspace_pm::{PmWorkspace, WorkspaceRoot, toon};
use serde_json::Value;

fn large() -> Option<WorkspaceRoot> {
    let Some(path) = std::env::var_os("PM_LARGE_WORKSPACE") else {
        eprintln!("SKIPPED large workspace: PM_LARGE_WORKSPACE is not set");
        return None;
    };
    Some(WorkspaceRoot::at(&PathBuf::from(path)).expect("PM_LARGE_WORKSPACE names a workspace"))
}

/// Files with one ending directly below the folders of the tracker root.
fn count(root: &Path, ending: &str) -> usize {
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    files.filter(|path| path.extension().is_some_and(|found| found == ending)).count()
}

/// Resident memory in MB, where the system tells.
fn resident_mb() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? / 1024)
}

/// Removes the nulls that old files hold in the cells of their tables.
fn without_null_cells(value: &mut Value) {
    for key in ["dependencies", "comments", "notes", "learnings", "files", "docs", "tests", "test_runs"] {
        for record in value.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(record) = record.as_object_mut() {
                record.retain(|_, cell| !cell.is_null());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_item_of_a_large_workspace_is_read_and_written_byte_for_byte() {
    let Some(root) = large() else { return };
    let workspace = PmWorkspace::new(root.clone());
    let before = resident_mb();
    let started = Instant::now();
    let snapshot = workspace.snapshot().await.unwrap();
    let loaded = started.elapsed();
    let after = resident_mb();
    let started = Instant::now();
    let again = workspace.fresh_snapshot().await.unwrap();
    let settled = started.elapsed();
    let started = Instant::now();
    let third = workspace.fresh_snapshot().await.unwrap();
    let looked = started.elapsed();
    assert!(Arc::ptr_eq(&snapshot, &again) && Arc::ptr_eq(&again, &third));
    assert_eq!(snapshot.unreadable, [], "every file is an item");
    assert_eq!(snapshot.items.len(), count(&root.tracker, "toon"));
    let (mut equal, mut null_cells) = (0, 0);
    for file in snapshot.items.values() {
        let text = fs::read_to_string(root.tracker.join(&file.path)).unwrap();
        let mut value = toon::decode(&text).unwrap();
        assert_eq!(toon::encode(&value).unwrap(), text, "{}: decoded and encoded", file.path);
        let form = normal_form(&file.item, snapshot.schema.statuses(), Dialect::StoredTests);
        let again = Item::from_file_value(Value::Object(form.clone())).unwrap();
        assert_eq!(
            normal_form(&again, snapshot.schema.statuses(), Dialect::StoredTests),
            form,
            "normal form is stable"
        );
        let form = toon::encode(&Value::Object(form)).unwrap();
        if form == text {
            equal += 1;
            continue;
        }
        without_null_cells(&mut value);
        assert_eq!(form, toon::encode(&value).unwrap(), "{}: only null cells may differ", file.path);
        null_cells += 1;
    }
    eprintln!(
        "items {}: normal form {equal}, null cells {null_cells}; load {loaded:?}, second look {settled:?}, \
         later looks {looked:?}, resident MB {before:?} -> {after:?}",
        snapshot.items.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_chain_of_a_large_workspace_holds_and_ends_at_its_file() {
    let Some(root) = large() else { return };
    let workspace = PmWorkspace::new(root.clone());
    let items = workspace.snapshot().await.unwrap().items.len();
    let started = Instant::now();
    let checks = workspace.check_histories(Arc::new(Unwatched)).await.unwrap();
    let verified = started.elapsed();
    let started = Instant::now();
    assert_eq!(workspace.check_histories(Arc::new(Unwatched)).await.unwrap(), checks);
    let remembered = started.elapsed();
    let broken: Vec<_> = checks.iter().filter(|check| !check.is_sound()).collect();
    let lines = |id: &str| fs::read(root.tracker.join("history").join(format!("{id}.jsonl"))).unwrap();
    let in_files: usize =
        checks.iter().map(|check| lines(&check.id).iter().filter(|byte| **byte == b'\n').count()).sum();
    let entries: usize = checks.iter().map(|check| check.entries).sum();
    assert!(broken.is_empty(), "{broken:?}");
    assert_eq!(checks.len(), count(&root.tracker, "jsonl"));
    assert_eq!(entries, in_files, "every line is an entry");
    let started = Instant::now();
    let heads = workspace.heads(None).await.unwrap();
    let listed = started.elapsed();
    assert_eq!(heads.iter().map(|stream| stream.heads.len()).sum::<usize>(), entries);
    eprintln!(
        "streams {} ({items} items), entries {entries}: verified in {verified:?}, again in {remembered:?}, \
         heads in {listed:?}, resident MB {:?}",
        checks.len(),
        resident_mb()
    );
}
