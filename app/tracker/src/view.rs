//! One workspace at one moment.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pm_mcp::HandlerFault;
use pm_tracker_domain::board::{Board, NEAR_MAX, near};
use pm_tracker_domain::change::World;
use pm_tracker_domain::search::{Hit, SearchIndex};
use pm_tracker_domain::{Item, ItemId};
use pm_tracker_ports::{WorkspaceRepository, WorkspaceSnapshot};

use crate::failure::{Failure, Problem};
use crate::index::Followed;
use crate::reading::{ItemRow, Rows};
use crate::workspace::Workspace;

/// One workspace at one moment; all that one call says comes from one view. Cloning it is cheap.
#[derive(Debug, Clone)]
pub struct View {
    workspace: Arc<Workspace>,
    moment: Arc<Moment>,
}

/// A snapshot and what follows from all its items together, built when it is first asked for. All views of one
/// snapshot share it.
#[derive(Debug)]
pub(crate) struct Moment {
    snapshot: Arc<WorkspaceSnapshot>,
    board: OnceLock<Arc<Board>>,
    /// The board of an earlier moment, of which this one takes over what did not change; given up when it has.
    before: Mutex<Option<Arc<Board>>>,
}

impl Moment {
    /// What follows from `snapshot`, beside what is known of an earlier moment.
    pub(crate) fn new(snapshot: Arc<WorkspaceSnapshot>, earlier: Option<&Self>) -> Self {
        let before = earlier.and_then(|earlier| match earlier.board.get() {
            Some(board) => Some(Arc::clone(board)),
            None => earlier.before.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        });
        Self { snapshot, board: OnceLock::new(), before: Mutex::new(before) }
    }

    pub(crate) fn is_of(&self, snapshot: &Arc<WorkspaceSnapshot>) -> bool {
        Arc::ptr_eq(&self.snapshot, snapshot)
    }

    fn board(&self) -> &Arc<Board> {
        self.board.get_or_init(|| {
            let items = self.snapshot.iter().map(Arc::clone);
            let schema = Arc::clone(&self.snapshot.schema);
            let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).take();
            Arc::new(match before {
                Some(before) => before.follow(items, schema),
                None => Board::new(items, schema),
            })
        })
    }
}

impl View {
    pub(crate) const fn new(workspace: Arc<Workspace>, moment: Arc<Moment>) -> Self {
        Self { workspace, moment }
    }

    /// The workspace.
    #[must_use]
    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// What was read.
    #[must_use]
    pub fn snapshot(&self) -> &WorkspaceSnapshot {
        &self.moment.snapshot
    }

    pub(crate) fn shared_snapshot(&self) -> Arc<WorkspaceSnapshot> {
        Arc::clone(&self.moment.snapshot)
    }

    /// Where more can be read.
    #[must_use]
    pub fn repository(&self) -> &dyn WorkspaceRepository {
        self.workspace.repository()
    }

    /// The item that a caller means: the full id, the id without prefix, a leading `#`, any letter case.
    ///
    /// # Errors
    ///
    /// [`Failure::ItemNotFound`] with near ids, or [`Failure::ItemUnreadable`] if there is a file that cannot be used.
    pub fn find(&self, input: &str) -> Result<&Arc<Item>, Failure> {
        if let Some(item) = self.snapshot().find(input) {
            return Ok(item);
        }
        let Some(id) = ItemId::parse(input, &self.snapshot().settings.id_prefix) else {
            return Err(Failure::ItemNotFound { id: input.to_owned(), near: Vec::new() });
        };
        match id.candidates().find_map(|id| self.snapshot().unreadable(id)) {
            Some(file) => Err(Failure::ItemUnreadable {
                id: file.id.clone(),
                path: file.path.clone(),
                detail: file.reason.to_string(),
            }),
            None => Err(self.not_found(id.as_str())),
        }
    }

    /// The id of an item of which at least a history is left: as [`find`](Self::find), and deleted ones too.
    ///
    /// # Errors
    ///
    /// [`Failure::ItemNotFound`] if there is neither file nor history.
    pub fn find_with_history(&self, input: &str) -> Result<String, Failure> {
        let id = ItemId::parse(input, &self.snapshot().settings.id_prefix);
        let known = |id: &&str| {
            self.snapshot().items.contains_key(*id)
                || self.snapshot().streams.contains_key(*id)
                || self.snapshot().unreadable(id).is_some()
        };
        match &id {
            Some(id) => match id.candidates().find(known) {
                Some(known) => Ok(known.to_owned()),
                None => Err(self.not_found(id.as_str())),
            },
            None => Err(Failure::ItemNotFound { id: input.to_owned(), near: Vec::new() }),
        }
    }

    /// That no item has an id, with the ids that may have been meant.
    #[must_use]
    pub fn not_found(&self, id: &str) -> Failure {
        let known = self.snapshot().items.keys().map(String::as_str);
        let near = near(id, known, &self.snapshot().settings.id_prefix, NEAR_MAX);
        Failure::ItemNotFound { id: id.to_owned(), near: near.into_iter().map(str::to_owned).collect() }
    }

    /// Asks all items together, off the threads that serve requests.
    ///
    /// # Errors
    ///
    /// A fault if the question panicked.
    pub async fn on_board<R: Send + 'static>(
        &self,
        ask: impl FnOnce(&Board, &Self) -> R + Send + 'static,
    ) -> Result<R, Problem> {
        let view = self.clone();
        let asked = tokio::task::spawn_blocking(move || ask(view.moment.board(), &view));
        asked.await.map_err(|fault| HandlerFault::internal(fault).into())
    }

    /// The workspace as decisions about changes see it.
    ///
    /// # Errors
    ///
    /// A fault if looking at the items together panicked.
    pub async fn world(&self) -> Result<Arc<World>, Problem> {
        let moment = Arc::clone(&self.moment);
        let board = tokio::task::spawn_blocking(move || Arc::clone(moment.board())).await;
        let board = board.map_err(|fault| Problem::from(HandlerFault::internal(fault)))?;
        let (settings, schema) = (Arc::clone(&self.snapshot().settings), Arc::clone(&self.snapshot().schema));
        Ok(Arc::new(World::new(board, settings, schema)))
    }

    /// The hits of a query, best first, equal ones in ranking order. Blocks; for use inside
    /// [`on_board`](Self::on_board).
    #[must_use]
    pub fn hits(&self, board: &Board, query: &str) -> Vec<Hit> {
        let search = |index: &SearchIndex| index.search(query, |left, right| board.compare(left, right));
        self.workspace.index().look(&self.moment.snapshot, search)
    }

    /// Brings the search index, the graph and the order of work up to this moment. Blocks.
    pub(crate) fn reindex(&self, full: bool) -> Followed {
        self.moment.board();
        self.workspace.index().reindex(&self.moment.snapshot, full)
    }

    /// Builds what searching and asking need.
    pub(crate) async fn warm(&self) {
        let view = self.clone();
        let warmed = tokio::task::spawn_blocking(move || {
            view.workspace.index().look(&view.moment.snapshot, |_| ());
            view.moment.board();
        });
        // A build that panicked is heard of by the first search.
        drop(warmed.await);
    }

    /// The numbers of history entries of some items; ids without a history have version 0.
    ///
    /// # Errors
    ///
    /// A fault if the reader itself failed.
    pub async fn versions(&self, ids: &[String]) -> Result<BTreeMap<String, usize>, Problem> {
        let heads = match self.repository().heads(Some(ids)).await {
            Ok(heads) => heads,
            Err(_) => return self.versions_one_by_one(ids).await,
        };
        Ok(heads.into_iter().map(|stream| (stream.id, stream.heads.len())).collect())
    }

    /// One history that cannot be read must not hide the items beside it.
    async fn versions_one_by_one(&self, ids: &[String]) -> Result<BTreeMap<String, usize>, Problem> {
        let mut versions = BTreeMap::new();
        for id in ids {
            versions.insert(id.clone(), self.repository().version(id).await.unwrap_or_default());
        }
        Ok(versions)
    }

    /// Rows of some items; ids of no item are passed over.
    ///
    /// # Errors
    ///
    /// A fault if the reader itself failed.
    pub async fn rows<'i>(&self, ids: impl IntoIterator<Item = &'i str> + Send) -> Result<Rows, Problem> {
        let items: BTreeMap<&str, &Arc<Item>> =
            ids.into_iter().filter_map(|id| self.snapshot().item(id)).map(|item| (item.id(), item)).collect();
        let ids: Vec<String> = items.keys().map(|id| (*id).to_owned()).collect();
        let versions = self.versions(&ids).await?;
        let row = |item: &Item| {
            let version = versions.get(item.id()).copied().unwrap_or_default();
            ItemRow::new(item, version, &self.snapshot().schema)
        };
        Ok(Rows::new(items.into_values().map(|item| row(item))))
    }
}
