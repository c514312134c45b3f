//! Locks beside other programs.

use std::time::Duration;

use pm_tracker_ports::WriteError;
use serde_json::json;

use crate::desk::{Desk, forced, request, update};

const LOCK: &str = "locks/demo-k3x9.lock";

fn lock(created: &str) -> String {
    format!(
        "{{\n  \"id\": \"demo-k3x9\",\n  \"pid\": 4711,\n  \"owner\": \"somebody\",\n  \"created_at\": \"{created}\",\n  \"ttl_seconds\": 1800\n}}\n"
    )
}

fn impatient(mut desk: Desk) -> Desk {
    desk.workspace = desk.workspace.with_lock_wait(Duration::from_millis(60));
    desk
}

#[tokio::test]
async fn a_fresh_lock_of_somebody_else_is_waited_for_and_then_named() {
    let desk = impatient(Desk::new());
    desk.sample.write(LOCK, lock("2026-03-03T07:59:00.000Z"));
    let refused = desk.ask("demo-k3x9", forced(update(json!({"goal": "g"})))).await.unwrap_err();
    let WriteError::Locked { name, owner, stale, retry_after_ms } = refused else { panic!("{refused}") };
    assert_eq!((name.as_str(), owner.as_str(), stale, retry_after_ms), ("demo-k3x9", "somebody", false, 250));
    assert_eq!(desk.sample.read(LOCK), lock("2026-03-03T07:59:00.000Z"));
    desk.make("demo-q7aa", update(json!({"goal": "g"}))).await;
}

#[tokio::test]
async fn a_stale_lock_goes_by_force_where_the_workspace_says_so() {
    let desk = impatient(Desk::new());
    desk.sample.write(LOCK, lock("2026-03-03T07:00:00.000Z"));
    let refused = desk.ask("demo-k3x9", request(update(json!({"goal": "g"})))).await.unwrap_err();
    assert!(matches!(refused, WriteError::Locked { stale: true, .. }), "{refused}");
    desk.ask("demo-k3x9", forced(update(json!({"goal": "g"})))).await.unwrap();
    assert_eq!(desk.names("locks"), [""; 0]);

    let desk = impatient(Desk::new().lenient());
    for content in [lock("2026-03-03T07:00:00.000Z"), "torn {".to_owned(), "[]".to_owned(), lock("soon")] {
        desk.sample.write(LOCK, content);
        let goal = json!({"goal": format!("g{}", desk.version("demo-k3x9").await)});
        desk.make("demo-k3x9", update(goal)).await;
        assert_eq!(desk.names("locks"), [""; 0]);
    }
}

#[tokio::test]
async fn a_stale_lock_is_left_to_whoever_is_removing_it() {
    let desk = impatient(Desk::new().lenient());
    desk.sample.write(LOCK, lock("2026-03-03T07:00:00.000Z"));
    desk.sample.write(&format!("{LOCK}.stale-cleanup/owner.json"), "{\"pid\": 1, \"token\": \"theirs\"}\n");
    let refused = desk.ask("demo-k3x9", request(update(json!({"goal": "g"})))).await.unwrap_err();
    assert!(matches!(refused, WriteError::Locked { .. }), "{refused}");
    assert_eq!(desk.names("locks"), ["demo-k3x9.lock", "demo-k3x9.lock.stale-cleanup"]);
}

#[cfg(unix)]
#[tokio::test]
async fn whoever_was_stopped_while_removing_a_stale_lock_is_not_waited_for() {
    let desk = impatient(Desk::new().lenient());
    desk.sample.write(LOCK, lock("2026-03-03T07:00:00.000Z"));
    desk.sample.write(&format!("{LOCK}.stale-cleanup/owner.json"), "{\"pid\": 1, \"token\": \"theirs\"}\n");
    let gate = std::fs::File::open(desk.sample.tracker.join(format!("{LOCK}.stale-cleanup"))).unwrap();
    let made = u64::try_from(crate::desk::now().as_unix_ms()).unwrap() - 20_000;
    gate.set_modified(std::time::UNIX_EPOCH + Duration::from_millis(made)).unwrap();
    desk.make("demo-k3x9", update(json!({"goal": "g"}))).await;
    assert_eq!(desk.names("locks"), [""; 0]);
}

#[tokio::test]
async fn a_lock_says_what_every_program_reads() {
    use std::sync::{Arc, Mutex};

    use pm_tracker_workspace_pm::{StepObserver, WriteStep};

    #[derive(Debug)]
    struct Look(std::path::PathBuf, Mutex<String>);
    impl StepObserver for Look {
        fn done(&self, step: WriteStep) -> std::io::Result<()> {
            if step == WriteStep::LockTaken {
                *self.1.lock().unwrap() = std::fs::read_to_string(&self.0)?;
            }
            Ok(())
        }
    }
    let mut desk = Desk::new();
    let look = Arc::new(Look(desk.sample.tracker.join(LOCK), Mutex::default()));
    desk.workspace = desk.workspace.observed_by(look.clone());
    desk.make("demo-k3x9", update(json!({"goal": "g"}))).await;
    let seen = look.1.lock().unwrap().clone();
    let pid = std::process::id();
    let start = format!(
        "{{\n  \"id\": \"demo-k3x9\",\n  \"pid\": {pid},\n  \"owner\": \"agent-7\",\n  \"created_at\": \"2026-03-03T08:00:00."
    );
    assert!(seen.starts_with(&start) && seen.ends_with("Z\",\n  \"ttl_seconds\": 1800\n}\n"), "{seen}");
}

#[tokio::test]
async fn writers_of_one_process_take_turns() {
    let desk = impatient(Desk::new());
    let world = desk.world().await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..16 {
        let (workspace, world) = (desk.workspace.clone(), world.clone());
        tasks.spawn(async move {
            let log = pm_tracker_domain::change::LogKind::Note;
            let request =
                request(pm_tracker_domain::change::Change::LogAdd { log, text: format!("n{number}") });
            let target = pm_tracker_ports::Target::Item("demo-k3x9".to_owned());
            let edit = pm_tracker_ports::Edit { target, request, world, now: crate::desk::now() };
            pm_tracker_ports::WorkspaceWriter::edit(&workspace, edit).await.unwrap();
        });
    }
    tasks.join_all().await;
    assert_eq!(desk.version("demo-k3x9").await, 3 + 16);
    assert!(desk.is_sound("demo-k3x9").await);
}
