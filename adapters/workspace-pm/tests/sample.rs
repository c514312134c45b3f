//! Every trap of the format, on a small made-up workspace.
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
use pm_tracker_domain::{
    At, ChainFault, Dialect, PatchError, Timestamp, canonical_json, item_hash, normal_form, normal_metadata,
    replay,
};
use pm_tracker_ports::{
    CheckProgress, FileForm, HistoryCheck, LinkTarget, UnreadableReason, Unwatched, WorkspaceRepository,
};
use pm_tracker_workspace_pm::{PmWorkspace, WorkspaceRoot, toon};
use serde_json::{Value, json};

async fn checks(workspace: &PmWorkspace) -> Vec<HistoryCheck> {
    workspace.check_histories(Arc::new(Unwatched)).await.unwrap()
}

fn of<'a>(checks: &'a [HistoryCheck], id: &str) -> &'a HistoryCheck {
    checks.iter().find(|check| check.id == id).unwrap()
}

#[tokio::test]
async fn the_sample_item_has_the_known_canonical_form_and_hash() {
    let sample = Sample::copied();
    let snapshot = sample.open().snapshot().await.unwrap();
    let item = snapshot.find("#DEMO-k3x9").unwrap();
    assert_eq!((item.title(), item.priority()), ("Retry uploads: back off, then give up", 1));
    let metadata = normal_metadata(item.metadata(), snapshot.schema.statuses(), Dialect::StoredTests);
    let canonical = canonical_json(&json!({"front_matter": metadata, "body": item.body()}));
    assert_eq!(canonical, include_str!("demo-k3x9.canonical.json").trim_end());
    let hash = item_hash(item, snapshot.schema.statuses(), Dialect::StoredTests);
    assert_eq!(hash, "b57f74fbcbe660ab055f8a3f03ad91a09be3a2b6d198398696b4c06407169b7d");
}

#[tokio::test]
async fn every_item_file_round_trips_byte_for_byte() {
    let sample = Sample::copied();
    let snapshot = sample.open().snapshot().await.unwrap();
    let mut seen = 0;
    for file in snapshot.items.values().filter(|file| file.form == FileForm::Toon) {
        let text = sample.read(&file.path);
        assert_eq!(toon::encode(&toon::decode(&text).unwrap()).unwrap(), text, "{}", file.path);
        seen += 1;
    }
    assert_eq!(
        (seen, snapshot.items.len(), snapshot.unreadable.len()),
        (7, 8, 0),
        "{:?}",
        snapshot.unreadable
    );
    assert!(snapshot.settings_problem.is_none() && snapshot.settings.is_writable());
}

#[tokio::test]
async fn every_chain_holds_whatever_hash_version_wrote_it() {
    let sample = Sample::copied();
    let checks = checks(&sample.open()).await;
    for check in checks.iter().filter(|check| check.id != "demo-v9") {
        assert!(check.is_sound(), "{check:?}");
    }
    assert_eq!((checks.len(), of(&checks, "demo-q7aa").entries), (9, 7));
    let future = of(&checks, "demo-v9");
    assert_eq!(future.findings.len(), 1, "{future:?}");
    assert_eq!(future.findings[0].fault, ChainFault::UnsupportedVersion(9));
}

#[tokio::test]
async fn normal_form_drops_null_cells_and_keeps_what_is_unknown() {
    let sample = Sample::copied();
    let snapshot = sample.open().snapshot().await.unwrap();
    let item = snapshot.item("demo-n001").unwrap();
    let form = normal_form(item, snapshot.schema.statuses(), Dialect::StoredTests);
    assert_eq!(
        form["dependencies"],
        json!([
            {"id": "demo-k3x9", "kind": "related", "created_at": "2026-03-02T09:01:00.000Z"},
            {"id": "demo-q7aa", "kind": "custom_kind", "created_at": "2026-03-02T09:02:00.000Z", "author": "mira"},
        ])
    );
    assert_eq!(form["zeta"], json!({"deep": [{"x": 1.5, "y": null}, [1, "two", true]], "empty": {}}));
    assert_eq!((form["comments"][0]["mood"].as_str(), form["alpha"].as_str()), (Some("fine"), Some("null")));
    assert_eq!(form["tests"][1]["provenance"]["author"], json!("agent-7"));
    assert_eq!(form["body"], json!("  indented first line\n\n- item: one\n\n\tlast \"line\""));
    assert_eq!(form.keys().next_back().unwrap(), "body");

    let alias = snapshot.item("demo-p001").unwrap();
    let form = normal_form(alias, snapshot.schema.statuses(), Dialect::StoredTests);
    assert_eq!(
        (form["status"].as_str(), form["goal"].as_str()),
        (Some("in_progress"), Some("No lost upload"))
    );
    assert_eq!((&form["tags"], &form["body"]), (&json!(["a", "b"]), &json!("Parent.")));

    let differing = sample.open().check_forms(Arc::new(Unwatched)).await.unwrap();
    let differing: Vec<_> = differing.iter().map(|check| (check.id.as_str(), check.line)).collect();
    assert_eq!(differing, [("demo-n001", 10), ("demo-p001", 5)]);
}

#[tokio::test]
async fn an_old_form_item_is_read_with_its_body() {
    let sample = Sample::copied();
    let snapshot = sample.open().snapshot().await.unwrap();
    let file = &snapshot.items["demo-old1"];
    assert_eq!((file.form, file.item.body()), (FileForm::Markdown, "Old body.\n\nSecond paragraph."));
    assert_eq!(file.path, "chores/demo-old1.md");
    let text = sample.read("chores/demo-old1.md");
    sample.write("chores/demo-old1.md", text.replace("Old body.", "Old body.\n========="));
    assert!(
        sample.open().snapshot().await.unwrap().items.contains_key("demo-old1"),
        "a heading is no merge mark"
    );
    sample.write("chores/demo-old1.md", text.replace("Old body.", "<<<<<<< ours"));
    assert!(sample.open().snapshot().await.unwrap().unreadable("demo-old1").is_some());
}

#[tokio::test]
async fn an_item_is_shown_as_it_was_at_a_version_or_a_time() {
    let sample = Sample::copied();
    let workspace = sample.open();
    let history = workspace.history("demo-back").await.unwrap();
    assert_eq!((history.exists, history.entries.len(), history.faults.len()), (true, 4, 0));
    assert_eq!(workspace.version("demo-back").await.unwrap(), 4);
    assert_eq!(workspace.version("demo-none").await.unwrap(), 0);
    assert!(!workspace.history("demo-none").await.unwrap().exists);
    let at = |at| replay(&history.entries, at).unwrap();
    assert!(at(At::Version(2)).is_deleted() && !at(At::Version(3)).is_deleted());
    assert_eq!(at(At::Version(4)).metadata["copied"], json!([1, 3]));
    let time = Timestamp::parse("2026-03-02T09:00:30Z").unwrap();
    assert_eq!((at(At::Time(time)).version, at(At::Time(time)).into_item().unwrap().id()), (1, "demo-back"));
    assert!(
        replay(&history.entries, At::Version(5)).is_err()
            && replay(&history.entries, At::Version(0)).is_err()
    );
    assert!(replay(&history.entries, At::Time(Timestamp::from_unix_ms(0))).is_err());
    assert!(workspace.history("../settings").await.is_err());
}

#[tokio::test]
async fn a_bad_file_is_listed_with_its_reason_and_hides_no_other() {
    let sample = Sample::copied();
    let whole = sample.read("tasks/demo-k3x9.toon");
    sample.write("tasks/demo-half.toon", &whole[..whole.len() / 2]);
    sample.write(
        "tasks/demo-noend.toon",
        whole.replace("demo-k3x9", "demo-noend").replace("body: Seen on slow links.\n", ""),
    );
    sample.write("tasks/demo-conf.toon", whole.replace("parent:", "  <<<<<<< ours\nparent:"));
    sample.write("tasks/demo-name.toon", &whole);
    sample.write("tasks/demo-lack.toon", "id: demo-lack\nbody: x\n");
    sample.write("tasks/demo-bin.toon", b"\xff\xfe");
    sample.write("tasks/.demo-tmp.toon.1.tmp", "left over");
    let snapshot = sample.open().snapshot().await.unwrap();
    assert_eq!(snapshot.items.len(), 8);
    let reason = |id: &str| &snapshot.unreadable(id).unwrap().reason;
    assert!(matches!(reason("demo-half"), UnreadableReason::Malformed { .. }));
    assert!(matches!(reason("demo-noend"), UnreadableReason::Malformed { .. }));
    assert!(
        matches!(reason("demo-conf"), UnreadableReason::MergeConflict { line: 14 }),
        "{:?}",
        reason("demo-conf")
    );
    assert!(matches!(reason("demo-name"), UnreadableReason::NameDiffers { id } if id == "demo-k3x9"));
    assert!(matches!(reason("demo-lack"), UnreadableReason::NotAnItem { .. }));
    assert!(matches!(reason("demo-bin"), UnreadableReason::Malformed { .. }));
    assert_eq!(snapshot.unreadable.len(), 6);
}

#[cfg(unix)]
#[tokio::test]
async fn links_that_leave_the_root_are_not_followed() {
    use std::os::unix::fs::symlink;
    let sample = Sample::copied();
    let outside = Sample::copied();
    let item = outside.read("tasks/demo-k3x9.toon").replace("demo-k3x9", "demo-out");
    outside.write("tasks/demo-out.toon", item);
    symlink(outside.tracker.join("tasks/demo-out.toon"), sample.tracker.join("tasks/demo-out.toon")).unwrap();
    symlink(outside.tracker.join("tasks"), sample.tracker.join("meetings")).unwrap();
    symlink(outside.tracker.join("history/demo-k3x9.jsonl"), sample.tracker.join("history/demo-out.jsonl"))
        .unwrap();
    symlink(&outside.repository, sample.repository.join("src/away")).unwrap();
    symlink(outside.repository.join(".agents/skills/tidy"), sample.repository.join(".agents/skills/linked"))
        .unwrap();
    fs::remove_file(sample.repository.join("AGENTS.md")).unwrap();
    symlink(outside.repository.join("AGENTS.md"), sample.repository.join("AGENTS.md")).unwrap();
    let workspace = sample.open();
    let snapshot = workspace.snapshot().await.unwrap();
    assert_eq!(snapshot.unreadable("demo-out").unwrap().reason, UnreadableReason::LeavesRoot);
    let away = snapshot.unreadable.iter().filter(|file| file.reason == UnreadableReason::LeavesRoot).count();
    assert_eq!((away, snapshot.items.len()), (5 + 1, 8), "{:?}", snapshot.unreadable);
    assert!(workspace.history("demo-out").await.is_err());
    assert_eq!(workspace.agent_guide().await.unwrap(), None);
    let skills = workspace.skills().await.unwrap();
    assert_eq!((skills.offered.len(), skills.refused[0].name.as_str()), (1, "linked"));
    let targets = workspace.link_targets(&["src/away/AGENTS.md".to_owned()]).await.unwrap();
    assert_eq!(targets, [LinkTarget::Outside]);
}

#[tokio::test]
async fn one_id_in_two_folders_is_reported_and_served_once() {
    let sample = Sample::copied();
    sample.write("issues/demo-k3x9.toon", sample.read("tasks/demo-k3x9.toon"));
    sample
        .write("tasks/demo-old1.toon", sample.read("tasks/demo-k3x9.toon").replace("demo-k3x9", "demo-old1"));
    let snapshot = sample.open().snapshot().await.unwrap();
    assert_eq!(snapshot.duplicates.len(), 2);
    assert_eq!(snapshot.duplicates[0].paths, ["issues/demo-k3x9.toon", "tasks/demo-k3x9.toon"]);
    assert_eq!(snapshot.items["demo-k3x9"].path, "issues/demo-k3x9.toon");
    assert_eq!(snapshot.items["demo-old1"].form, FileForm::Toon, "the present form wins over the old one");
}

#[tokio::test]
async fn settings_that_are_not_json_leave_the_defaults_and_say_so() {
    let sample = Sample::copied();
    sample.write("settings.json", "{ \"version\": 1,");
    sample.write("schema/types.json", "<<<<<<< ours\n{}\n");
    let snapshot = sample.open().snapshot().await.unwrap();
    assert!(snapshot.settings_problem.as_ref().unwrap().detail.contains("not JSON"));
    assert_eq!((snapshot.settings.id_prefix.as_str(), snapshot.settings.is_writable()), ("pm-", false));
    assert!(
        snapshot.schema_problems[0].to_string().contains("unresolved merge"),
        "{:?}",
        snapshot.schema_problems
    );
    assert!(snapshot.items.contains_key("demo-k3x9"));
}

#[tokio::test]
async fn every_kind_of_broken_history_is_found() {
    let sample = Sample::copied();
    let stream = sample.read("history/demo-k3x9.jsonl");
    let lines: Vec<&str> = stream.lines().collect();
    let workspace = sample.open();
    let found = async |bytes: String| {
        sample.write("history/demo-k3x9.jsonl", bytes);
        of(&checks(&workspace).await, "demo-k3x9").clone()
    };
    let faults = |check: &HistoryCheck| {
        check.findings.iter().map(|f| (f.version, f.fault.clone())).collect::<Vec<_>>()
    };

    let torn = found(stream.trim_end()[..stream.len() - 9].to_owned()).await;
    assert!(torn.faults[0].torn && torn.faults[0].line == 3, "{torn:?}");
    assert_eq!(faults(&torn), [(None, ChainFault::TipDiffers)]);

    let gap = found(format!("{}\n{}\n", lines[0], lines[2])).await;
    let gap = faults(&gap);
    assert_eq!(gap[0], (Some(2), ChainFault::BeforeHash));
    assert!(gap.contains(&(Some(2), ChainFault::AfterHash)));

    let altered = found(stream.replace("retry loop", "retry hoop")).await;
    assert_eq!(faults(&altered), [(Some(3), ChainFault::AfterHash)]);

    let nowhere = found(stream.replacen(
        "\"op\":\"replace\",\"path\":\"/body\"",
        "\"op\":\"replace\",\"path\":\"/x/y\"",
        1,
    ))
    .await;
    let pointer = "/x/y".to_owned();
    assert_eq!(
        faults(&nowhere)[0],
        (Some(1), ChainFault::Patch(PatchError::NothingThere { index: 0, pointer }))
    );

    let foreign = found(format!("not json\n{stream}")).await;
    assert_eq!((foreign.faults[0].line, foreign.faults[0].torn, foreign.findings.len()), (1, false, 0));

    assert!(found(stream.clone()).await.is_sound(), "mended again");
    let versions = sample.read("history/demo-q7aa.jsonl");
    sample.write(
        "history/demo-q7aa.jsonl",
        versions.replace("\"event_class\":\"mutation\"", "\"event_class\":\"other\""),
    );
    fs::remove_file(sample.tracker.join("tasks/demo-back.toon")).unwrap();
    let gone = sample.read("tasks/demo-fall.toon").replace("demo-fall", "demo-gone");
    sample.write("tasks/demo-gone.toon", gone);
    fs::remove_file(sample.tracker.join("history/demo-fall.jsonl")).unwrap();
    let checks = checks(&workspace).await;
    assert_eq!(faults(of(&checks, "demo-q7aa")), [(Some(7), ChainFault::RecordHash)]);
    assert_eq!(faults(of(&checks, "demo-back")), [(None, ChainFault::FileMissing)]);
    assert_eq!(faults(of(&checks, "demo-gone")), [(None, ChainFault::DeletedItemIsBack)]);
    assert!(!of(&checks, "demo-fall").exists);
}

#[tokio::test]
async fn the_history_of_settings_is_compared_with_the_files() {
    let sample = Sample::copied();
    let settings: Value = serde_json::from_str(&sample.read("settings.json")).unwrap();
    let entry = json!({"ts": "2026-03-02T09:00:00.000Z", "author": "mira", "op": "settings",
        "patch": [{"op": "add", "path": "/metadata/documents", "value": {"settings.json": settings}}],
        "before_hash": "3cc22dff72be7b14824654a7a64ea62b04799939b2fee54c1b5f52ca60bf6df0", "after_hash": ""});
    sample.write("history/_workspace.jsonl", format!("{entry}\n"));
    let workspace = sample.open();
    let differs = |checks: &[HistoryCheck]| of(checks, "_workspace").differing_documents == ["settings.json"];
    assert!(!differs(&checks(&workspace).await));
    sample.write("settings.json", sample.read("settings.json").replace("demo-", "other-"));
    assert!(differs(&checks(&workspace).await));
}

#[derive(Debug)]
struct StopAtOnce;

impl CheckProgress for StopAtOnce {
    fn advanced(&self, _checked: usize, _total: usize) {}

    fn is_cancelled(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn a_cancelled_check_hands_out_only_what_is_finished() {
    let sample = Sample::copied();
    assert!(sample.open().check_histories(Arc::new(StopAtOnce)).await.unwrap().is_empty());
}

#[tokio::test]
async fn heads_tell_who_did_what_without_the_patches() {
    let sample = Sample::copied();
    let workspace = sample.open();
    let all = workspace.heads(None).await.unwrap();
    assert_eq!(all.len(), 9);
    let some = workspace.heads(Some(&["demo-k3x9".to_owned(), "demo-none".to_owned()])).await.unwrap();
    let last = &some[0].heads[2];
    assert_eq!((last.version, &*last.op, &*last.author, last.patch_count), (3, "comment_add", "agent-7", 5));
    assert_eq!((last.message.as_deref(), some[1].heads.len()), (Some("First plan"), 0));
}

#[tokio::test]
async fn guide_skills_session_and_health_are_read_within_their_bounds() {
    let sample = Sample::copied();
    let skill = |name: &str, text: String| {
        let folder = sample.repository.join(".agents/skills").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("SKILL.md"), text).unwrap();
    };
    skill("Odd Name", "x".to_owned());
    skill("huge", "x".repeat((256 << 10) + 1));
    for n in 0..100 {
        skill(&format!("many-{n:03}"), "y".to_owned());
    }
    sample.write("runtime/session.json", "{\"focused_item\": \"demo-p001\", \"other\": 1}");
    sample.write(
        "locks/demo-k3x9.lock",
        "{\"id\": \"demo-k3x9\", \"pid\": 4711, \"owner\": \"agent-7\",
        \"created_at\": \"2026-03-02T08:09:30.240Z\", \"ttl_seconds\": 1800}",
    );
    sample.write("locks/bad.lock", "{");
    let workspace = sample.open();
    assert_eq!(workspace.agent_guide().await.unwrap().unwrap(), "# Guide\n\nLook first, then claim.\n");
    fs::write(sample.repository.join("AGENTS.md"), "é".repeat(40_000)).unwrap();
    assert_eq!(workspace.agent_guide().await.unwrap().unwrap().chars().count(), 32_000);
    let skills = workspace.skills().await.unwrap();
    assert_eq!(skills.offered.len() + skills.refused.len(), 103);
    assert_eq!(skills.offered.len(), 98, "100 folders, less the odd name and the huge file");
    assert!(skills.refused.iter().any(|refused| refused.name == "tidy" && refused.reason.contains("limit")));
    assert_eq!(workspace.session().await.unwrap().focused_item.as_deref(), Some("demo-p001"));
    let health = workspace.health().await.unwrap();
    let lock = health.locks.iter().find(|lock| lock.name == "demo-k3x9").unwrap();
    assert_eq!(
        (lock.owner.as_deref(), lock.pid, lock.taken_ms),
        (Some("agent-7"), Some(4711), 1_772_438_970_240)
    );
    assert!(lock.readable && !health.locks[0].readable);
    assert!(health.folders.iter().any(|folder| folder.path == "stories" && folder.files == 1));
    let paths = ["src/upload.rs", "src", "none.rs", "../x", "/etc/passwd", "src\\upload.rs", "a/../../x"];
    let targets = workspace.link_targets(&paths.map(str::to_owned)).await.unwrap();
    use LinkTarget::{File, Folder, Missing, Outside};
    assert_eq!(targets, [File, Folder, Missing, Outside, Outside, File, Outside]);
}

#[test]
fn a_workspace_is_found_by_path_and_upward() {
    let sample = Sample::copied();
    let root = WorkspaceRoot::at(&sample.repository).unwrap();
    assert_eq!((&root.tracker, &root.repository), (&sample.tracker, &sample.repository));
    assert_eq!(WorkspaceRoot::at(&sample.tracker).unwrap(), root);
    assert_eq!(WorkspaceRoot::find_from(&sample.repository.join("src")).unwrap(), root);
    assert_eq!(WorkspaceRoot::find_from(&sample.tracker.join("history")).unwrap(), root);
    assert!(WorkspaceRoot::at(&sample.repository.join("src")).is_err());
    fs::write(sample.repository.join("src/settings.json"), "{\"editor\": true}").unwrap();
    assert_eq!(
        WorkspaceRoot::find_from(&sample.repository.join("src")).unwrap(),
        root,
        "another program's settings"
    );
}
