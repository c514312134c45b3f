//! What each kind of change makes of an item, and when it is refused.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::*;
use crate::history::Signature;
use crate::samples::{board, item, items};
use crate::{Settings, Timestamp, WorkspaceSchema};

fn world(list: Value, settings: Value) -> World {
    let board = board(&items(list));
    World::new(Arc::new(board), Arc::new(Settings::read(&settings)), Arc::new(WorkspaceSchema::default()))
}

pub(super) fn request(change: Change) -> ChangeRequest {
    ChangeRequest { change, by: Signature::asserted("me"), message: None, force: false }
}

pub(super) fn now() -> Timestamp {
    Timestamp::parse("2026-03-02T08:00:00.000Z").unwrap()
}

fn decided(fields: Value, request: &ChangeRequest, world: &World) -> Result<Decision, Refusal> {
    let item = item(fields);
    decide(
        request,
        &Present { id: item.id(), item: Some(&item), version: 0, earlier: None, now: now() },
        world,
    )
}

fn made(fields: Value, change: Change, world: &World) -> (Map<String, Value>, Decision) {
    let decision = decided(fields, &request(change), world).unwrap();
    match decision.next.clone() {
        Next::Document(document) => (document.metadata, decision),
        other => panic!("{other:?}"),
    }
}

fn code(fields: Value, change: Change, world: &World) -> &'static str {
    decided(fields, &request(change), world).unwrap_err().code()
}

fn update(set: Value) -> Change {
    let Value::Object(set) = set else { panic!("an object") };
    Change::Update(Box::new(FieldEdits { set, ..FieldEdits::default() }))
}

fn closing(reason: &str) -> Change {
    let reason = (!reason.is_empty()).then(|| reason.to_owned());
    Change::Close(Box::new(Closing { reason, ..Closing::default() }))
}

pub(super) const NO_ITEMS: fn() -> World = || world(json!([]), json!({}));

#[test]
fn a_claim_is_a_test_and_set() {
    let claim = |if_available| Change::Claim { if_available };
    let (after, _) = made(json!({}), claim(false), &NO_ITEMS());
    assert_eq!((after["assignee"].as_str(), after["claim_principal"].as_str()), (Some("me"), Some("me")));
    let held = json!({"assignee": "you"});
    assert_eq!(code(held.clone(), claim(false), &NO_ITEMS()), "already_claimed");
    let skipped = decided(held.clone(), &request(claim(true)), &NO_ITEMS()).unwrap();
    assert!(skipped.next == Next::Unchanged && skipped.warnings[0].starts_with("claim_skipped:"));
    let forced = ChangeRequest { force: true, ..request(claim(false)) };
    let taken = decided(held, &forced, &NO_ITEMS()).unwrap();
    assert!(matches!(taken.next, Next::Document(_)) && taken.warnings[0].starts_with("claim_takeover:"));
    assert_eq!(code(json!({"status": "closed"}), claim(false), &NO_ITEMS()), "already_terminal");
    let mine = decided(json!({"assignee": "me"}), &request(claim(false)), &NO_ITEMS()).unwrap();
    assert_eq!(mine.next, Next::Unchanged, "a claim that is held already writes nothing");
}

#[test]
fn changing_what_others_hold_follows_the_workspace() {
    let held = json!({"assignee": "you"});
    for (preset, wanted) in [("minimal", None), ("default", Some(true)), ("strict", Some(false))] {
        let world = world(json!([]), json!({"governance": {"preset": preset}}));
        let outcome = decided(held.clone(), &request(Change::Release), &world);
        match wanted {
            None => assert!(outcome.unwrap().warnings.is_empty()),
            Some(true) => assert!(outcome.unwrap().warnings[0].starts_with("ownership:")),
            Some(false) => {
                assert_eq!(outcome.unwrap_err().code(), "ownership_conflict");
                let forced = ChangeRequest { force: true, ..request(Change::Release) };
                decided(held.clone(), &forced, &world).unwrap();
            }
        }
    }
}

#[test]
fn closing_needs_a_reason_and_clears_the_claim() {
    assert_eq!(code(json!({}), closing(""), &NO_ITEMS()), "reason_required");
    assert_eq!(code(json!({"status": "canceled"}), closing("x"), &NO_ITEMS()), "already_terminal");
    let (after, decision) =
        made(json!({"assignee": "me", "claim_principal": "me"}), closing(" done "), &NO_ITEMS());
    assert_eq!(
        (after["status"].as_str(), after["close_reason"].as_str(), after["closed_at"].as_str()),
        (Some("closed"), Some("done"), Some("2026-03-02T08:00:00.000Z"))
    );
    assert!(
        after.contains_key("completed_at")
            && !after.contains_key("assignee")
            && !after.contains_key("claim_principal")
    );
    assert_eq!((decision.op, decision.message.as_deref()), ("close", Some("done")));
}

#[test]
fn the_reason_of_a_closing_is_looked_for_in_order() {
    let world = world(json!([{"id": "demo-b2"}]), json!({"id_prefix": "demo-"}));
    let of = |closing: Closing, message: Option<&str>| {
        let request = ChangeRequest {
            message: message.map(str::to_owned),
            ..request(Change::Close(Box::new(closing)))
        };
        match decided(json!({}), &request, &world).unwrap().next {
            Next::Document(document) => document.metadata["close_reason"].as_str().unwrap().to_owned(),
            other => panic!("{other:?}"),
        }
    };
    let text = |text: &str| Some(text.to_owned());
    let all =
        Closing { reason: text("r"), resolution: text("s"), duplicate_of: text("b2"), ..Closing::default() };
    assert_eq!(of(all.clone(), Some("m")), "r");
    assert_eq!(of(Closing { reason: None, ..all.clone() }, Some("m")), "Duplicate of demo-b2");
    assert_eq!(of(Closing { reason: None, duplicate_of: None, ..all }, Some("m")), "s");
    assert_eq!(of(Closing::default(), Some("m")), "m");
}

#[test]
fn a_duplicate_target_must_stand_for_itself() {
    let world = world(
        json!([{"id": "demo-0000"}, {"id": "demo-a"}, {"id": "demo-b", "duplicate_of": "demo-a"}, {"id": "demo-c", "duplicate_of": "demo-0000"}]),
        json!({"id_prefix": "demo-"}),
    );
    let of = |target: &str| {
        Change::Close(Box::new(Closing { duplicate_of: Some(target.to_owned()), ..Closing::default() }))
    };
    for (target, wanted) in [
        ("gone", "dependency_missing"),
        ("demo-0001", "dependency_missing"),
        ("demo-b", "invalid_argument"),
        ("demo-c", "cycle_refused"),
    ] {
        assert_eq!(code(json!({}), of(target), &world), wanted, "{target}");
    }
    made(json!({}), of("a"), &world);
}

#[test]
fn open_children_warn_or_refuse() {
    let list = json!([{"id": "demo-0000"}, {"id": "demo-c", "parent": "demo-0000"}]);
    let (_, decision) = made(json!({}), closing("x"), &world(list.clone(), json!({})));
    assert!(decision.warnings[0].starts_with("open_children:"), "{:?}", decision.warnings);
    let strict = world(list, json!({"governance": {"preset": "strict"}}));
    assert_eq!(
        code(json!({"resolution": "r", "expected_result": "e", "actual_result": "a"}), closing("x"), &strict),
        "workflow_refused"
    );
}

#[test]
fn a_waiting_item_is_freed_by_its_last_blocker_only() {
    let list = json!([
        {"id": "demo-0000", "status": "blocked", "blocked_by": "demo-a"},
        {"id": "demo-a", "status": "closed"}, {"id": "demo-b"},
    ]);
    let world = world(list, json!({"id_prefix": "demo-"}));
    let unblock = || Change::Unblock { blocker: "demo-a".to_owned() };
    let (after, decision) = made(json!({"status": "blocked", "blocked_by": "demo-a"}), unblock(), &world);
    assert_eq!(
        (after["status"].as_str(), after.contains_key("blocked_by"), decision.op),
        (Some("open"), false, "update")
    );
    let mut still = world.clone();
    still.put("demo-0000", Some(Arc::new(item(json!({"status": "blocked", "blocked_by": "demo-b"})))));
    let fields = json!({"status": "blocked", "blocked_by": "demo-b"});
    assert_eq!(decided(fields, &request(unblock()), &still).unwrap().next, Next::Unchanged);
}

#[test]
fn reopening_takes_the_closing_texts_out() {
    let closed = json!({"status": "closed", "close_reason": "r", "closed_at": "t", "resolution": "s", "duplicate_of": "x"});
    let reopen = |reason: &str, status: Option<&str>| Change::Reopen {
        reason: reason.to_owned(),
        status: status.map(str::to_owned),
    };
    assert_eq!(code(closed.clone(), reopen(" ", None), &NO_ITEMS()), "reason_required");
    assert_eq!(code(json!({}), reopen("r", None), &NO_ITEMS()), "invalid_argument");
    assert_eq!(code(closed.clone(), reopen("r", Some("canceled")), &NO_ITEMS()), "invalid_argument");
    let (after, _) = made(closed, reopen("broke again", Some("in-progress")), &NO_ITEMS());
    assert_eq!(after["status"], "in_progress");
    for key in ["close_reason", "closed_at", "resolution", "duplicate_of"] {
        assert!(!after.contains_key(key), "{key}");
    }
}

#[test]
fn updates_set_and_take_out_fields() {
    let wanted = FieldEdits {
        set: json!({"priority": 0, "deadline": "2026-04-01", "severity": "Med", "our_own": {"x": 1}})
            .as_object()
            .unwrap()
            .clone(),
        unset: vec!["goal".to_owned()],
        add_tags: vec!["New".to_owned()],
        remove_tags: vec!["old".to_owned()],
        append_body: Some("more".to_owned()),
        if_version: Some(0),
        ..FieldEdits::default()
    };
    let (after, _) =
        made(json!({"goal": "g", "tags": ["old", "kept"]}), Change::Update(Box::new(wanted)), &NO_ITEMS());
    assert_eq!(after["deadline"], "2026-04-01T00:00:00.000Z");
    assert_eq!(
        (&after["severity"], &after["our_own"], &after["tags"]),
        (&json!("medium"), &json!({"x": 1}), &json!(["kept", "new"]))
    );
    assert!(!after.contains_key("goal"));
    assert_eq!(after["updated_at"], "2026-03-02T08:00:00.000Z");
}

#[test]
fn what_cannot_be_set_is_refused_by_name() {
    let world = world(
        json!([{"id": "demo-0000"}]),
        json!({"id_prefix": "demo-", "schema": {"unknown_field_policy": "reject"}}),
    );
    for (set, wanted) in [
        (json!({"id": "x"}), "invalid_argument"),
        (json!({"created_at": "2026-01-01"}), "invalid_argument"),
        (json!({"comments": []}), "invalid_argument"),
        (json!({"priority": 5}), "invalid_argument"),
        (json!({"title": "  "}), "invalid_argument"),
        (json!({"type": "Nonsense"}), "invalid_argument"),
        (json!({"status": "nonsense"}), "invalid_argument"),
        (json!({"status": "closed"}), "workflow_refused"),
        (json!({"deadline": "soon"}), "invalid_argument"),
        (json!({"confidence": "sure"}), "invalid_argument"),
        (json!({"our_own": 1}), "custom_field_invalid"),
        (json!({"parent": "gone"}), "parent_missing"),
        (json!({"parent": "0000"}), "cycle_refused"),
        (json!({"blocked_by": "demo-gone"}), "dependency_missing"),
        (json!({"blocked_by": "#0000"}), "cycle_refused"),
    ] {
        assert_eq!(code(json!({}), update(set.clone()), &world), wanted, "{set}");
    }
    assert_eq!(
        code(json!({"status": "closed"}), update(json!({"status": "open"})), &world),
        "already_terminal"
    );
    let stale = FieldEdits { if_version: Some(3), ..FieldEdits::default() };
    assert_eq!(code(json!({}), Change::Update(Box::new(stale)), &world), "stale_write");
}

#[test]
fn a_new_field_that_reads_like_a_known_one_is_pointed_out() {
    let warned = |set| made(json!({}), update(set), &NO_ITEMS()).1.warnings;
    assert_eq!(warned(json!({"priorty": 1})), ["unknown_field: `priorty` is new; `priority` may be meant"]);
    assert_eq!(warned(json!({"our_own": 1})), [""; 0]);
}

#[test]
fn an_update_that_changes_nothing_is_no_change() {
    let decision = decided(
        json!({"tags": ["b", "a"]}),
        &request(update(json!({"priority": 2, "tags": ["A", "b"]}))),
        &NO_ITEMS(),
    );
    assert_eq!(decision.unwrap().next, Next::Unchanged);
}

#[test]
fn rings_are_refused_along_their_whole_length() {
    let world = world(
        json!([{"id": "demo-0000"}, {"id": "demo-b", "blocked_by": "demo-0000"}, {"id": "demo-c", "blocked_by": "demo-b"},
            {"id": "demo-p", "parent": "demo-0000"}]),
        json!({"id_prefix": "demo-"}),
    );
    let edge = |id: &str, kind: &str| {
        let edge = Edge { id: id.to_owned(), kind: Some(kind.to_owned()) };
        Change::Update(Box::new(FieldEdits { add_dependencies: vec![edge], ..FieldEdits::default() }))
    };
    let refused = decided(json!({}), &request(edge("c", "depends_on")), &world).unwrap_err();
    let Refusal::Cycle { ring, .. } = &refused else { panic!("{refused}") };
    assert_eq!(ring, &["demo-0000", "demo-c", "demo-b", "demo-0000"]);
    assert_eq!(code(json!({}), edge("demo-p", "child_of"), &world), "cycle_refused");
    assert_eq!(code(json!({}), edge("demo-0000", "related"), &world), "cycle_refused");
    assert_eq!(code(json!({}), edge("zzz", "related"), &world), "dependency_missing");
    let (after, _) = made(json!({}), edge("c", "blocks"), &world);
    assert_eq!(
        after["dependencies"][0]["kind"], "blocks",
        "what waits already may be said from the other end"
    );
    made(json!({}), edge("demo-c", "related"), &world);
}

#[test]
fn new_items_have_what_every_item_has_and_their_type_asks_for() {
    let fields_file = json!({"fields": [{"key": "team", "type": "string", "required_types": ["Task"]}]});
    let (schema, _) =
        WorkspaceSchema::read(crate::SchemaFiles { fields: Some(&fields_file), ..Default::default() });
    let settings = Settings::read(&json!({"id_prefix": "demo-", "governance": {"preset": "default"}}));
    let existing = items(json!([{"id": "demo-a", "title": "Retry the uploads"}]));
    let world = World::new(Arc::new(board(&existing)), Arc::new(settings), Arc::new(schema));
    let present = Present { id: "demo-new", item: None, version: 0, earlier: None, now: now() };
    let new = |title: &str, fields: Value| NewItem {
        title: title.to_owned(),
        fields: fields.as_object().unwrap().clone(),
        ..NewItem::default()
    };
    let create = |new: NewItem| decide(&request(Change::Create(Box::new(new))), &present, &world);
    assert_eq!(create(new("x", json!({}))).unwrap_err().code(), "custom_field_invalid");
    assert_eq!(create(new("x", json!({"team": 1}))).unwrap_err().code(), "custom_field_invalid");
    assert_eq!(create(new(" ", json!({"team": "t"}))).unwrap_err().code(), "invalid_argument");
    let refused = create(new("retry: THE uploads!", json!({"team": "t"}))).unwrap_err();
    let Refusal::DuplicateSuspected { candidates } = &refused else { panic!("{refused}") };
    assert_eq!((candidates[0].id.as_str(), candidates[0].likeness), ("demo-a", 1.0));
    let allowed =
        NewItem { allow_duplicate: true, ..new("Retry the uploads", json!({"team": "t", "parent": "a"})) };
    let decision = create(allowed).unwrap();
    assert!(decision.warnings[0].starts_with("likely_duplicate:"));
    let Next::Document(document) = decision.next else { panic!("a document") };
    let item = document.into_item().unwrap();
    assert_eq!(
        (item.id(), item.status(), item.priority(), item.parent()),
        ("demo-new", "open", 2, Some("demo-a"))
    );
    assert_eq!(item.text("author"), Some("me"));
}

#[test]
fn logs_grow_and_can_be_mended() {
    let (after, decision) =
        made(json!({}), Change::LogAdd { log: LogKind::Note, text: " seen ".to_owned() }, &NO_ITEMS());
    assert_eq!(
        after["notes"],
        json!([{"created_at": "2026-03-02T08:00:00.000Z", "author": "me", "text": "seen"}])
    );
    assert_eq!(decision.op, "note_add");
    let edit = |index| Change::LogEdit { log: LogKind::Comment, index, text: "new".to_owned() };
    let with = json!({"comments": [{"created_at": "t", "author": "a", "text": "old", "kept": true}]});
    let (after, _) = made(with.clone(), edit(1), &NO_ITEMS());
    assert_eq!((&after["comments"][0]["text"], &after["comments"][0]["kept"]), (&json!("new"), &json!(true)));
    for index in [0, 2] {
        assert_eq!(code(with.clone(), edit(index), &NO_ITEMS()), "invalid_argument");
    }
    assert_eq!(
        code(json!({}), Change::LogAdd { log: LogKind::Comment, text: "\n".to_owned() }, &NO_ITEMS()),
        "invalid_argument"
    );
}

#[test]
fn links_stay_inside_the_repository() {
    let add = |path: &str| Change::LinkAdd {
        list: LinkKind::File,
        path: path.to_owned(),
        note: Some("n".to_owned()),
    };
    let (after, _) = made(json!({}), add(".\\src\\a.rs"), &NO_ITEMS());
    assert_eq!(after["files"], json!([{"path": "src/a.rs", "scope": "project", "note": "n"}]));
    for path in ["", "/etc/passwd", "../x", "a/../../x", "C:/x"] {
        assert_eq!(code(json!({}), add(path), &NO_ITEMS()), "invalid_argument", "{path}");
    }
    let linked = json!({"files": [{"path": "a", "scope": "project"}, {"path": "b", "scope": "project"}]});
    let remove = |path: &str| Change::LinkRemove { list: LinkKind::File, path: path.to_owned() };
    let (after, _) = made(linked.clone(), remove("./a"), &NO_ITEMS());
    assert_eq!(after["files"], json!([{"path": "b", "scope": "project"}]));
    assert_eq!(code(linked, remove("c"), &NO_ITEMS()), "invalid_argument");
}

#[test]
fn the_last_twenty_outcomes_of_tests_are_kept() {
    let runs: Vec<Value> = (0..20).map(|n| json!({"run_id": n.to_string(), "recorded_at": "t"})).collect();
    let record = json!({"run_id": "new", "recorded_at": "u"});
    let (after, _) = made(json!({"test_runs": runs}), Change::TestRun { record }, &NO_ITEMS());
    let list = after["test_runs"].as_array().unwrap();
    assert_eq!((list.len(), &list[0]["run_id"], &list[19]["run_id"]), (20, &json!("1"), &json!("new")));
}

#[test]
fn likely_secrets_are_named_or_refused_unless_they_were_there() {
    let key = "ghp_0123456789abcdefghijABCDEFGHIJ0123";
    let (_, decision) = made(json!({}), update(json!({"design": key})), &NO_ITEMS());
    assert!(decision.warnings[0].starts_with("secret:"));
    let strict = world(json!([]), json!({"mutation_guard": {"secret_guard": "enforce"}}));
    assert_eq!(code(json!({}), update(json!({"design": key})), &strict), "secret_suspected");
    made(json!({"design": key}), update(json!({"goal": "g"})), &strict);
}

#[test]
fn a_workspace_may_want_authors() {
    let wanting = world(json!([]), json!({"mutation_guard": {"require_attributed_author": true}}));
    let mut nobody = request(update(json!({"goal": "g"})));
    nobody.by.source = crate::AuthorSource::Unknown;
    assert_eq!(decided(json!({}), &nobody, &wanting).unwrap_err().code(), "invalid_argument");
    decided(json!({}), &nobody, &NO_ITEMS()).unwrap();
}
