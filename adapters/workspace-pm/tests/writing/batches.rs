//! Several changes, all or none.

use pm_tracker_domain::change::{Change, LogKind, NewItem};
use pm_tracker_ports::{BatchDone, BatchError, WorkspaceWriter, WriteError};
use pm_tracker_workspace_pm::WriteStep;
use serde_json::{Value, json};

use crate::{
    desk::{Desk, update},
    failures::Refuse,
};

fn rows() -> Vec<(&'static str, Change)> {
    let new = NewItem { title: "Made by the batch".to_owned(), ..NewItem::default() };
    vec![
        ("demo-new1", Change::Create(Box::new(new))),
        ("demo-k3x9", update(json!({"parent": "demo-new1", "priority": 4}))),
        ("demo-k3x9", Change::LogAdd { log: LogKind::Note, text: "moved".to_owned() }),
        ("demo-q7aa", Change::Delete { reason: "r".to_owned() }),
    ]
}

#[tokio::test]
async fn a_batch_is_made_in_order_and_remembered() {
    let desk = Desk::new();
    let batch = desk.batch("tx-1", rows()).await;
    let BatchDone::Applied(outcome, written) = desk.workspace.batch(batch.clone()).await.unwrap() else {
        panic!("made now")
    };
    let versions: Vec<(&str, &str, usize)> =
        outcome.rows.iter().map(|row| (row.id.as_str(), row.op.as_str(), row.version)).collect();
    assert_eq!(
        versions[..3],
        [("demo-new1", "create", 1), ("demo-k3x9", "update", 4), ("demo-k3x9", "note_add", 5)]
    );
    assert_eq!(written.len(), 4);
    for id in ["demo-new1", "demo-k3x9", "demo-q7aa"] {
        assert!(desk.is_sound(id).await, "{id}");
    }
    let again = desk.workspace.batch(batch.clone()).await.unwrap();
    assert_eq!(again, BatchDone::Recorded(outcome.clone()));
    assert_eq!(desk.workspace.recorded("tx-1").await.unwrap(), Some(outcome));
    assert_eq!(desk.version("demo-k3x9").await, 5);
    let other = pm_tracker_ports::Batch { request_digest: "other".to_owned(), ..batch };
    assert_eq!(
        desk.workspace.batch(other).await.unwrap_err(),
        BatchError::NameTaken { transaction_id: "tx-1".to_owned() }
    );
    let journal: Value = serde_json::from_str(&desk.sample.read("transactions/sdk/tx-1.json")).unwrap();
    assert_eq!((&journal["schema_version"], &journal["state"]), (&json!(1), &json!("completed")));
    assert_eq!(desk.names("locks"), [""; 0]);
}

#[tokio::test]
async fn a_row_that_is_refused_undoes_the_rows_before_it() {
    let desk = Desk::new();
    let files = ["tasks/demo-k3x9.toon", "issues/demo-q7aa.toon"];
    let before = files.map(|path| desk.sample.read(path));
    let mut rows = rows();
    rows.push(("demo-k3x9", update(json!({"parent": "gone"}))));
    let refused = desk.workspace.batch(desk.batch("tx-2", rows.clone()).await).await.unwrap_err();
    let BatchError::Row { index: 4, source: WriteError::Refused(refusal) } = &refused else {
        panic!("{refused}")
    };
    assert_eq!(refusal.code(), "parent_missing");
    assert_eq!(files.map(|path| desk.sample.read(path)), before);
    assert!(!desk.names("tasks").contains(&"demo-new1.toon".to_owned()));
    for id in ["demo-new1", "demo-k3x9", "demo-q7aa"] {
        assert!(desk.is_sound(id).await, "{id}");
    }
    assert_eq!(desk.workspace.recorded("tx-2").await.unwrap(), None);
    rows.pop();
    let mended = desk.workspace.batch(desk.batch("tx-2", rows).await).await.unwrap();
    assert!(matches!(mended, BatchDone::Applied(..)), "what was undone may be tried again under its name");
    assert!(desk.is_sound("demo-new1").await);
}

#[tokio::test]
async fn a_system_that_refuses_any_step_leaves_none_of_the_batch() {
    let files = ["tasks/demo-k3x9.toon", "issues/demo-q7aa.toon"];
    for step in WriteStep::ALL {
        for nth in 0..5 {
            let mut desk = Desk::new();
            let before = files.map(|path| desk.sample.read(path));
            let batch = desk.batch("tx", rows()).await;
            desk.workspace = desk.workspace.observed_by(Refuse::nth(step, nth));
            match desk.workspace.batch(batch).await {
                Ok(_) => assert!(desk.names("tasks").contains(&"demo-new1.toon".to_owned())),
                Err(error) => {
                    assert!(!matches!(error, BatchError::HalfDone { .. }), "{step:?} {nth}: {error}");
                    assert_eq!(files.map(|path| desk.sample.read(path)), before, "{step:?} {nth}");
                    assert!(!desk.names("tasks").contains(&"demo-new1.toon".to_owned()), "{step:?} {nth}");
                }
            }
            for id in ["demo-k3x9", "demo-q7aa"] {
                assert!(desk.is_sound(id).await, "{step:?} {nth} {id}: {:?}", desk.check(id).await);
            }
            assert_eq!(desk.names("locks"), [""; 0]);
        }
    }
}

#[tokio::test]
async fn an_item_that_moved_since_the_plan_stops_the_batch() {
    let desk = Desk::new();
    let mut batch = desk.batch("tx-3", rows()).await;
    batch.seen.insert("demo-k3x9".to_owned(), 2);
    assert_eq!(
        desk.workspace.batch(batch).await.unwrap_err(),
        BatchError::Moved { id: "demo-k3x9".to_owned(), seen: 2, current: 3 }
    );
    assert_eq!(desk.names("transactions/sdk"), [""; 0]);
}

#[tokio::test]
async fn names_of_batches_name_files() {
    let desk = Desk::new();
    for name in ["", "../up", "a/b", ".hidden", "a b", &"x".repeat(129)] {
        let refused = desk.workspace.batch(desk.batch(name, rows()).await).await.unwrap_err();
        assert!(matches!(refused, BatchError::UnusableName { .. }), "{name}: {refused}");
    }
}
