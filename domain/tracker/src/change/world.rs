//! The workspace around the item that changes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::board::Board;
use crate::graph::{Node, Relation};
use crate::{Item, ItemId, Settings, WorkspaceSchema};

/// The other items, the settings and the schema, as a decision sees them.
///
/// It is of one moment: what is decided about other items by it is advice, while what is decided about the item
/// itself is decided under its lock. Cloning it is cheap but for what was changed in it.
#[derive(Debug, Clone)]
pub struct World {
    base: Arc<Board>,
    settings: Arc<Settings>,
    schema: Arc<WorkspaceSchema>,
    /// Items that differ from the base; `None` for those that are gone.
    changed: BTreeMap<String, Option<Arc<Item>>>,
    /// The board with the changes in it, built when it is first asked for.
    board: OnceLock<Arc<Board>>,
}

impl World {
    /// Looks at a board.
    #[must_use]
    pub const fn new(board: Arc<Board>, settings: Arc<Settings>, schema: Arc<WorkspaceSchema>) -> Self {
        Self { base: board, settings, schema, changed: BTreeMap::new(), board: OnceLock::new() }
    }

    /// Goes on as if an item were this one, or gone.
    pub fn put(&mut self, id: &str, item: Option<Arc<Item>>) {
        self.changed.insert(id.to_owned(), item);
        self.board = OnceLock::new();
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &WorkspaceSchema {
        &self.schema
    }

    /// The item with exactly this id.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&Item> {
        match self.changed.get(id) {
            Some(changed) => changed.as_deref(),
            None => self.base.item(id),
        }
    }

    /// The item that a caller means by an id: with the prefix, else as typed.
    #[must_use]
    pub fn find(&self, input: &str) -> Option<&Item> {
        let id = ItemId::parse(input, &self.settings.id_prefix)?;
        id.candidates().find_map(|candidate| self.item(candidate))
    }

    /// All items together.
    #[must_use]
    pub fn board(&self) -> &Board {
        if self.changed.is_empty() {
            return &self.base;
        }
        self.board.get_or_init(|| {
            let kept = self.base.shared().filter(|item| !self.changed.contains_key(item.id()));
            let changed = self.changed.values().flatten().map(Arc::clone);
            Arc::new(Board::new(kept.chain(changed), Arc::clone(&self.schema)))
        })
    }

    /// The ring that an edge from one item to another would close: the ids from `from` on, `from` repeated at the end.
    /// An edge means that `from` waits for `to`, or lies below it.
    pub(super) fn ring(&self, from: &str, to: &str, relation: &Relation) -> Option<Vec<String>> {
        if from == to {
            return Some(vec![from.to_owned(), to.to_owned()]);
        }
        let graph = self.board().graph();
        let (start, goal) = (graph.node(to)?, graph.node(from)?);
        let mut before: BTreeMap<Node, Option<Node>> = BTreeMap::from([(start, None)]);
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if node == goal {
                let mut ring = vec![from.to_owned()];
                let mut step = Some(node);
                while let Some(node) = step {
                    ring.push(graph.id(node).to_owned());
                    step = before.get(&node).copied().flatten();
                }
                ring.reverse();
                ring.rotate_right(1);
                ring.dedup();
                return Some(ring);
            }
            for next in graph.targets(node, relation) {
                before.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    Some(node)
                });
            }
        }
        None
    }
}
