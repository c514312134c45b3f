//! Writers that are killed at every step: this test starts itself again as a process that aborts there.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use pm_tracker_domain::{ChainFault, Signature, Timestamp, change::Change, check::Repair};
use pm_tracker_ports::{BatchDone, Edit, RepairOrder, Target, WorkspaceRepository, WorkspaceWriter};
use pm_tracker_workspace_pm::{PmWorkspace, StepObserver, WorkspaceRoot, WriteStep};
use serde_json::json;

use crate::desk::{Desk, now, request, update, world};

const PLACE: &str = "PM_TEST_KILL_PLACE";
const POINT: &str = "PM_TEST_KILL_POINT";

/// Aborts the process at the nth step of all.
#[derive(Debug)]
struct Abort(AtomicUsize);

impl StepObserver for Abort {
    fn done(&self, _step: WriteStep) -> io::Result<()> {
        if self.0.fetch_sub(1, Ordering::SeqCst) == 0 {
            std::process::abort();
        }
        Ok(())
    }
}

fn victim() -> Change {
    update(json!({"type": "Chore", "priority": 4}))
}

fn batch_rows() -> Vec<(&'static str, Change)> {
    let new =
        pm_tracker_domain::change::NewItem { title: "Made by the batch".to_owned(), ..Default::default() };
    vec![
        ("demo-new1", Change::Create(Box::new(new))),
        ("demo-k3x9", update(json!({"priority": 4}))),
        ("demo-q7aa", update(json!({"priority": 4}))),
    ]
}

/// What the process does that is killed; nothing when the tests run as tests.
#[tokio::test]
async fn killed_process() {
    let (Ok(place), Ok(point)) = (std::env::var(PLACE), std::env::var(POINT)) else { return };
    let (kind, nth) = point.split_once(':').unwrap();
    let abort = Arc::new(Abort(AtomicUsize::new(nth.parse().unwrap())));
    let workspace = PmWorkspace::new(WorkspaceRoot::at(Path::new(&place)).unwrap()).observed_by(abort);
    let world = world(&workspace).await;
    if kind == "edit" {
        let edit = Edit {
            target: Target::Item("demo-k3x9".to_owned()),
            request: request(victim()),
            world,
            now: now(),
        };
        workspace.edit(edit).await.unwrap();
    } else {
        let mut batch = Desk::new().batch("tx", batch_rows()).await;
        batch.world = world;
        workspace.batch(batch).await.unwrap();
    }
}

/// Kills a process at a step; says whether it was killed or came to its end first.
fn killed(desk: &Desk, point: &str) -> bool {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kills::killed_process", "--nocapture"])
        .env(PLACE, &desk.sample.repository)
        .env(POINT, point)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    !status.success()
}

/// A time at which every lock that was left is stale.
fn later() -> Timestamp {
    Timestamp::from_unix_ms(now().as_unix_ms() + 3_600_000)
}

#[tokio::test]
async fn a_kill_at_any_step_leaves_the_old_or_the_new_state_or_what_a_repair_mends() {
    let mut kills = 0;
    for nth in 0.. {
        let desk = Desk::new();
        if !killed(&desk, &format!("edit:{nth}")) {
            break;
        }
        kills += 1;
        let check = desk.check("demo-k3x9").await;
        let snapshot = desk.workspace.fresh_snapshot().await.unwrap();
        let item = snapshot.item("demo-k3x9").unwrap();
        assert!(
            [("Task", 1), ("Chore", 4)].contains(&(item.type_name(), item.priority())),
            "{nth}: {} {}",
            item.type_name(),
            item.priority()
        );
        assert!(check.faults.is_empty() && check.findings.len() <= 1, "{nth}: {check:?}");
        if let Some(found) = check.findings.first() {
            assert_eq!(found.fault, ChainFault::TipDiffers, "{nth}");
        }
        for repair in [Repair::RemoveExtraCopy, Repair::AppendHistoryRepair] {
            let order = RepairOrder {
                repair,
                id: "demo-k3x9".to_owned(),
                path: None,
                by: Signature::asserted("me"),
                world: desk.world().await,
                now: later(),
                force: true,
            };
            desk.workspace.repair(order).await.unwrap();
        }
        assert_eq!(desk.workspace.fresh_snapshot().await.unwrap().duplicates, []);
        assert!(desk.is_sound("demo-k3x9").await, "{nth}");
        let edit = Edit {
            target: Target::Item("demo-k3x9".to_owned()),
            request: crate::desk::forced(update(json!({"goal": "on"}))),
            world: desk.world().await,
            now: later(),
        };
        desk.workspace.edit(edit).await.unwrap();
        assert!(desk.is_sound("demo-k3x9").await, "{nth}");
    }
    assert!(kills >= 6, "{kills}");
}

#[tokio::test]
async fn a_batch_that_is_killed_at_any_step_is_undone_before_the_next() {
    let files = ["tasks/demo-k3x9.toon", "issues/demo-q7aa.toon"];
    let mut kills = 0;
    for nth in 0.. {
        let desk = Desk::new();
        let before = files.map(|path| desk.sample.read(path));
        if !killed(&desk, &format!("batch:{nth}")) {
            break;
        }
        kills += 1;
        let done = desk.workspace.recorded("tx").await.unwrap().is_some();
        let unfinished = desk.workspace.unfinished().await.unwrap();
        let begun = desk.names("transactions/sdk").contains(&"tx.json".to_owned());
        assert_eq!(unfinished.len(), usize::from(begun && !done), "{nth}: {unfinished:?}");
        if nth % 2 == 0 {
            let order = RepairOrder {
                repair: Repair::UndoBatch,
                id: String::new(),
                path: unfinished.first().cloned(),
                by: Signature::asserted("me"),
                world: desk.world().await,
                now: later(),
                force: true,
            };
            assert_eq!(desk.workspace.repair(order).await.unwrap().is_some(), begun && !done, "{nth}");
            assert_eq!(desk.workspace.unfinished().await.unwrap(), [""; 0], "{nth}");
        }
        let mut next = desk.batch("next", vec![("demo-p001", update(json!({"goal": "on"})))]).await;
        (next.now, next.force) = (later(), true);
        assert!(matches!(desk.workspace.batch(next).await.unwrap(), BatchDone::Applied(..)));
        let now = files.map(|path| desk.sample.read(path));
        let made = desk.names("tasks").contains(&"demo-new1.toon".to_owned());
        if done {
            assert!(now != before && made, "{nth}");
        } else {
            assert_eq!((now, made), (before, false), "{nth}");
        }
        for id in ["demo-k3x9", "demo-q7aa", "demo-p001"] {
            assert!(desk.is_sound(id).await, "{nth} {id}: {:?}", desk.check(id).await);
        }
    }
    assert!(kills >= 20, "{kills}");
}
