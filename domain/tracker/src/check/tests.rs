//! Each check is seen to fire and to stay silent.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::board::Board;
use crate::samples::{board, items};
use crate::{ChainFault, ChainFinding, SchemaFiles, SchemaProblem, Settings, Timestamp, WorkspaceSchema};

fn codes(row: &CheckRow) -> Vec<(&str, &'static str)> {
    assert_eq!(row.counts["findings"], row.findings.len() as u64);
    row.findings.iter().map(|finding| (finding.item.as_deref().unwrap_or("-"), finding.code)).collect()
}

fn with_board<T>(list: Value, look: impl FnOnce(&Board) -> T) -> T {
    let items = items(list);
    look(&board(&items))
}

fn defaults() -> Settings {
    Settings::read(&json!({}))
}

#[test]
fn names_lead_back_to_checks() {
    for check in ValidationCheck::ALL {
        assert_eq!(ValidationCheck::parse(check.name()), Some(check));
    }
    for check in HealthCheck::ALL {
        assert_eq!(HealthCheck::parse(check.name()), Some(check));
    }
    for repair in Repair::ALL {
        assert_eq!(serde_json::to_value(repair).unwrap(), repair.name());
    }
}

#[test]
fn metadata_names_what_an_item_lacks() {
    let fields = json!({"fields": [{"key": "team", "type": "string", "required_types": ["Task"]}]});
    let (schema, _) = WorkspaceSchema::read(SchemaFiles { fields: Some(&fields), ..SchemaFiles::default() });
    let list = items(json!([
        {"id": "a", "title": " ", "type": "Saga", "status": "odd", "deadline": "soon",
            "updated_at": "2025-01-01T00:00:00Z"},
        {"id": "b", "description": "d", "author": "m", "team": "x", "surprise": 1},
        {"id": "c", "status": "closed"},
    ]));
    let row = metadata(&list, &schema, &defaults(), MetadataProfile::Core);
    assert_eq!(
        codes(&row),
        [
            ("a", "title_empty"),
            ("a", "type_unknown"),
            ("a", "status_unknown"),
            ("a", "time_unreadable"),
            ("a", "times_reversed"),
        ]
    );
    assert_eq!(row.status, CheckStatus::Warn);
    let of_b = |profile| codes(&metadata(&list[1..2], &schema, &defaults(), profile)).len();
    assert_eq!((of_b(MetadataProfile::Standard), of_b(MetadataProfile::Strict)), (0, 2));

    let plain = items(json!([{"id": "d"}]));
    assert_eq!(
        codes(&metadata(&plain, &schema, &defaults(), MetadataProfile::Core)),
        [("d", "custom_field_missing")]
    );
    let rejecting = Settings::read(&json!({"schema": {"unknown_field_policy": "reject"}}));
    let row = metadata(&list[1..], &schema, &rejecting, MetadataProfile::Core);
    assert_eq!((codes(&row), row.status), (vec![("b", "field_unknown")], CheckStatus::Error));
}

#[test]
fn resolution_looks_at_closed_items_only() {
    let list = items(json!([
        {"id": "a", "status": "closed"},
        {"id": "b", "status": "closed", "closed_at": "2026-01-01", "resolution": "done", "expected_result": "x",
            "actual_result": "x"},
        {"id": "c", "status": "canceled", "closed_at": "2026-01-01", "close_reason": "no need"},
        {"id": "d", "status": "closed", "closed_at": "2026-01-01", "duplicate_of": "b"},
        {"id": "e"},
    ]));
    let schema = WorkspaceSchema::default();
    let row = resolution(&list, &schema, &defaults());
    assert_eq!(
        codes(&row),
        [("a", "closed_at_missing"), ("a", "close_reason_missing"), ("a", "closing_texts_missing")]
    );
    assert_eq!((row.status, row.counts["terminal"]), (CheckStatus::Warn, 4));
    let strict = Settings::read(&json!({"governance": {"preset": "strict"}}));
    assert_eq!(resolution(&list, &schema, &strict).status, CheckStatus::Error);
    assert_eq!(codes(&resolution(&list[1..], &schema, &strict)), []);
}

#[test]
fn lifecycle_finds_lost_parents_rings_and_empty_waits() {
    let row = with_board(
        json!([
            {"id": "a", "parent": "gone"},
            {"id": "p", "status": "closed"}, {"id": "c", "parent": "p"}, {"id": "d", "parent": "P", "status": "closed"},
            {"id": "b", "status": "blocked"},
            {"id": "x", "parent": "y"}, {"id": "y", "parent": "x"},
            {"id": "s", "blocked_by": "t"}, {"id": "t", "dependencies": [{"id": "s", "kind": "depends_on"}]},
        ]),
        |board| lifecycle(board, &defaults()),
    );
    assert_eq!(
        codes(&row),
        [
            ("a", "parent_missing"),
            ("b", "blocked_without_blocker"),
            ("p", "open_children"),
            ("x", "hierarchy_cycle"),
            ("s", "ordering_cycle"),
        ]
    );
    assert_eq!(row.status, CheckStatus::Error);
    let clean = with_board(
        json!([
            {"id": "p"}, {"id": "c", "parent": "p", "status": "closed"}, {"id": "b", "status": "blocked", "blocked_by": "c"},
            {"id": "e", "status": "blocked", "blocked_reason": "vendor"}, {"id": "f", "status": "blocked", "blocked_by": "p"},
        ]),
        |board| lifecycle(board, &defaults()),
    );
    assert_eq!(codes(&clean), [("b", "blocked_without_blocker")]);
}

#[test]
fn references_that_lead_nowhere_are_named() {
    let row = with_board(
        json!([
            {"id": "a", "blocked_by": "gone", "duplicate_of": "gone"},
            {"id": "b", "blocked_by": "no-active-blocker", "dependencies": [
                {"id": "A", "kind": "blocks"}, {"id": "b", "kind": "related"}, {"id": "lost", "kind": "child_of"}]},
            {"id": "c", "blocked_by": "the weather"},
        ]),
        dependency_references,
    );
    assert_eq!(
        codes(&row),
        [
            ("a", "reference_missing"),
            ("a", "reference_missing"),
            ("b", "reference_to_itself"),
            ("b", "reference_missing"),
        ]
    );
    assert_eq!((row.status, row.counts["references"]), (CheckStatus::Error, 5));
    let mild = with_board(json!([{"id": "a", "duplicate_of": "gone"}]), dependency_references);
    assert_eq!(mild.status, CheckStatus::Warn);
    let clean = with_board(json!([{"id": "a", "blocked_by": "b"}, {"id": "b"}]), dependency_references);
    assert_eq!((codes(&clean), clean.status), (vec![], CheckStatus::Ok));
}

#[test]
fn files_that_are_gone_can_be_unlinked_and_tests_cannot() {
    let list = items(json!([{"id": "a",
        "files": [{"path": "src/a.rs", "scope": "project"}, {"path": "/etc/x", "scope": "global"}],
        "docs": [{"path": "docs/a.md"}], "tests": [{"command": "make"}, {"path": "tests/a.rs", "scope": "project"}]}]));
    let found: Vec<_> = links(&list[0]).map(|link| (link.list, link.path)).collect();
    assert_eq!(found, [("files", "src/a.rs"), ("docs", "docs/a.md"), ("tests", "tests/a.rs")]);
    let fact = |list, state| LinkFact { item: "a".to_owned(), list, path: "p".to_owned(), state };
    let row = files(&[
        fact("files", LinkState::Present),
        fact("files", LinkState::Missing),
        fact("tests", LinkState::Missing),
        fact("docs", LinkState::Outside),
    ]);
    assert_eq!(codes(&row), [("a", "link_missing"), ("a", "link_missing"), ("a", "link_outside")]);
    let fixes: Vec<_> = row.findings.iter().map(|finding| finding.fix).collect();
    assert_eq!(fixes, [Some(Repair::RemoveDeadLink), None, None]);
    assert_eq!(files(&[fact("files", LinkState::Present)]).status, CheckStatus::Ok);
}

fn verified(item: &str, faults: Vec<ChainFault>) -> StreamFact {
    let findings = faults.into_iter().map(|fault| ChainFinding { version: Some(2), fault }).collect();
    StreamFact { item: item.to_owned(), exists: true, entries: 3, findings, ..StreamFact::default() }
}

#[test]
fn each_fault_of_a_history_has_its_check_and_repair() {
    let line = |torn| UnreadableLine { line: 4, torn, detail: "no JSON".to_owned() };
    let streams = [
        verified("ok", vec![]),
        verified("chain", vec![ChainFault::BeforeHash, ChainFault::TipDiffers]),
        verified("tip", vec![ChainFault::TipDiffers]),
        verified("lost", vec![ChainFault::FileMissing]),
        verified("later", vec![ChainFault::UnsupportedVersion(9), ChainFault::UnsupportedVersion(9)]),
        verified("back", vec![ChainFault::DeletedItemIsBack]),
        StreamFact { item: "none".to_owned(), ..StreamFact::default() },
        StreamFact { item: "empty".to_owned(), exists: true, ..StreamFact::default() },
        StreamFact {
            unreadable: vec![line(false), line(true)],
            ..verified("torn", vec![ChainFault::TipDiffers])
        },
        StreamFact {
            differing_documents: vec!["settings.json".to_owned()],
            ..verified("_workspace", vec![])
        },
    ];
    let row = history_drift(&streams, &defaults());
    assert_eq!(
        codes(&row),
        [
            ("chain", "history_chain_broken"),
            ("chain", "history_tip_differs"),
            ("tip", "history_tip_differs"),
            ("lost", "item_file_missing"),
            ("none", "history_missing"),
            ("empty", "history_missing"),
            ("torn", "history_unreadable"),
            ("torn", "history_torn"),
            ("torn", "history_tip_differs"),
            ("_workspace", "document_differs"),
        ]
    );
    assert_eq!((row.counts["streams"], row.counts["entries"]), (10, 24));
    assert_eq!(row.findings[9].path.as_deref(), Some("settings.json"));
    let mended: Vec<_> =
        row.findings.iter().filter_map(|finding| Some((finding.item.as_deref()?, finding.fix?))).collect();
    assert_eq!(
        mended,
        [
            ("tip", Repair::AppendHistoryRepair),
            ("none", Repair::CreateHistory),
            ("empty", Repair::CreateHistory)
        ]
    );
    assert_eq!(codes(&format_version([], &streams)), [("later", "hash_version_unknown")]);
    let storage = StorageFacts { streams: &streams, ..StorageFacts::default() };
    let row = storage_integrity(&storage, &WorkspaceSchema::default());
    assert_eq!(codes(&row), [("back", "deleted_item_is_back")]);

    let absent = &streams[6..7];
    assert_eq!(history_drift(absent, &defaults()).status, CheckStatus::Warn);
    let erring = Settings::read(&json!({"history": {"missing_stream": "strict_error"}}));
    assert_eq!(history_drift(absent, &erring).status, CheckStatus::Error);
    assert_eq!(history_drift(&streams[9..], &defaults()).status, CheckStatus::Warn);
    assert_eq!(history_drift(&streams[..1], &defaults()).status, CheckStatus::Ok);
}

#[test]
fn items_of_a_later_format_are_read_only() {
    let list =
        items(json!([{"id": "a", "pm_format_version": 2}, {"id": "b", "pm_format_version": 1}, {"id": "c"}]));
    let row = format_version(&list, &[]);
    assert_eq!((codes(&row), row.status), (vec![("a", "item_format_unknown")], CheckStatus::Warn));
}

#[test]
fn storage_reports_every_kind_of_broken_file() {
    let place = |id: &str, type_name: &str, path: &str| ItemPlace {
        id: id.to_owned(),
        type_name: type_name.to_owned(),
        path: path.to_owned(),
    };
    let file =
        |path: &str, reason| UnreadableFile { path: path.to_owned(), reason, detail: "odd".to_owned() };
    let (_, problems) =
        WorkspaceSchema::read(SchemaFiles { types: Some(&json!([])), ..SchemaFiles::default() });
    let facts = StorageFacts {
        places: &[
            place("a", "Task", "tasks/a.toon"),
            place("b", "Epic", "tasks/b.toon"),
            place("d", "Saga", "sagas/d.toon"),
        ],
        shared_ids: &[SharedId {
            id: "a".to_owned(),
            paths: vec!["tasks/a.toon".to_owned(), "tasks/a.md".to_owned()],
        }],
        unreadable: &[
            file("tasks/m.toon", UnreadableReason::MergeMarks),
            file("tasks/n.toon", UnreadableReason::Malformed),
            file("tasks/p.toon", UnreadableReason::Misnamed),
            file("tasks/o.toon", UnreadableReason::Inaccessible),
        ],
        schema_problems: &problems,
        settings_problem: Some("no JSON"),
        settings_missing: &["version".to_owned()],
        ..StorageFacts::default()
    };
    let schema = WorkspaceSchema::default();
    assert_eq!(
        codes(&storage_integrity(&facts, &schema)),
        [
            ("-", "merge_unresolved"),
            ("-", "item_malformed"),
            ("-", "file_name_mismatch"),
            ("-", "file_unreadable"),
            ("a", "id_duplicated"),
            ("b", "folder_mismatch"),
            ("-", "settings_malformed"),
            ("-", "schema_problem"),
            ("-", "setting_missing"),
        ]
    );
    let clean = StorageFacts { places: &[place("a", "task", "tasks/a.toon")], ..StorageFacts::default() };
    assert_eq!(storage_integrity(&clean, &schema).status, CheckStatus::Ok);
}

#[test]
fn the_normal_form_is_for_information() {
    let fact = NormalFormFact { item: "a".to_owned(), path: "tasks/a.toon".to_owned() };
    let row = normal_form(&[fact], 7);
    assert_eq!(
        (row.status, row.counts["files"], row.findings[0].fix),
        (CheckStatus::Ok, 7, Some(Repair::Normalize))
    );
    assert!(normal_form(&[], 7).findings.is_empty());
}

#[test]
fn a_report_is_ok_unless_something_is_wrong_or_strictness_counts_warnings() {
    let now = Timestamp::parse("2026-03-01").unwrap();
    let rows = |status| {
        let mut row = CheckRow::new("x");
        row.note(status, Finding::new("code", "detail").mended_by(Repair::Normalize));
        vec![CheckRow::new("y"), row]
    };
    for (status, lenient, strict) in
        [(CheckStatus::Ok, true, true), (CheckStatus::Warn, true, false), (CheckStatus::Error, false, false)]
    {
        assert_eq!(Report::new(rows(status), false, now).ok, lenient);
        assert_eq!(Report::new(rows(status), true, now).ok, strict);
    }
    let mut report = Report::new(rows(CheckStatus::Warn), false, now);
    assert_eq!(report.repairable().count(), 1);
    report.checks[1].shorten(0);
    assert_eq!(
        serde_json::to_value(&report).unwrap(),
        json!({"ok": true, "generated_at": "2026-03-01T00:00:00.000Z", "checks": [
            {"name": "y", "status": "ok", "counts": {"findings": 0}, "findings": []},
            {"name": "x", "status": "warn", "counts": {"findings": 1}, "findings": []}]})
    );
}

#[test]
fn settings_and_directories_and_locks_are_looked_at() {
    let problem = {
        let (_, problems) =
            WorkspaceSchema::read(SchemaFiles { types: Some(&json!([])), ..SchemaFiles::default() });
        problems
    };
    let mut lacking = defaults();
    lacking.missing = vec!["version".to_owned()];
    assert_eq!(codes(&settings(&lacking, &problem)), [("-", "setting_missing"), ("-", "schema_problem")]);
    let mut whole = defaults();
    whole.missing.clear();
    let none: [SchemaProblem; 0] = [];
    assert_eq!(settings(&whole, &none).status, CheckStatus::Ok);

    let folder =
        |exists, needed, strays| DirectoryFact { path: "d".to_owned(), exists, needed, files: 3, strays };
    for (fact, status, findings) in [
        (folder(true, true, 0), CheckStatus::Ok, 0),
        (folder(true, true, 1), CheckStatus::Ok, 1),
        (folder(false, false, 0), CheckStatus::Ok, 1),
        (folder(false, true, 0), CheckStatus::Error, 1),
    ] {
        let row = directories(&[fact]);
        assert_eq!((row.status, row.findings.len()), (status, findings));
    }

    let lock = |state| LockFact { name: "a-1".to_owned(), state };
    let taken = |age_seconds| LockState::Taken { owner: "m".to_owned(), age_seconds, ttl_seconds: 1800 };
    let row = locks(&[lock(taken(1800)), lock(taken(1801)), lock(LockState::Malformed)]);
    assert_eq!(codes(&row), [("-", "lock_stale"), ("-", "lock_malformed")]);
    assert_eq!(row.findings[0].path.as_deref(), Some("locks/a-1.lock"));
}

#[test]
fn tasks_index_and_history_are_looked_at() {
    let facts = TaskFacts { by_status: BTreeMap::from([("working", 2)]), expired: 0 };
    let row = tasks(&facts);
    assert_eq!((row.status, row.counts["working"]), (CheckStatus::Ok, 2));
    assert_eq!(codes(&tasks(&TaskFacts { expired: 1, ..facts })), [("-", "tasks_expired")]);

    let built = IndexFacts { items: 3, expected: 3, bytes: 10, age_seconds: Some(5) };
    assert_eq!(index(&built).status, CheckStatus::Ok);
    assert_eq!(codes(&index(&IndexFacts { expected: 4, ..built })), [("-", "index_behind")]);
    assert_eq!(codes(&index(&IndexFacts { age_seconds: None, ..built })), [("-", "index_missing")]);

    let stream = |item: &str, entries, ends_deleted| StreamSize {
        item: item.to_owned(),
        entries,
        bytes: 10,
        ends_deleted,
    };
    let streams = [stream("a", 1000, false), stream("b", 999, true), stream("c", 1, false)];
    let row = with_board(json!([{"id": "a"}]), |board| history(&streams, board));
    assert_eq!(codes(&row), [("a", "history_long"), ("c", "history_without_item")]);
    assert_eq!((row.counts["deleted"], row.counts["entries"], row.counts["bytes"]), (1, 2000, 30));
    let quiet = with_board(json!([{"id": "a"}]), |board| history(&[stream("a", 5, false)], board));
    assert_eq!((codes(&quiet), quiet.status), (vec![], CheckStatus::Ok));
}

#[test]
fn work_is_stale_when_nobody_holds_or_touches_it() {
    let list = json!([
        {"id": "a", "status": "in_progress", "assignee": "m", "updated_at": "2026-02-28T00:00:00Z"},
        {"id": "b", "status": "in_progress", "updated_at": "2026-02-28T00:00:00Z"},
        {"id": "c", "status": "in_progress", "assignee": "m", "updated_at": "2026-02-26T00:00:00Z"},
        {"id": "d", "updated_at": "2020-01-01T00:00:00Z"},
    ]);
    let now = Timestamp::parse("2026-03-01").unwrap();
    let row = with_board(list, |board| stale_work(board, &defaults(), now));
    assert_eq!(codes(&row), [("b", "work_unclaimed"), ("c", "work_stale")]);
    assert_eq!(row.counts["in_progress"], 3);
}

#[test]
fn watcher_and_keys_are_looked_at() {
    let facts = |mode, trouble: Option<&str>| WatcherFacts { mode, trouble: trouble.map(str::to_owned) };
    assert_eq!(codes(&watcher(&facts(WatcherMode::Native, None))), []);
    assert_eq!(watcher(&facts(WatcherMode::Polling, None)).status, CheckStatus::Ok);
    assert_eq!(watcher(&facts(WatcherMode::Off, None)).status, CheckStatus::Warn);
    assert_eq!(
        codes(&watcher(&facts(WatcherMode::Native, Some("limit reached")))),
        [("-", "watcher_trouble")]
    );

    let local = KeyFacts {
        continuation_is_process_local: true,
        cursor_is_process_local: true,
        clients_outlive_process: true,
    };
    let row = keys(&local);
    assert_eq!((codes(&row).len(), row.status), (2, CheckStatus::Warn));
    assert_eq!(keys(&KeyFacts { clients_outlive_process: false, ..local }).status, CheckStatus::Ok);
    let kept = KeyFacts { continuation_is_process_local: false, cursor_is_process_local: false, ..local };
    assert_eq!(codes(&keys(&kept)), []);
}
