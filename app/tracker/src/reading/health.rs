//! State of an installation.

use pm_mcp::Timestamp;
use pm_tracker_domain::board::Board;
use pm_tracker_domain::check::{
    self, CheckRow, DirectoryFact, HealthCheck, IndexFacts, KeyFacts, LockFact, LockState, Report,
    StreamSize, TaskFacts, WatcherFacts, WatcherMode,
};
use pm_tracker_domain::{SchemaProblem, Timestamp as Instant};
use pm_tracker_ports::{
    CheckProgress as _, FolderFacts, LockFacts, ReadError, StreamHeads, WatchMode, WorkspaceHealth,
    WorkspaceSnapshot,
};

use super::report::CheckReport;
use crate::failure::Problem;
use crate::view::View;
use crate::watch::Watch;

/// Most findings that a report shows of one check; its counts tell how many there are.
const FINDINGS_MAX: usize = 200;

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "a plain question")]
pub struct HealthQuestion {
    /// Checks to leave out.
    pub skip: Vec<HealthCheck>,
    /// Whether to leave the findings out and tell the counts alone.
    pub brief: bool,
}

/// What was looked up before the checks run.
#[derive(Debug)]
struct Facts {
    installation: WorkspaceHealth,
    streams: Vec<StreamSize>,
    watcher: WatcherFacts,
    index: IndexFacts,
    keys: KeyFacts,
    now: Instant,
}

/// Looks at the installation of a workspace. `watch` hears how far it is.
///
/// # Errors
///
/// Faults as they come.
pub async fn health(
    view: &View,
    question: HealthQuestion,
    keys: KeyFacts,
    now: Timestamp,
    watch: &Watch,
) -> Result<CheckReport, Problem> {
    let wanted: Vec<HealthCheck> =
        HealthCheck::ALL.into_iter().filter(|check| !question.skip.contains(check)).collect();
    let problem = |error: ReadError| Problem::of_workspace(view.workspace().name(), error);
    let part = watch.part("looking at the installation");
    let installation = view.repository().health().await.map_err(problem)?;
    let streams = if wanted.contains(&HealthCheck::History) {
        let heads = view.repository().heads(None).await.map_err(problem)?;
        heads.iter().map(|stream| stream_size(stream, view.snapshot())).collect()
    } else {
        Vec::new()
    };
    let index = IndexFacts {
        items: view.workspace().index().len().unwrap_or_default(),
        expected: view.snapshot().items.len(),
        bytes: 0,
        // An index is brought up to date by the search that needs it, so it is as old as that search at the most.
        age_seconds: view.workspace().index().len().map(|_| 0),
    };
    let watcher = watcher_facts(view);
    let facts =
        Facts { installation, streams, watcher, index, keys, now: Instant::from_unix_ms(now.as_unix_ms()) };
    let report = view
        .on_board(move |board, view| {
            let total = wanted.len();
            let rows = wanted.into_iter().enumerate().map(|(done, check)| {
                part.advanced(done, total);
                let mut row = run(check, board, view.snapshot(), &facts);
                row.shorten(if question.brief { 0 } else { FINDINGS_MAX });
                row
            });
            Report::new(rows.collect(), false, facts.now)
        })
        .await?;
    Ok(CheckReport(report))
}

fn run(check: HealthCheck, board: &Board, snapshot: &WorkspaceSnapshot, facts: &Facts) -> CheckRow {
    match check {
        HealthCheck::Settings => {
            let unusable = snapshot.settings_problem.iter();
            let unusable =
                unusable.map(|problem| SchemaProblem::new("settings.json", problem.detail.clone()));
            let problems: Vec<_> = unusable.chain(snapshot.schema_problems.iter().cloned()).collect();
            check::settings(&snapshot.settings, &problems)
        }
        HealthCheck::Directories => {
            let folders: Vec<DirectoryFact> = facts.installation.folders.iter().map(directory).collect();
            check::directories(&folders)
        }
        HealthCheck::Locks => {
            let ttl = snapshot.settings.lock_ttl_seconds;
            let locks: Vec<LockFact> =
                facts.installation.locks.iter().map(|lock| lock_fact(lock, ttl, facts.now)).collect();
            check::locks(&locks)
        }
        HealthCheck::Tasks => check::tasks(&TaskFacts::default()),
        HealthCheck::Index => check::index(&facts.index),
        HealthCheck::History => check::history(&facts.streams, board),
        HealthCheck::StaleWork => check::stale_work(board, &snapshot.settings, facts.now),
        HealthCheck::Watcher => check::watcher(&facts.watcher),
        HealthCheck::Keys => check::keys(&facts.keys),
    }
}

fn watcher_facts(view: &View) -> WatcherFacts {
    match view.workspace().watch_mode() {
        Some(WatchMode::Told) => WatcherFacts { mode: WatcherMode::Native, trouble: None },
        Some(WatchMode::Looking { reason }) => {
            WatcherFacts { mode: WatcherMode::Polling, trouble: Some(reason) }
        }
        None => WatcherFacts { mode: WatcherMode::Off, trouble: None },
    }
}

fn stream_size(stream: &StreamHeads, snapshot: &WorkspaceSnapshot) -> StreamSize {
    StreamSize {
        item: stream.id.clone(),
        entries: stream.heads.len(),
        bytes: snapshot.streams.get(&stream.id).map_or(0, |facts| facts.bytes),
        ends_deleted: stream.heads.last().is_some_and(|head| &*head.op == "delete"),
    }
}

fn directory(folder: &FolderFacts) -> DirectoryFact {
    DirectoryFact {
        path: folder.path.clone(),
        exists: folder.exists,
        needed: folder.path == ".",
        files: folder.files,
        strays: folder.strays,
    }
}

fn lock_fact(lock: &LockFacts, ttl_seconds: u64, now: Instant) -> LockFact {
    let state = match (&lock.owner, lock.readable) {
        (Some(owner), true) => {
            let age_ms = now.as_unix_ms().saturating_sub(lock.taken_ms).max(0);
            LockState::Taken {
                owner: owner.clone(),
                age_seconds: u64::try_from(age_ms / 1000).unwrap_or_default(),
                ttl_seconds: lock.ttl_seconds.unwrap_or(ttl_seconds),
            }
        }
        (Some(_) | None, _) => LockState::Malformed,
    };
    LockFact { name: lock.name.clone(), state }
}
