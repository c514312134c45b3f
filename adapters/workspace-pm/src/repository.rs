//! The pm workspace as the port sees it.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use pm_tracker_domain::ItemId;
use pm_tracker_ports::{
    CacheFacts, CheckProgress, EntryHead, FormCheck, HistoryCheck, HistoryStream, LinkTarget, ReadError,
    Session, Skills, StreamHeads, WorkspaceHealth, WorkspaceRepository, WorkspaceSnapshot,
};
use tokio::{sync::Semaphore, time::Instant};

use crate::{
    check::{self, CheckMemory},
    guidance, health,
    load::Loader,
    parallel,
    root::WorkspaceRoot,
    scan,
    stamp::Stamp,
    stream,
    write::Writing,
};

/// How long a snapshot is handed out without another look at the disk.
pub const PAUSE_BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// How many read at once. Each takes a thread, and for each thread the allocator keeps memory.
const AT_ONCE: usize = 8;

/// Reads and writes a pm workspace. Clones share everything.
///
/// Must be used inside a tokio runtime, whose blocking threads do the file work.
#[derive(Debug, Clone)]
pub struct PmWorkspace {
    reader: Arc<Reader>,
    /// So many of this process read at once.
    turns: Arc<Semaphore>,
    pub(crate) writing: Writing,
}

#[derive(Debug)]
struct Reader {
    root: WorkspaceRoot,
    latest: Mutex<Option<(Instant, Arc<WorkspaceSnapshot>)>>,
    /// When this process wrote last; what was seen before that is not handed out again.
    wrote: Mutex<Option<Instant>>,
    /// Held by the one who looks; the others wait for what he finds.
    loader: Mutex<Loader>,
    gate: tokio::sync::Mutex<()>,
    heads: Mutex<HeadMemory>,
    checks: Mutex<CheckMemory>,
}

#[derive(Debug, Default)]
struct HeadMemory {
    names: HashSet<Arc<str>>,
    streams: HashMap<String, (Stamp, Arc<[EntryHead]>)>,
}

/// What a lock guards here is replaced as a whole, so a thread that panicked leaves nothing half-done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PmWorkspace {
    /// Takes a found root. Nothing is read yet.
    #[must_use]
    pub fn new(root: WorkspaceRoot) -> Self {
        let writing = Writing::new(&root);
        let reader = Reader {
            root,
            latest: Mutex::default(),
            wrote: Mutex::default(),
            loader: Mutex::default(),
            gate: tokio::sync::Mutex::default(),
            heads: Mutex::default(),
            checks: Mutex::default(),
        };
        Self { reader: Arc::new(reader), turns: Arc::new(Semaphore::new(AT_ONCE)), writing }
    }

    /// The folders of the workspace.
    #[must_use]
    pub fn root(&self) -> &WorkspaceRoot {
        &self.reader.root
    }

    async fn on_file_thread<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Reader) -> Result<R, ReadError> + Send + 'static,
    ) -> Result<R, ReadError> {
        let unavailable = |detail: String| ReadError::Unavailable { detail };
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|error| unavailable(error.to_string()))?;
        let reader = Arc::clone(&self.reader);
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&reader);
            drop(turn);
            done
        });
        done.await.unwrap_or_else(|error| Err(unavailable(error.to_string())))
    }

    /// Notes that this process has just written.
    pub(crate) fn wrote(&self) {
        *lock(&self.reader.wrote) = Some(Instant::now());
    }

    fn recent(&self) -> Option<Arc<WorkspaceSnapshot>> {
        let wrote = *lock(&self.reader.wrote);
        let latest = lock(&self.reader.latest);
        latest
            .as_ref()
            .filter(|(looked, _)| looked.elapsed() < PAUSE_BETWEEN_LOOKS)
            .filter(|(looked, _)| wrote.is_none_or(|wrote| wrote < *looked))
            .map(|(_, s)| Arc::clone(s))
    }
}

impl Reader {
    fn look(&self) -> Result<Arc<WorkspaceSnapshot>, ReadError> {
        let mut loader = lock(&self.loader);
        let started = Instant::now();
        let snapshot = loader.look(&self.root.tracker)?;
        *lock(&self.latest) = Some((started, Arc::clone(&snapshot)));
        Ok(snapshot)
    }

    fn heads_of(&self, id: &str) -> Result<Arc<[EntryHead]>, ReadError> {
        let path = self.root.tracker.join("history").join(format!("{id}.jsonl"));
        let Ok(stamp) = std::fs::metadata(&path).map(|metadata| Stamp::of(&metadata)) else {
            return Ok(Arc::from([]));
        };
        if let Some((known, heads)) = lock(&self.heads).streams.get(id)
            && *known == stamp
        {
            return Ok(Arc::clone(heads));
        }
        // Read outside the lock, so that the two threads do not wait for each other.
        let mut names = HashSet::new();
        let mut heads = match stream::open(&self.root.tracker, id)? {
            Some(stream) => stream.heads(&mut names)?,
            None => Vec::new(),
        };
        let mut memory = lock(&self.heads);
        for head in &mut heads {
            head.author = memory.shared(&head.author);
            head.op = memory.shared(&head.op);
        }
        let heads: Arc<[EntryHead]> = heads.into();
        memory.streams.insert(id.to_owned(), (stamp, Arc::clone(&heads)));
        Ok(heads)
    }
}

impl HeadMemory {
    fn shared(&mut self, name: &Arc<str>) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        self.names.insert(Arc::clone(name));
        Arc::clone(name)
    }
}

/// Whether an id can name a stream without leaving the history folder.
fn usable(id: &str) -> Result<(), ReadError> {
    let plain = id == check::WORKSPACE_STREAM
        || ItemId::parse(id, "").is_some_and(|parsed| parsed.as_str().len() == id.len());
    if plain { Ok(()) } else { Err(ReadError::UnusableId { id: id.to_owned() }) }
}

#[async_trait]
impl WorkspaceRepository for PmWorkspace {
    async fn snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, ReadError> {
        if let Some(snapshot) = self.recent() {
            return Ok(snapshot);
        }
        let _one_at_a_time = self.reader.gate.lock().await;
        match self.recent() {
            Some(snapshot) => Ok(snapshot),
            None => self.on_file_thread(Reader::look).await,
        }
    }

    async fn fresh_snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, ReadError> {
        self.on_file_thread(Reader::look).await
    }

    async fn history(&self, id: &str) -> Result<HistoryStream, ReadError> {
        usable(id)?;
        let id = id.to_owned();
        self.on_file_thread(move |reader| {
            let mut entries = Vec::new();
            let lines = stream::each_entry(&reader.root.tracker, &id, |entry| entries.push(entry))?;
            let exists = lines.is_some();
            Ok(HistoryStream { id, exists, entries, faults: lines.unwrap_or_default().faults })
        })
        .await
    }

    async fn version(&self, id: &str) -> Result<usize, ReadError> {
        usable(id)?;
        let id = id.to_owned();
        self.on_file_thread(move |reader| reader.heads_of(&id).map(|heads| heads.len())).await
    }

    async fn heads(&self, ids: Option<&[String]>) -> Result<Vec<StreamHeads>, ReadError> {
        for id in ids.unwrap_or_default() {
            usable(id)?;
        }
        let ids = ids.map(<[String]>::to_vec);
        self.on_file_thread(move |reader| {
            let ids = match ids {
                Some(ids) => ids,
                None => scan::streams(&reader.root.tracker)?.into_keys().collect(),
            };
            let heads = parallel::for_each(&ids, |id| {
                Some(reader.heads_of(id).map(|heads| StreamHeads { id: id.clone(), heads }))
            })?;
            heads.into_iter().collect()
        })
        .await
    }

    async fn check_histories(
        &self,
        progress: Arc<dyn CheckProgress>,
    ) -> Result<Vec<HistoryCheck>, ReadError> {
        self.on_file_thread(move |reader| {
            let snapshot = reader.look()?;
            lock(&reader.checks).check_histories(&reader.root.tracker, &snapshot, &*progress)
        })
        .await
    }

    async fn check_forms(&self, progress: Arc<dyn CheckProgress>) -> Result<Vec<FormCheck>, ReadError> {
        self.on_file_thread(move |reader| {
            let snapshot = reader.look()?;
            check::check_forms(&reader.root.tracker, &snapshot, &*progress)
        })
        .await
    }

    async fn session(&self) -> Result<Session, ReadError> {
        self.on_file_thread(|reader| Ok(guidance::session(&reader.root))).await
    }

    async fn agent_guide(&self) -> Result<Option<String>, ReadError> {
        self.on_file_thread(|reader| guidance::agent_guide(&reader.root)).await
    }

    async fn repository_text(&self, path: &str, most: u64) -> Result<String, ReadError> {
        let path = path.to_owned();
        self.on_file_thread(move |reader| guidance::text_file(&reader.root, &path, most)).await
    }

    async fn skills(&self) -> Result<Skills, ReadError> {
        self.on_file_thread(|reader| guidance::skills(&reader.root)).await
    }

    async fn link_targets(&self, paths: &[String]) -> Result<Vec<LinkTarget>, ReadError> {
        let paths = paths.to_vec();
        self.on_file_thread(move |reader| {
            parallel::for_each(&paths, |path| Some(guidance::link_target(&reader.root, path)))
        })
        .await
    }

    async fn health(&self) -> Result<WorkspaceHealth, ReadError> {
        let snapshot = self.snapshot().await?;
        self.on_file_thread(move |reader| {
            let mut health = health::health(&reader.root.tracker, &snapshot.schema);
            let in_memory = |name: &str, size: usize| CacheFacts {
                name: name.to_owned(),
                size: u64::try_from(size).unwrap_or(u64::MAX),
                modified_ms: None,
            };
            health.caches.push(in_memory("<entry heads>", lock(&reader.heads).streams.len()));
            health.caches.push(in_memory("<finished checks>", lock(&reader.checks).len()));
            Ok(health)
        })
        .await
    }
}
