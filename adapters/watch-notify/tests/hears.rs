//! What is heard of a real folder.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use pm_tracker_ports::{ChangeSource as _, Touched, WatchMode};
use pm_tracker_watch_notify::{LOOK_INTERVAL, NotifySource, WatchedFolders};
use tempfile::TempDir;
use tokio::time::timeout;

/// Far longer than any burst; only a change that goes unheard takes so long.
const UNHEARD: Duration = Duration::from_secs(20);

async fn project() -> (TempDir, NotifySource) {
    let folder = tempfile::tempdir().unwrap();
    for name in [".agents/pm/tasks", ".agents/pm/history", ".agents/pm/locks", ".agents/pm/runtime"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    write(folder.path(), ".agents/pm/settings.json", "{}");
    let source = watch(folder.path());
    assert_eq!(next(&source).await, Touched::ALL, "whoever listens has looked before");
    (folder, source)
}

fn watch(project: &Path) -> NotifySource {
    let repository = fs::canonicalize(project).unwrap();
    NotifySource::watch(WatchedFolders { tracker: repository.join(".agents/pm"), repository })
}

fn write(project: &Path, path: &str, text: &str) {
    let path = project.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

async fn next(source: &NotifySource) -> Touched {
    timeout(UNHEARD, source.next()).await.expect("nothing was heard").expect("the source lives")
}

/// Makes a change that is heard for certain and gives all that was heard up to it.
async fn up_to_a_known_change(project: &Path, source: &NotifySource) -> Touched {
    write(project, "AGENTS.md", "x");
    let mut heard = Touched::default();
    while !heard.guide {
        heard = heard.and(next(source).await);
    }
    heard
}

#[tokio::test]
async fn each_part_is_heard_of() {
    let (folder, source) = project().await;
    assert_eq!(source.mode(), WatchMode::Told);
    write(folder.path(), ".agents/pm/tasks/a-1.toon", "id: a-1");
    assert_eq!(next(&source).await, Touched { snapshot: true, ..Touched::default() });
    write(folder.path(), ".agents/pm/runtime/session.json", "{}");
    assert_eq!(next(&source).await, Touched { session: true, ..Touched::default() });
    write(folder.path(), "AGENTS.md", "# Rules");
    assert_eq!(next(&source).await, Touched { guide: true, ..Touched::default() });
    write(folder.path(), ".agents/skills/x/SKILL.md", "# X");
    assert!(next(&source).await.skills);
}

#[tokio::test]
async fn what_no_reader_shows_is_not_heard_of() {
    let (folder, source) = project().await;
    write(folder.path(), ".agents/pm/tasks/.a-1.toon.1.2.tmp", "half");
    write(folder.path(), ".agents/pm/locks/a-1.lock", "{}");
    write(folder.path(), "src/main.rs", "fn main() {}");
    write(folder.path(), "README.md", "hello");
    let heard = up_to_a_known_change(folder.path(), &source).await;
    assert_eq!(heard, Touched { guide: true, ..Touched::default() });
}

#[tokio::test]
async fn reading_is_not_heard_of() {
    let (folder, source) = project().await;
    for _ in 0..3 {
        fs::read(folder.path().join(".agents/pm/settings.json")).unwrap();
        fs::read_dir(folder.path().join(".agents/pm/tasks")).unwrap().count();
    }
    let heard = up_to_a_known_change(folder.path(), &source).await;
    assert_eq!(heard, Touched { guide: true, ..Touched::default() });
}

#[tokio::test]
async fn a_thousand_writes_are_few_reports() {
    let (folder, source) = project().await;
    for number in 0..1_000 {
        write(folder.path(), &format!(".agents/pm/tasks/a-{number}.toon"), "id: x");
    }
    write(folder.path(), "AGENTS.md", "last");
    let mut reports = 0;
    let mut heard = Touched::default();
    while !heard.guide {
        heard = heard.and(next(&source).await);
        reports += 1;
    }
    assert!(heard.snapshot);
    assert!(reports <= 10, "{reports} reports");
}

#[tokio::test]
async fn folders_that_come_later_are_watched() {
    let (folder, source) = project().await;
    write(folder.path(), ".agents/pm/issues/a-1.toon", "id: a-1");
    while !next(&source).await.snapshot {}
    write(folder.path(), ".agents/pm/issues/a-2.toon", "id: a-2");
    assert!(next(&source).await.snapshot);
}

#[tokio::test]
async fn a_tracker_that_is_removed_and_comes_back_is_watched_again() {
    let (folder, source) = project().await;
    fs::remove_dir_all(folder.path().join(".agents")).unwrap();
    assert!(next(&source).await.snapshot);
    write(folder.path(), ".agents/pm/tasks/a-1.toon", "id: a-1");
    assert!(next(&source).await.snapshot);
    // The folders came one in another, so the last of them may be found by a second look only.
    let heard = up_to_a_known_change(folder.path(), &source).await;
    assert!(heard.guide);
    write(folder.path(), ".agents/pm/tasks/a-1.toon", "id: a-2");
    assert!(next(&source).await.snapshot);
}

#[tokio::test]
async fn a_checkout_of_another_branch_is_heard_of() {
    let (folder, source) = project().await;
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder.path()).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
        let done = command.args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q", "-b", "main"]);
    for number in 0..500 {
        write(folder.path(), &format!(".agents/pm/tasks/a-{number}.toon"), "id: x");
    }
    git(&["add", "-A"]);
    git(&["commit", "-qm", "all"]);
    git(&["checkout", "-qb", "without"]);
    git(&["rm", "-rq", ".agents/pm/tasks"]);
    git(&["commit", "-qm", "none"]);
    up_to_a_known_change(folder.path(), &source).await;
    git(&["checkout", "-q", "main"]);
    assert!(next(&source).await.snapshot);
    up_to_a_known_change(folder.path(), &source).await;
    write(folder.path(), ".agents/pm/tasks/a-7.toon", "id: y");
    assert!(next(&source).await.snapshot, "the folder that came back is watched");
}

#[tokio::test]
async fn a_dropped_wait_loses_nothing() {
    let (folder, source) = project().await;
    write(folder.path(), ".agents/pm/tasks/a-1.toon", "id: a-1");
    for _ in 0..50 {
        drop(timeout(Duration::from_millis(1), source.next()).await);
    }
    assert!(next(&source).await.snapshot);
}

#[tokio::test(start_paused = true)]
async fn where_nobody_tells_a_look_is_asked_for_every_two_seconds() {
    let folders = WatchedFolders { tracker: "/nowhere".into(), repository: "/nowhere".into() };
    let source = NotifySource::looking(folders, "told to");
    let began = tokio::time::Instant::now();
    assert_eq!(source.next().await, Some(Touched::ALL));
    assert_eq!(source.next().await, Some(Touched::ALL));
    assert_eq!(began.elapsed(), 2 * LOOK_INTERVAL);
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let source = watch(folder.path());
    assert_eq!(source.mode(), WatchMode::Told);
    assert_eq!(next(&source).await, Touched::ALL);
    write(folder.path(), ".agents/pm/settings.json", "{}");
    assert!(next(&source).await.snapshot);
}
