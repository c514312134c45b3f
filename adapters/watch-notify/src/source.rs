//! The change source.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use notify::event::{AccessKind, AccessMode, EventKind};
use pm_tracker_ports::{ChangeSource, Touched, WatchMode};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use crate::folders::Watches;
use crate::git;
use crate::network::silent_file_system;
use crate::part::touched_by;

/// A burst ends when nothing was heard for this long.
pub const QUIET: Duration = Duration::from_millis(150);

/// A burst that does not end is reported after this long, and goes on as another one.
pub const LONGEST_BURST: Duration = Duration::from_millis(1_500);

/// A burst does not end while git changes files, unless it takes longer than this: its lock may be a leftover.
pub const LONGEST_GIT: Duration = Duration::from_secs(10);

/// How often somebody has to look where the operating system does not tell.
pub const LOOK_INTERVAL: Duration = Duration::from_secs(2);

/// The folders of one workspace, without links.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the two folders that a workspace has")]
pub struct WatchedFolders {
    /// The tracker root, which holds `settings.json`.
    pub tracker: PathBuf,
    /// The repository root, which holds `AGENTS.md` and `.agents/skills`.
    pub repository: PathBuf,
}

/// Hears of changes from the operating system; where it has no watches left, or does not know of changes made
/// elsewhere, it asks for a look every two seconds instead.
///
/// Must be used inside a tokio runtime with timers, whose blocking threads set watches.
#[derive(Debug)]
pub struct NotifySource {
    folders: Arc<WatchedFolders>,
    heard: Arc<Heard>,
    /// `None` while nobody tells.
    watches: Arc<Mutex<Option<Watches>>>,
    mode: Mutex<WatchMode>,
}

/// What the operating system's thread has told since the last report.
#[derive(Debug, Default)]
struct Heard {
    pending: Mutex<Touched>,
    more: Notify,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Heard {
    fn add(&self, touched: Touched) {
        if touched.is_nothing() {
            return;
        }
        {
            let mut pending = lock(&self.pending);
            *pending = pending.and(touched);
        }
        self.more.notify_one();
    }

    fn is_empty(&self) -> bool {
        lock(&self.pending).is_nothing()
    }

    fn take(&self) -> Touched {
        std::mem::take(&mut *lock(&self.pending))
    }
}

impl NotifySource {
    /// Begins to watch. Blocks while watches are set.
    #[must_use]
    pub fn watch(folders: WatchedFolders) -> Self {
        let folders = Arc::new(folders);
        let heard = Arc::new(Heard::default());
        let (watches, mode) = match begin(&folders, &heard) {
            Ok(watches) => (Some(watches), WatchMode::Told),
            Err(reason) => (None, WatchMode::Looking { reason }),
        };
        if let WatchMode::Looking { reason } = &mode {
            tracing::warn!(folder = ?folders.tracker, %reason, "looking for changes every two seconds");
        }
        heard.add(Touched::ALL);
        Self { folders, heard, watches: Arc::new(Mutex::new(watches)), mode: Mutex::new(mode) }
    }

    /// A source that never is told anything, as on a network folder.
    #[must_use]
    pub fn looking(folders: WatchedFolders, reason: impl Into<String>) -> Self {
        Self {
            folders: Arc::new(folders),
            heard: Arc::default(),
            watches: Arc::default(),
            mode: Mutex::new(WatchMode::Looking { reason: reason.into() }),
        }
    }

    /// Waits for the end of the burst that has begun.
    async fn gather(&self) {
        let began = Instant::now();
        loop {
            let is_quiet = timeout(QUIET, self.heard.more.notified()).await.is_err();
            let lasted = began.elapsed();
            if lasted >= LONGEST_GIT {
                return;
            }
            if (is_quiet || lasted >= LONGEST_BURST) && !self.is_git_at_work().await {
                return;
            }
        }
    }

    async fn is_git_at_work(&self) -> bool {
        let folders = Arc::clone(&self.folders);
        tokio::task::spawn_blocking(move || git::is_at_work(&folders.repository)).await.unwrap_or_default()
    }

    /// Sets the watches of folders that came since, and counts everything as touched if there were any.
    async fn rearm(&self) {
        let (folders, watches) = (Arc::clone(&self.folders), Arc::clone(&self.watches));
        let armed = tokio::task::spawn_blocking(move || {
            lock(&watches).as_mut().map_or(Ok(false), |watches| watches.arm(&folders))
        });
        match armed.await {
            Ok(Ok(false)) => {}
            Ok(Ok(true)) => self.heard.add(Touched::ALL),
            Ok(Err(error)) => self.look_instead(error.to_string()),
            Err(error) => self.look_instead(error.to_string()),
        }
    }

    fn look_instead(&self, reason: String) {
        tracing::warn!(folder = ?self.folders.tracker, %reason, "looking for changes every two seconds");
        *lock(&self.watches) = None;
        *lock(&self.mode) = WatchMode::Looking { reason };
        self.heard.add(Touched::ALL);
    }
}

fn begin(folders: &Arc<WatchedFolders>, heard: &Arc<Heard>) -> Result<Watches, String> {
    if let Some(kind) = silent_file_system(&folders.tracker) {
        return Err(format!(
            "the workspace lies on a file system ({kind}) that does not tell of all changes"
        ));
    }
    let (into, below) = (Arc::clone(heard), Arc::clone(folders));
    let watcher = notify::recommended_watcher(move |told: notify::Result<notify::Event>| {
        into.add(told.map_or(Touched::ALL, |event| touched(&below, &event)));
    });
    let mut watches = Watches::new(watcher.map_err(|error| error.to_string())?);
    watches.arm(folders).map_err(|error| error.to_string())?;
    Ok(watches)
}

fn touched(folders: &WatchedFolders, event: &notify::Event) -> Touched {
    // The queue ran over, so that anything may have happened.
    if event.need_rescan() {
        return Touched::ALL;
    }
    // Reading must not pass for a change: the look that follows a report would cause the next report.
    if let EventKind::Access(kind) = event.kind
        && kind != AccessKind::Close(AccessMode::Write)
    {
        return Touched::default();
    }
    event.paths.iter().fold(Touched::default(), |sum, path| sum.and(touched_by(folders, path)))
}

#[async_trait]
impl ChangeSource for NotifySource {
    async fn next(&self) -> Option<Touched> {
        loop {
            if matches!(self.mode(), WatchMode::Looking { .. }) {
                sleep(LOOK_INTERVAL).await;
                self.heard.take();
                return Some(Touched::ALL);
            }
            if self.heard.is_empty() {
                self.heard.more.notified().await;
                continue;
            }
            self.gather().await;
            self.rearm().await;
            // Nothing is awaited between taking and returning, so a dropped future takes nothing along.
            return Some(self.heard.take());
        }
    }

    fn mode(&self) -> WatchMode {
        lock(&self.mode).clone()
    }
}
