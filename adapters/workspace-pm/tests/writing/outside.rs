//! Beside people who edit files by hand, and programs that are newer.

use pm_tracker_domain::{Signature, change::Change, check::Repair};
use pm_tracker_ports::{RepairOrder, WorkspaceWriter, WriteError};
use serde_json::json;

use crate::desk::{Desk, forced, now, request, update};

async fn repaired(desk: &Desk, id: &str, repair: Repair, path: Option<&str>) -> Option<String> {
    let order = RepairOrder {
        repair,
        id: id.to_owned(),
        path: path.map(str::to_owned),
        by: Signature::asserted("agent-7"),
        world: desk.world().await,
        now: now(),
        force: false,
    };
    desk.workspace.repair(order).await.unwrap()
}

#[tokio::test]
async fn a_hand_edit_is_not_overwritten_unasked_and_can_be_adopted() {
    let desk = Desk::new();
    let edited = desk.sample.read("tasks/demo-k3x9.toon").replace("priority: 1", "priority: 4");
    desk.sample.write("tasks/demo-k3x9.toon", &edited);
    let refused = desk.ask("demo-k3x9", request(update(json!({"goal": "g"})))).await.unwrap_err();
    assert!(matches!(refused, WriteError::HistoryUnreadable { forcible: true, .. }), "{refused}");
    assert_eq!(desk.sample.read("tasks/demo-k3x9.toon"), edited);
    let done = repaired(&desk, "demo-k3x9", Repair::AppendHistoryRepair, None).await;
    assert_eq!(done.as_deref(), Some("led the history to what the file holds"));
    assert_eq!((desk.sample.read("tasks/demo-k3x9.toon"), desk.version("demo-k3x9").await), (edited, 4));
    assert!(desk.is_sound("demo-k3x9").await);
    assert_eq!(repaired(&desk, "demo-k3x9", Repair::AppendHistoryRepair, None).await, None);
    desk.make("demo-k3x9", update(json!({"goal": "g"}))).await;
}

#[tokio::test]
async fn force_takes_a_hand_edit_along() {
    let desk = Desk::new();
    let edited = desk.sample.read("tasks/demo-k3x9.toon").replace("priority: 1", "priority: 4");
    desk.sample.write("tasks/demo-k3x9.toon", edited);
    desk.ask("demo-k3x9", forced(update(json!({"goal": "g"})))).await.unwrap();
    let text = desk.sample.read("tasks/demo-k3x9.toon");
    assert!(text.contains("priority: 4") && text.contains("goal: g"));
    assert!(desk.is_sound("demo-k3x9").await && desk.version("demo-k3x9").await == 4);
}

#[tokio::test]
async fn repairs_begin_histories_normalize_files_and_take_dead_links_out() {
    let desk = Desk::new();
    std::fs::remove_file(desk.sample.tracker.join("history/demo-k3x9.jsonl")).unwrap();
    assert!(repaired(&desk, "demo-k3x9", Repair::CreateHistory, None).await.is_some());
    assert!(desk.is_sound("demo-k3x9").await && desk.version("demo-k3x9").await == 1);
    let swapped = desk
        .sample
        .read("tasks/demo-k3x9.toon")
        .replace("\"area:upload\",reliability", "reliability,\"area:upload\"");
    desk.sample.write("tasks/demo-k3x9.toon", &swapped);
    assert!(repaired(&desk, "demo-k3x9", Repair::Normalize, None).await.is_some());
    assert_ne!(desk.sample.read("tasks/demo-k3x9.toon"), swapped);
    assert!(desk.is_sound("demo-k3x9").await && desk.version("demo-k3x9").await == 1);
    assert!(repaired(&desk, "demo-k3x9", Repair::RemoveDeadLink, Some("src/net.rs")).await.is_some());
    assert!(!desk.sample.read("tasks/demo-k3x9.toon").contains("src/net.rs"));
    assert_eq!(repaired(&desk, "demo-k3x9", Repair::RemoveDeadLink, Some("src/net.rs")).await, None);
    assert!(desk.is_sound("demo-k3x9").await);
}

#[tokio::test]
async fn what_only_newer_or_broken_writers_understand_is_left_alone() {
    let change = || forced(update(json!({"goal": "g"})));
    let path = "tasks/demo-k3x9.toon";

    let desk = Desk::new();
    let merging = desk
        .sample
        .read(path)
        .replace("priority: 1", "<<<<<<< ours\npriority: 1\n=======\npriority: 2\n>>>>>>> theirs");
    desk.sample.write(path, &merging);
    let refused = desk.ask("demo-k3x9", change()).await.unwrap_err();
    assert!(matches!(&refused, WriteError::ItemUnreadable { path: p, .. } if p == path), "{refused}");
    assert_eq!(desk.sample.read(path), merging);

    let desk = Desk::new();
    let newer = desk.sample.read(path).replace("type: Task\n", "type: Task\npm_format_version: 2\n");
    desk.sample.write(path, &newer);
    let refused = desk.ask("demo-k3x9", change()).await.unwrap_err();
    assert_eq!(refused, WriteError::FormatVersion { id: "demo-k3x9".to_owned(), version: 2, known: 1 });

    let desk = Desk::new();
    let stream = desk
        .sample
        .read("history/demo-k3x9.jsonl")
        .replace("\"item_hash_version\":2,\"message\"", "\"item_hash_version\":4,\"message\"");
    desk.sample.write("history/demo-k3x9.jsonl", &stream);
    let refused = desk.ask("demo-k3x9", change()).await.unwrap_err();
    assert_eq!(refused, WriteError::HistoryEpoch { id: "demo-k3x9".to_owned(), version: 4 });

    let desk = Desk::new();
    let stream = desk.sample.read("history/demo-k3x9.jsonl");
    let torn = &stream[..stream.len() - 40];
    desk.sample.write("history/demo-k3x9.jsonl", torn);
    let refused = desk.ask("demo-k3x9", change()).await.unwrap_err();
    assert!(matches!(refused, WriteError::HistoryUnreadable { forcible: false, .. }), "{refused}");
    assert_eq!(desk.sample.read("history/demo-k3x9.jsonl"), torn);
    let done = repaired(&desk, "demo-k3x9", Repair::DropTornLine, None).await.unwrap();
    assert!(done.contains("unfinished line") && done.contains("led the history"), "{done}");
    assert!(desk.is_sound("demo-k3x9").await && desk.version("demo-k3x9").await == 3);

    let desk = Desk::new();
    let settings = desk.sample.read("settings.json").replace("\"max_results\": 50,", "");
    desk.sample.write("settings.json", settings);
    let refused = desk.ask("demo-k3x9", change()).await.unwrap_err().to_string();
    assert!(refused.contains("search.max_results"), "{refused}");

    let desk = Desk::new();
    desk.sample.write("chores/demo-k3x9.toon", desk.sample.read(path));
    let refused = desk.ask("demo-k3x9", change()).await.unwrap_err();
    assert!(matches!(refused, WriteError::ItemUnreadable { .. }), "{refused}");
}

#[cfg(unix)]
#[tokio::test]
async fn links_that_leave_the_root_are_not_followed() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    let outside = tempfile::TempDir::new().unwrap();
    let stream = desk.sample.tracker.join("history/demo-k3x9.jsonl");
    let elsewhere = outside.path().join("stream");
    std::fs::rename(&stream, &elsewhere).unwrap();
    symlink(&elsewhere, &stream).unwrap();
    assert!(desk.ask("demo-k3x9", forced(update(json!({"goal": "g"})))).await.is_err());
    std::fs::remove_dir_all(desk.sample.tracker.join("chores")).unwrap();
    symlink(outside.path(), desk.sample.tracker.join("chores")).unwrap();
    let refused = desk.ask("demo-q7aa", forced(update(json!({"type": "Chore"})))).await.unwrap_err();
    assert!(matches!(refused, WriteError::Storage { half_done: false, .. }), "{refused}");
    assert!(desk.is_sound("demo-q7aa").await);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    for id in ["../x", "a/b", ".hidden", "A", ""] {
        let refused = desk.ask(id, request(Change::Release)).await.unwrap_err();
        assert!(matches!(refused, WriteError::Refused(_)), "{id}: {refused}");
    }
}
