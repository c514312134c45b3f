//! What a change leaves on disk.

use pm_tracker_domain::{
    Agent, HistoryEntry,
    change::{Change, FieldEdits, LinkKind, LogKind, NewItem},
};
use pm_tracker_ports::{Edit, FileForm, Target, WorkspaceRepository, WorkspaceWriter};
use serde_json::{Value, json};

use crate::desk::{Desk, forced, now, request, update};

fn new_item(title: &str) -> Change {
    Change::Create(Box::new(NewItem { title: title.to_owned(), ..NewItem::default() }))
}

#[tokio::test]
async fn a_new_item_gets_an_unused_id_a_file_in_its_folder_and_a_history() {
    let desk = Desk::new();
    let mut fields = json!({"tags": ["B", "a"], "parent": "p001", "deadline": "2026-05-01"});
    let new = NewItem {
        title: " Count the sheep ".to_owned(),
        type_name: Some("issue".to_owned()),
        fields: fields.as_object_mut().unwrap().clone(),
        body: "\nOne.\n\n".to_owned(),
        ..NewItem::default()
    };
    let mut request = request(Change::Create(Box::new(new)));
    request.by.agent = Some(Agent { name: "tester".to_owned(), version: "1.2".to_owned() });
    let edit = Edit { target: Target::New, request, world: desk.world().await, now: now() };
    let written = desk.workspace.edit(edit).await.unwrap();
    assert_eq!((written.version, written.op.as_str(), written.before.is_none()), (1, "create", true));
    let token = written.id.strip_prefix("demo-").unwrap();
    assert!(
        token.len() == 6 && token.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()),
        "{token}"
    );
    let text = desk.sample.read(&format!("issues/{}.toon", written.id));
    assert!(text.contains("tags[2]: a,b\n") && text.ends_with("body: One.\n"), "{text}");
    assert!(desk.is_sound(&written.id).await);
    let stream = desk.sample.read(&format!("history/{}.jsonl", written.id));
    let entry = HistoryEntry::parse(stream.trim_end()).unwrap();
    assert_eq!(entry.members()["agent_harness"], "tester");
    assert_eq!(
        (entry.author(), entry.ts(), entry.item_hash_version()),
        ("agent-7", "2026-03-03T08:00:00.000Z", Some(2))
    );
    assert_eq!(desk.names("locks"), [""; 0]);
}

#[tokio::test]
async fn every_kind_of_change_keeps_chain_file_and_normal_form_in_step() {
    let desk = Desk::new();
    let id = "demo-k3x9";
    let text = |text: &str| text.to_owned();
    let changes = [
        update(
            json!({"priority": 3, "title": "Other: title", "type_options": {"b": "1", "a": " "}, "order": 2.0}),
        ),
        Change::Update(Box::new(FieldEdits {
            append_body: Some(text("More.\n<<<<<<< no mark")),
            ..FieldEdits::default()
        })),
        Change::LogAdd { log: LogKind::Comment, text: text("said, \"so\"\nand\tmore") },
        Change::LogAdd { log: LogKind::Learning, text: text("learned") },
        Change::LogEdit { log: LogKind::Comment, index: 1, text: text("mended") },
        Change::LinkAdd { list: LinkKind::Doc, path: text("docs/a b.md"), note: None },
        Change::LinkRemove { list: LinkKind::File, path: text("src/net.rs") },
        Change::Release,
        Change::Claim { if_available: false },
        Change::Close(Default::default()),
        Change::Reopen { reason: text("again"), status: None },
        Change::Delete { reason: text("wrong") },
        Change::Restore { version: None, reason: text("right") },
        Change::Restore { version: Some(2), reason: text("older") },
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let request = pm_tracker_domain::change::ChangeRequest {
            message: Some(text("why")),
            ..request(change.clone())
        };
        let written = desk.ask(id, request).await.unwrap_or_else(|error| panic!("{change:?}: {error}"));
        assert_eq!((written.version, written.wrote), (4 + at, true), "{change:?}");
        assert!(desk.is_sound(id).await, "{change:?}: {:?}", desk.check(id).await);
        let forms =
            desk.workspace.check_forms(std::sync::Arc::new(pm_tracker_ports::Unwatched)).await.unwrap();
        assert!(!forms.iter().any(|form| form.id == id), "{change:?}");
    }
    assert_eq!(desk.names("tasks").iter().filter(|name| name.starts_with('.')).count(), 0);
}

#[tokio::test]
async fn what_changes_nothing_writes_nothing() {
    let desk = Desk::new();
    let before = (desk.sample.read("tasks/demo-k3x9.toon"), desk.sample.read("history/demo-k3x9.jsonl"));
    let written =
        desk.make("demo-k3x9", update(json!({"priority": 1, "tags": ["Reliability", "area:upload"]}))).await;
    assert!(!written.wrote && written.version == 3 && written.changed_fields.is_empty());
    assert_eq!(
        (desk.sample.read("tasks/demo-k3x9.toon"), desk.sample.read("history/demo-k3x9.jsonl")),
        before
    );
}

#[tokio::test]
async fn unknown_keys_survive_at_every_level() {
    let desk = Desk::new();
    let file = desk.sample.read("tasks/demo-k3x9.toon");
    let file = file
        .replace("body: ", "future_key:\n  deep:\n    list[2]: 1,2.5\n  none: null\nzz: last\nbody: ")
        .replace(
            "tests[1]{command,scope,timeout_seconds}:\n  cargo test upload,project,120",
            "tests[1]{command,scope,timeout_seconds,provenance}:\n  cargo test upload,project,120,later",
        );
    assert!(file.contains("future_key") && file.contains("provenance"));
    desk.sample.write("tasks/demo-k3x9.toon", &file);
    desk.ask("demo-k3x9", forced(update(json!({"priority": 0})))).await.unwrap();
    let item = desk.workspace.fresh_snapshot().await.unwrap().find("k3x9").unwrap().clone();
    assert_eq!(item.metadata()["future_key"], json!({"deep": {"list": [1, 2.5]}, "none": null}));
    assert_eq!(item.metadata()["tests"][0]["provenance"], "later");
    assert_eq!(item.metadata()["zz"], "last");
    assert!(desk.is_sound("demo-k3x9").await);
}

#[tokio::test]
async fn a_change_of_type_moves_the_file() {
    let desk = Desk::new();
    desk.make("demo-k3x9", update(json!({"type": "chore"}))).await;
    assert!(!desk.names("tasks").contains(&"demo-k3x9.toon".to_owned()));
    assert!(desk.sample.read("chores/demo-k3x9.toon").contains("\ntype: Chore\n"));
    assert!(desk.is_sound("demo-k3x9").await);
}

#[tokio::test]
async fn the_old_form_becomes_the_present_one() {
    let desk = Desk::new();
    let before = desk.workspace.snapshot().await.unwrap().items["demo-old1"].clone();
    assert_eq!(before.form, FileForm::Markdown);
    desk.make("demo-old1", update(json!({"priority": 0}))).await;
    assert!(!desk.names("chores").contains(&"demo-old1.md".to_owned()));
    let after = desk.workspace.snapshot().await.unwrap().items["demo-old1"].clone();
    assert_eq!((after.form, after.item.body()), (FileForm::Toon, before.item.body()));
    assert!(desk.is_sound("demo-old1").await);
}

#[tokio::test]
async fn an_item_without_history_gets_one_where_the_settings_allow_it() {
    let desk = Desk::new();
    std::fs::remove_file(desk.sample.tracker.join("history/demo-k3x9.jsonl")).unwrap();
    let written = desk.make("demo-k3x9", update(json!({"priority": 0}))).await;
    assert_eq!(written.version, 1);
    assert!(desk.is_sound("demo-k3x9").await);
    desk.sample.write("history/demo-k3x9.jsonl", "");
    let settings = desk.sample.read("settings.json").replace("auto_create", "strict_error");
    desk.sample.write("settings.json", settings);
    let refused =
        desk.ask("demo-k3x9", forced(update(json!({"priority": 3})))).await.unwrap_err().to_string();
    assert!(refused.contains("is empty") && refused.contains("history.missing_stream"), "{refused}");
}

#[tokio::test]
async fn a_line_without_end_is_ended_before_the_next() {
    let desk = Desk::new();
    let stream = desk.sample.read("history/demo-k3x9.jsonl");
    desk.sample.write("history/demo-k3x9.jsonl", stream.trim_end());
    desk.make("demo-k3x9", update(json!({"priority": 0}))).await;
    let after = desk.sample.read("history/demo-k3x9.jsonl");
    assert!(after.starts_with(&stream) && after.lines().count() == 4);
    assert!(desk.is_sound("demo-k3x9").await);
}

#[tokio::test]
async fn a_write_is_seen_by_the_next_look() {
    let desk = Desk::new();
    for priority in [0, 3, 2] {
        let _seen = desk.workspace.snapshot().await.unwrap();
        desk.make("demo-k3x9", update(json!({"priority": priority}))).await;
        let item = desk.workspace.snapshot().await.unwrap().find("k3x9").unwrap().clone();
        assert_eq!(u64::from(item.priority()), priority);
    }
}

#[tokio::test]
async fn the_focus_is_set_and_cleared_beside_what_else_the_session_holds() {
    let desk = Desk::new();
    desk.workspace.focus(Some("demo-p001")).await.unwrap();
    assert_eq!(desk.workspace.session().await.unwrap().focused_item.as_deref(), Some("demo-p001"));
    desk.sample.write("runtime/session.json", "{\"other\": [1], \"focused_item\": \"demo-p001\"}");
    desk.workspace.focus(None).await.unwrap();
    let session: Value = serde_json::from_str(&desk.sample.read("runtime/session.json")).unwrap();
    assert_eq!(session, json!({"other": [1]}));
    desk.sample.write("runtime/session.json", "[broken");
    assert!(desk.workspace.focus(Some("demo-p001")).await.is_err());
    assert_eq!(desk.sample.read("runtime/session.json"), "[broken");
}

#[tokio::test]
async fn many_new_items_at_once_have_ids_of_their_own() {
    let desk = Desk::new();
    let world = desk.world().await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..24 {
        let (workspace, world) = (desk.workspace.clone(), world.clone());
        tasks.spawn(async move {
            let request = request(new_item(&format!("Wholly different words {number}")));
            let request = pm_tracker_domain::change::ChangeRequest { ..request };
            let edit = Edit { target: Target::New, request, world, now: now() };
            workspace.edit(edit).await.unwrap().id
        });
    }
    let ids: std::collections::BTreeSet<String> = tasks.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 24);
}
