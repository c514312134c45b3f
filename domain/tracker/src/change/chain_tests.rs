//! Chains of entries that changes leave, and what is restored from them.

use serde_json::json;

use super::tests::{NO_ITEMS, now, request};
use super::*;
use crate::WorkspaceSchema;
use crate::history::{At, EntryLine, HistoryEntry, Signature, StreamTip, TipFollower, replay, verify};
use crate::samples::item;

/// Writes a chain of changes as a writer does, and gives the entries and the last item.
fn written(changes: &[(&str, Option<Document>)]) -> Vec<HistoryEntry> {
    let schema = WorkspaceSchema::default();
    let by = Signature::asserted("me");
    let mut entries: Vec<HistoryEntry> = Vec::new();
    for (op, document) in changes {
        let tip = StreamTip::of(&entries).unwrap();
        let line = EntryLine { now: now(), by: &by, op, message: None, context: None };
        entries.extend(tip.compose(document.as_ref(), &line, schema.statuses()));
    }
    entries
}

#[test]
fn written_chains_hold_through_deletion_and_restoring() {
    let first = Document::of(&item(
        json!({"tags": ["B", "a"], "future": {"k": [1, 2.5]}, "tests": [{"command": "x", "provenance": {"author": "p"}}]}),
    ));
    let second = Document { body: "text\n\n".to_owned(), ..first.clone() };
    let entries = written(&[
        ("create", Some(first.clone())),
        ("update", Some(second.clone())),
        ("update", Some(second.clone())),
        ("delete", None),
        ("restore", Some(second.clone())),
    ]);
    let schema = WorkspaceSchema::default();
    assert_eq!(entries.len(), 4, "what changes nothing is no entry");
    assert_eq!(verify(&entries, Some(&second.clone().into_item().unwrap()), schema.statuses()), []);
    assert_eq!(verify(&entries[..3], None, schema.statuses()), []);
    let tip = StreamTip::of(&entries).unwrap();
    assert!(
        tip.fits(Some(&second.into_item().unwrap()), schema.statuses()) && !tip.fits(None, schema.statuses())
    );
    assert!(!tip.fits(Some(&first.into_item().unwrap()), schema.statuses()));
}

#[test]
fn restoring_goes_back_to_a_version() {
    let first = Document::of(&item(json!({"priority": 1})));
    let second = Document::of(&item(json!({"priority": 3})));
    let entries = written(&[("create", Some(first)), ("update", Some(second)), ("delete", None)]);
    let restored = |version, entries: &[HistoryEntry]| {
        let restore = Change::Restore { version, reason: "r".to_owned() };
        let earlier = restore.earlier_version(entries.len()).map(|at| replay(entries, At::Version(at)));
        let present = Present {
            id: "demo-0000",
            item: None,
            version: entries.len(),
            earlier: earlier.as_ref(),
            now: now(),
        };
        decide(&request(restore), &present, &NO_ITEMS())
    };
    let priority = |decision: Decision| match decision.next {
        Next::Document(document) => document.metadata["priority"].clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(priority(restored(None, &entries).unwrap()), 3);
    assert_eq!(priority(restored(Some(1), &entries).unwrap()), 1);
    assert_eq!(restored(Some(3), &entries).unwrap_err().code(), "invalid_argument");
    assert_eq!(restored(Some(9), &entries).unwrap_err().code(), "invalid_argument");
    assert_eq!(restored(None, &[]).unwrap_err().code(), "item_not_found");
}

#[test]
fn a_tip_that_is_followed_counts_entries_behind_a_broken_one_and_tells_of_that_one() {
    let first = Document::of(&item(json!({"priority": 1})));
    let second = Document::of(&item(json!({"priority": 3})));
    let mut entries = written(&[("create", Some(first)), ("update", Some(second)), ("delete", None)]);
    let mut broken = entries[1].members().clone();
    broken.insert("patch".to_owned(), json!([{"op": "remove", "path": "/metadata/nothing"}]));
    broken.insert("item_hash_version".to_owned(), json!(9));
    entries[1] = HistoryEntry::new(broken).unwrap();
    let mut followed = TipFollower::default();
    for entry in &entries {
        followed.follow(entry);
    }
    assert_eq!(followed.version(), 3);
    assert!(matches!(followed.finish(), Err(crate::StreamError::Patch { version: 2, .. })));
}

#[test]
fn entries_follow_the_epoch_and_the_record_hashes_of_their_stream() {
    let first = Document::of(&item(json!({})));
    let mut members = written(&[("create", Some(first.clone()))])[0].members().clone();
    members.insert("item_hash_version".to_owned(), json!(3));
    members.insert("record_hash_version".to_owned(), json!(1));
    members.insert("record_hash".to_owned(), json!("any"));
    let entry = HistoryEntry::new(members.clone()).unwrap();
    let by = Signature::asserted("me");
    let line = EntryLine { now: now(), by: &by, op: "update", message: Some("why"), context: None };
    let second = Document { body: "x".to_owned(), ..first };
    let schema = WorkspaceSchema::default();
    let next = StreamTip::of([&entry]).unwrap().compose(Some(&second), &line, schema.statuses()).unwrap();
    assert_eq!(next.item_hash_version(), Some(3));
    assert_eq!(next.record_hash(), Some(next.computed_record_hash().as_str()));
    let keys: Vec<&str> = next.members().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "ts",
            "author",
            "author_source",
            "op",
            "patch",
            "before_hash",
            "after_hash",
            "item_hash_version",
            "message",
            "record_hash_version",
            "record_hash"
        ]
    );
    members.insert("item_hash_version".to_owned(), json!(4));
    let newer = HistoryEntry::new(members).unwrap();
    assert!(matches!(StreamTip::of([&newer]), Err(crate::StreamError::Epoch { version: 4 })));
}
