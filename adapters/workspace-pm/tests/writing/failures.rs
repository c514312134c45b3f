//! A system that refuses a step: nothing is half-done afterwards.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use pm_tracker_domain::change::Change;
use pm_tracker_ports::WriteError;
use pm_tracker_workspace_pm::{StepObserver, WriteStep};
use serde_json::json;

use crate::desk::{Desk, update};

/// Refuses the nth step of a kind.
#[derive(Debug)]
pub struct Refuse {
    step: WriteStep,
    left: AtomicUsize,
}

impl Refuse {
    pub fn nth(step: WriteStep, nth: usize) -> Arc<Self> {
        Arc::new(Self { step, left: AtomicUsize::new(nth) })
    }
}

impl StepObserver for Refuse {
    fn done(&self, step: WriteStep) -> io::Result<()> {
        if step != self.step {
            return Ok(());
        }
        let left = self.left.fetch_sub(1, Ordering::SeqCst);
        if left == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

fn changes() -> [(Change, &'static str); 4] {
    [
        (update(json!({"priority": 4})), "demo-k3x9"),
        (update(json!({"type": "Chore"})), "demo-k3x9"),
        (update(json!({"priority": 4})), "demo-old1"),
        (Change::Delete { reason: "r".to_owned() }, "demo-k3x9"),
    ]
}

#[tokio::test]
async fn a_step_that_fails_leaves_the_old_state() {
    for step in WriteStep::ALL {
        for (change, id) in changes() {
            let mut desk = Desk::new();
            let file = |desk: &Desk| {
                [
                    "tasks/demo-k3x9.toon",
                    "chores/demo-k3x9.toon",
                    "chores/demo-old1.md",
                    "chores/demo-old1.toon",
                ]
                .map(|path| std::fs::read_to_string(desk.sample.tracker.join(path)).ok())
            };
            let stream = format!("history/{id}.jsonl");
            let before = (file(&desk), desk.sample.read(&stream));
            desk.workspace = desk.workspace.observed_by(Refuse::nth(step, 0));
            let outcome = desk.ask(id, crate::desk::request(change.clone())).await;
            match outcome {
                Err(error) => {
                    assert!(
                        matches!(error, WriteError::Storage { half_done: false, .. }),
                        "{step:?}: {error}"
                    );
                    assert_eq!((file(&desk), desk.sample.read(&stream)), before, "{step:?} {change:?}");
                }
                // A step that this change does not have, or that comes too late to fail.
                Ok(_) => assert!(desk.is_sound(id).await, "{step:?} {change:?}"),
            }
            let litter =
                |folder: &str| desk.names(folder).iter().filter(|name| name.starts_with('.')).count();
            assert_eq!(["tasks", "chores", "locks"].map(litter), [0; 3], "{step:?} {change:?}");
        }
    }
}
