//! A workspace in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pm_mcp::async_trait;
use pm_tracker_domain::{HistoryEntry, Item};
use pm_tracker_ports::{
    CheckProgress, EntryHead, FileForm, FolderFacts, FormCheck, HistoryCheck, HistoryStream, ItemFile,
    LineFault, LinkTarget, LockFacts, ReadError, Session, Skills, StreamFacts, StreamHeads, WorkspaceHealth,
    WorkspaceRepository, WorkspaceSnapshot,
};

/// What a workspace in memory is made of.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    pub(crate) snapshot: WorkspaceSnapshot,
    pub(crate) histories: BTreeMap<String, Vec<HistoryEntry>>,
    pub(crate) torn_history: Option<String>,
    pub(crate) focused: Option<String>,
    pub(crate) gone: bool,
    /// Whether a check of histories stays at the first one.
    pub(crate) stuck: bool,
}

#[derive(Debug)]
pub(crate) struct Memory {
    content: Mutex<(Content, Arc<WorkspaceSnapshot>)>,
}

impl Memory {
    pub(crate) fn new(content: Content) -> Self {
        let snapshot = Arc::new(content.snapshot.clone());
        Self { content: Mutex::new((content, snapshot)) }
    }

    /// Changes the workspace, as somebody beside the server would.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Content)) {
        let mut held = self.content.lock().unwrap();
        change(&mut held.0);
        held.0.snapshot.revision += 1;
        held.1 = Arc::new(held.0.snapshot.clone());
    }

    fn read<R>(&self, read: impl FnOnce(&Content) -> R) -> R {
        read(&self.content.lock().unwrap().0)
    }

    fn stream(&self, id: &str) -> HistoryStream {
        self.read(|content| {
            let entries = content.histories.get(id).cloned();
            let torn = content.torn_history.as_deref() == Some(id);
            let faults =
                torn.then(|| LineFault { line: 2, torn: true, detail: "the line is cut".to_owned() });
            HistoryStream {
                id: id.to_owned(),
                exists: entries.is_some(),
                entries: entries.unwrap_or_default(),
                faults: faults.into_iter().collect(),
            }
        })
    }
}

pub(crate) fn file(item: Item) -> (String, ItemFile) {
    let id = item.id().to_owned();
    let folder = format!("{}s", item.type_name().to_lowercase());
    let file = ItemFile {
        item: Arc::new(item),
        path: format!("{folder}/{id}.toon"),
        folder,
        form: FileForm::Toon,
        bytes: 100,
        modified_ms: 0,
        digest: [0; 32],
    };
    (id, file)
}

fn heads(stream: &HistoryStream) -> StreamHeads {
    let head = |(at, entry): (usize, &HistoryEntry)| EntryHead {
        version: at + 1,
        ts: entry.ts().to_owned(),
        author: entry.author().into(),
        op: entry.op().into(),
        message: entry.message().map(str::to_owned),
        patch_count: entry.patch().len(),
    };
    StreamHeads { id: stream.id.clone(), heads: stream.entries.iter().enumerate().map(head).collect() }
}

#[async_trait]
impl WorkspaceRepository for Memory {
    async fn snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, ReadError> {
        let held = self.content.lock().unwrap();
        match held.0.gone {
            true => Err(ReadError::WorkspaceMissing { detail: "no settings.json".to_owned() }),
            false => Ok(Arc::clone(&held.1)),
        }
    }

    async fn fresh_snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, ReadError> {
        self.snapshot().await
    }

    async fn history(&self, id: &str) -> Result<HistoryStream, ReadError> {
        Ok(self.stream(id))
    }

    async fn version(&self, id: &str) -> Result<usize, ReadError> {
        Ok(self.stream(id).entries.len())
    }

    async fn heads(&self, ids: Option<&[String]>) -> Result<Vec<StreamHeads>, ReadError> {
        let all: Vec<String> = self.read(|content| content.histories.keys().cloned().collect());
        Ok(ids.unwrap_or(&all).iter().map(|id| heads(&self.stream(id))).collect())
    }

    async fn check_histories(
        &self,
        progress: Arc<dyn CheckProgress>,
    ) -> Result<Vec<HistoryCheck>, ReadError> {
        if self.read(|content| content.stuck) {
            progress.advanced(1, 4);
            while !progress.is_cancelled() {
                tokio::task::yield_now().await;
            }
        }
        let ids: Vec<String> = self.read(|content| content.snapshot.items.keys().cloned().collect());
        let check = |id: &String| {
            let stream = self.stream(id);
            HistoryCheck {
                id: id.clone(),
                exists: stream.exists,
                entries: stream.entries.len(),
                findings: Vec::new(),
                faults: stream.faults,
                differing_documents: Vec::new(),
            }
        };
        Ok(ids.iter().map(check).collect())
    }

    async fn check_forms(&self, _: Arc<dyn CheckProgress>) -> Result<Vec<FormCheck>, ReadError> {
        Ok(vec![FormCheck { id: "demo-t2".to_owned(), path: "tasks/demo-t2.toon".to_owned(), line: 3 }])
    }

    async fn session(&self) -> Result<Session, ReadError> {
        Ok(Session { focused_item: self.read(|content| content.focused.clone()), problem: None })
    }

    async fn agent_guide(&self) -> Result<Option<String>, ReadError> {
        Ok(None)
    }

    async fn repository_text(&self, path: &str, _: u64) -> Result<String, ReadError> {
        match path {
            "todo.md" => Ok("- [ ] Polish the mirror #shine\n".to_owned()),
            _ => Err(ReadError::Unreadable {
                path: path.to_owned(),
                detail: "there is no such file".to_owned(),
            }),
        }
    }

    async fn skills(&self) -> Result<Skills, ReadError> {
        Ok(Skills::default())
    }

    async fn link_targets(&self, paths: &[String]) -> Result<Vec<LinkTarget>, ReadError> {
        let target = |path: &String| match path.as_str() {
            "src/upload.rs" => LinkTarget::File,
            path if path.starts_with("..") => LinkTarget::Outside,
            _ => LinkTarget::Missing,
        };
        Ok(paths.iter().map(target).collect())
    }

    async fn health(&self) -> Result<WorkspaceHealth, ReadError> {
        let lock = LockFacts {
            name: "demo-t1".to_owned(),
            owner: Some("agent-7".to_owned()),
            pid: Some(4711),
            taken_ms: 0,
            ttl_seconds: Some(1800),
            readable: true,
        };
        let folder = FolderFacts { path: "tasks".to_owned(), exists: true, files: 9, strays: 1 };
        Ok(WorkspaceHealth { locks: vec![lock], folders: vec![folder], caches: Vec::new() })
    }
}

/// The facts of a stream, as a snapshot lists them.
pub(crate) const STREAM: StreamFacts = StreamFacts { bytes: 1000, modified_ms: 0 };
