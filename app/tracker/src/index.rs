//! The search index of a workspace, kept in step with its snapshots.

use std::sync::{Arc, PoisonError, RwLock};

use pm_tracker_domain::search::SearchIndex;
use pm_tracker_ports::WorkspaceSnapshot;

/// A search index that follows the newest snapshot it was asked about. Built when it is first needed; after that
/// only items that changed are indexed again.
#[derive(Debug, Default)]
pub(crate) struct KeptIndex {
    // A reader and a writer at a time: an update touches all of the index, and takes a fraction of a second at first
    // and next to nothing later.
    kept: RwLock<Kept>,
}

/// What following a snapshot took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Followed {
    /// Items held now.
    pub(crate) items: usize,
    /// Items that were indexed, for the first time or again.
    pub(crate) indexed: usize,
    /// Items that were taken out.
    pub(crate) removed: usize,
}

#[derive(Debug, Default)]
struct Kept {
    index: SearchIndex,
    of: Option<Arc<WorkspaceSnapshot>>,
}

impl KeptIndex {
    /// Looks into the index, brought up to `snapshot` before if it is older. Blocks while it is built.
    pub(crate) fn look<R>(
        &self,
        snapshot: &Arc<WorkspaceSnapshot>,
        look: impl FnOnce(&SearchIndex) -> R,
    ) -> R {
        {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            if kept.has_seen(snapshot) {
                return look(&kept.index);
            }
        }
        {
            let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
            if !kept.has_seen(snapshot) {
                kept.follow(snapshot);
            }
        }
        look(&self.kept.read().unwrap_or_else(PoisonError::into_inner).index)
    }

    /// Brings the index up to `snapshot`, anew if `full`, and says what that took. Blocks.
    pub(crate) fn reindex(&self, snapshot: &Arc<WorkspaceSnapshot>, full: bool) -> Followed {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if full {
            *kept = Kept::default();
        }
        if kept.has_seen(snapshot) {
            return Followed { items: kept.index.len(), indexed: 0, removed: 0 };
        }
        kept.follow(snapshot)
    }

    /// How many items the index holds; `None` before it was built, or while it is.
    pub(crate) fn len(&self) -> Option<usize> {
        let kept = self.kept.try_read().ok()?;
        kept.of.as_ref().map(|_| kept.index.len())
    }
}

impl Kept {
    /// An index is never turned back to an older snapshot: calls that began before a change would make it swing.
    fn has_seen(&self, snapshot: &WorkspaceSnapshot) -> bool {
        self.of.as_ref().is_some_and(|seen| seen.revision >= snapshot.revision)
    }

    fn follow(&mut self, snapshot: &Arc<WorkspaceSnapshot>) -> Followed {
        let before = self.of.take();
        let gone: Vec<String> =
            self.index.ids().filter(|id| !snapshot.items.contains_key(*id)).map(str::to_owned).collect();
        let mut followed = Followed { items: 0, indexed: 0, removed: gone.len() };
        for id in gone {
            self.index.remove(&id);
        }
        for (id, file) in &snapshot.items {
            let known = before.as_ref().and_then(|before| before.item(id));
            if !known.is_some_and(|known| Arc::ptr_eq(known, &file.item)) {
                self.index.insert_item(&file.item);
                followed.indexed += 1;
            }
        }
        if before.is_none() {
            self.index.shrink();
        }
        self.of = Some(Arc::clone(snapshot));
        followed.items = self.index.len();
        followed
    }
}
