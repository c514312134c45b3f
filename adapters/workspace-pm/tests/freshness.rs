//! What a snapshot notices and what it keeps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "a test stops at the first surprise"
)]

mod common;

use std::{fs, sync::Arc};

use common::Sample;
use pm_tracker_ports::WorkspaceRepository;
use pm_tracker_workspace_pm::PAUSE_BETWEEN_LOOKS;

#[tokio::test(start_paused = true)]
async fn within_the_pause_the_same_snapshot_is_handed_out() {
    let sample = Sample::copied();
    let workspace = sample.open();
    let first = workspace.snapshot().await.unwrap();
    sample.write(
        "tasks/demo-k3x9.toon",
        sample.read("tasks/demo-k3x9.toon").replace("slow links", "fast links"),
    );
    assert!(Arc::ptr_eq(&first, &workspace.snapshot().await.unwrap()));
    tokio::time::advance(PAUSE_BETWEEN_LOOKS).await;
    let second = workspace.snapshot().await.unwrap();
    assert_eq!(second.item("demo-k3x9").unwrap().body(), "Seen on fast links.");
    assert_eq!(second.revision, first.revision + 1);
}

#[tokio::test]
async fn an_edit_of_the_same_length_in_the_same_tick_is_noticed() {
    let sample = Sample::copied();
    let workspace = sample.open();
    for round in 0..20 {
        let text = sample.read("tasks/demo-k3x9.toon");
        let before = workspace.fresh_snapshot().await.unwrap();
        let (from, to) = if round % 2 == 0 { ("slow", "fast") } else { ("fast", "slow") };
        sample.write("tasks/demo-k3x9.toon", text.replace(from, to));
        let after = workspace.fresh_snapshot().await.unwrap();
        assert!(after.item("demo-k3x9").unwrap().body().contains(to));
        assert_eq!(after.revision, before.revision + 1);
    }
}

#[tokio::test]
async fn the_same_bytes_again_change_nothing() {
    let sample = Sample::copied();
    let workspace = sample.open();
    let first = workspace.fresh_snapshot().await.unwrap();
    sample.write("tasks/demo-k3x9.toon", sample.read("tasks/demo-k3x9.toon"));
    sample.write("settings.json", sample.read("settings.json"));
    let second = workspace.fresh_snapshot().await.unwrap();
    assert!(Arc::ptr_eq(&first, &second));
}

#[tokio::test]
async fn items_that_did_not_change_keep_their_place_in_memory() {
    let sample = Sample::copied();
    let workspace = sample.open();
    let first = workspace.fresh_snapshot().await.unwrap();
    fs::remove_file(sample.tracker.join("tasks/demo-fall.toon")).unwrap();
    sample
        .write("tasks/demo-new1.toon", sample.read("tasks/demo-k3x9.toon").replace("demo-k3x9", "demo-new1"));
    let second = workspace.fresh_snapshot().await.unwrap();
    assert!(second.item("demo-fall").is_none() && second.item("demo-new1").is_some());
    assert!(Arc::ptr_eq(first.item("demo-n001").unwrap(), second.item("demo-n001").unwrap()));
}

#[tokio::test]
async fn a_new_type_brings_its_folder_in() {
    let sample = Sample::copied();
    let workspace = sample.open();
    sample.write(
        "probes/demo-pr01.toon",
        sample.read("tasks/demo-k3x9.toon").replace("demo-k3x9", "demo-pr01"),
    );
    let before = workspace.fresh_snapshot().await.unwrap();
    assert!(before.item("demo-pr01").is_none());
    sample.write("schema/types.json", "{\"definitions\": [{\"name\": \"Probe\"}]}");
    let after = workspace.fresh_snapshot().await.unwrap();
    assert!(after.item("demo-pr01").is_some());
    assert!(after.item("demo-v9").is_none(), "the folder of a type that is gone is no longer looked at");
}

#[tokio::test]
async fn a_longer_history_is_a_new_revision_and_a_new_version() {
    let sample = Sample::copied();
    let workspace = sample.open();
    let before = workspace.fresh_snapshot().await.unwrap();
    assert_eq!(workspace.version("demo-k3x9").await.unwrap(), 3);
    let stream = sample.read("history/demo-k3x9.jsonl");
    let last = stream.lines().next_back().unwrap();
    sample.write("history/demo-k3x9.jsonl", format!("{stream}{last}\n"));
    assert_eq!(workspace.version("demo-k3x9").await.unwrap(), 4);
    let after = workspace.fresh_snapshot().await.unwrap();
    assert_eq!(after.revision, before.revision + 1);
}

#[tokio::test]
async fn a_root_that_is_gone_is_an_error_and_comes_back() {
    let sample = Sample::copied();
    let workspace = sample.open();
    workspace.fresh_snapshot().await.unwrap();
    let away = sample.repository.join("away");
    fs::rename(&sample.tracker, &away).unwrap();
    assert!(workspace.fresh_snapshot().await.is_err());
    fs::rename(&away, &sample.tracker).unwrap();
    assert!(workspace.fresh_snapshot().await.unwrap().item("demo-k3x9").is_some());
}
