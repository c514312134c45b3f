//! The board itself.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::ranking::RankKey;
use super::standing::Standing;
use crate::graph::{Direction, Effort, Graph, Node, Relation, Steps, reach};
use crate::{Item, WorkspaceSchema};

/// One item and what follows for it from the others.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) item: Arc<Item>,
    pub(super) node: Node,
    pub(super) key: RankKey,
    /// Place in ranking order, from 0.
    pub(super) rank: usize,
    /// Whether the status itself allows work or waiting; an unknown status and one without a role do neither.
    pub(super) candidate: bool,
    /// Whether something below it is not terminal.
    pub(super) container: bool,
    pub(super) has_children: bool,
}

/// All items of a workspace at one moment, ranked.
///
/// Building it costs one pass over items and edges and one sort; questions are cheap after that. It shares the items
/// and can be kept for as long as they do not change; [`follow`](Board::follow) makes the next one out of it.
#[derive(Debug)]
pub struct Board {
    schema: Arc<WorkspaceSchema>,
    graph: Graph,
    /// By id.
    entries: Vec<Entry>,
    by_id: Arc<BTreeMap<Box<str>, usize>>,
    /// Positions in `entries`, in ranking order.
    order: Vec<usize>,
}

impl Board {
    /// Looks at `items` together. Of two items with one id the first counts.
    #[must_use]
    pub fn new(items: impl IntoIterator<Item = Arc<Item>>, schema: Arc<WorkspaceSchema>) -> Self {
        Self::made(items.into_iter().collect(), schema, None)
    }

    /// The board of `items`, which are those of this one but for a few that changed, came or went: what is known of
    /// the very same items under the very same schema is taken over. The answers are those of a new board.
    #[must_use]
    pub fn follow(&self, items: impl IntoIterator<Item = Arc<Item>>, schema: Arc<WorkspaceSchema>) -> Self {
        Self::made(items.into_iter().collect(), schema, Some(self))
    }

    fn made(mut items: Vec<Arc<Item>>, schema: Arc<WorkspaceSchema>, before: Option<&Self>) -> Self {
        items.sort_by(|left, right| left.id().cmp(right.id()));
        items.dedup_by(|later, first| later.id() == first.id());
        let before = before.filter(|before| Arc::ptr_eq(&before.schema, &schema));
        let in_place = before.filter(|before| before.has_ids_of(&items));
        let followed = in_place.and_then(|before| {
            let pairs = before.entries.iter().map(|entry| &entry.item).zip(&items);
            let changed =
                pairs.filter(|(old, new)| !Arc::ptr_eq(old, new)).map(|(old, new)| (&**old, &**new));
            before.graph.follow(changed, schema.statuses())
        });
        let graph =
            followed.unwrap_or_else(|| Graph::new(items.iter().map(AsRef::as_ref), schema.statuses()));
        let above_open = above_open(&graph);
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            let Some(node) = graph.node(item.id()) else { continue };
            let has_children = graph.sources(node, &Relation::Parent).any(|child| child != node);
            let container = above_open.get(node.0).copied().unwrap_or(false);
            let done = has_children && !container;
            let known = before.and_then(|before| before.entry(item.id()));
            let (key, candidate) = match known.filter(|known| Arc::ptr_eq(&known.item, &item)) {
                Some(known) => (known.key.with_done(done), known.candidate),
                None => {
                    let standing = Standing::of(item.status(), &schema);
                    let statuses = schema.statuses();
                    let candidate = standing != Standing::Terminal
                        && (statuses.is_active(item.status()) || statuses.is_blocked(item.status()));
                    (RankKey::new(&item, standing, done), candidate)
                }
            };
            entries.push(Entry { item, node, key, rank: 0, candidate, container, has_children });
        }
        // Nearly in order already, where few items changed.
        let mut order = in_place.map_or_else(|| (0..entries.len()).collect(), |before| before.order.clone());
        order.sort_by(|left, right| match (entries.get(*left), entries.get(*right)) {
            (Some(first), Some(second)) => first.key.compare(&second.key).then_with(|| left.cmp(right)),
            (None | Some(_), _) => left.cmp(right),
        });
        for (rank, position) in order.iter().enumerate() {
            if let Some(entry) = entries.get_mut(*position) {
                entry.rank = rank;
            }
        }
        let by_id = match in_place {
            Some(before) => Arc::clone(&before.by_id),
            None => {
                let numbered = entries.iter().enumerate();
                Arc::new(numbered.map(|(position, entry)| (entry.item.id().into(), position)).collect())
            }
        };
        Self { schema, graph, entries, by_id, order }
    }

    /// Whether the board holds exactly these ids; `items` are in their order.
    fn has_ids_of(&self, items: &[Arc<Item>]) -> bool {
        let own = self.entries.iter().map(|entry| entry.item.id());
        own.eq(items.iter().map(|item| item.id()))
    }

    /// The graph of the same items.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The schema that statuses and types are understood by.
    #[must_use]
    pub fn schema(&self) -> &WorkspaceSchema {
        &self.schema
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The item with exactly this id.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&Item> {
        self.entry(id).map(|entry| &*entry.item)
    }

    /// All items in ranking order.
    pub fn ranked(&self) -> impl Iterator<Item = &Item> {
        self.entries_ranked().map(|entry| &*entry.item)
    }

    /// All items by id, in byte order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.entries.iter().map(|entry| &*entry.item)
    }

    /// All items by id, shared.
    pub(crate) fn shared(&self) -> impl Iterator<Item = Arc<Item>> {
        self.entries.iter().map(|entry| Arc::clone(&entry.item))
    }

    /// What the item's status means for the order of work; `None` if there is no such item.
    #[must_use]
    pub fn standing(&self, id: &str) -> Option<Standing> {
        self.entry(id).map(|entry| entry.key.standing)
    }

    /// Compares two ids by ranking; ids of no item come last, by themselves.
    #[must_use]
    pub fn compare(&self, left: &str, right: &str) -> Ordering {
        let rank = |id: &str| self.entry(id).map_or(usize::MAX, |entry| entry.rank);
        rank(left).cmp(&rank(right)).then_with(|| left.cmp(right))
    }

    /// The children of an item in ranking order, whichever end states the edge.
    #[must_use]
    pub fn children(&self, id: &str) -> Vec<&Item> {
        let Some(node) = self.graph.node(id) else { return Vec::new() };
        let mut children: Vec<&Entry> = self
            .graph
            .sources(node, &Relation::Parent)
            .filter(|child| *child != node)
            .filter_map(|child| self.entry_of(child))
            .collect();
        children.sort_by_key(|entry| entry.rank);
        children.into_iter().map(|entry| &*entry.item).collect()
    }

    /// Everything below an item, the item itself not included, by id.
    #[must_use]
    pub fn subtree(&self, id: &str) -> Vec<&Item> {
        let mut below = self.nodes_below(id);
        below.sort_unstable();
        below.into_iter().filter_map(|node| self.entry_of(node)).map(|entry| &*entry.item).collect()
    }

    pub(super) fn nodes_below(&self, id: &str) -> Vec<Node> {
        let Some(node) = self.graph.node(id) else { return Vec::new() };
        let downwards = Steps::along(Relation::Parent, Direction::In);
        // A subtree has no more edges than the graph.
        let mut effort = Effort::bounded(u64::MAX);
        reach(&self.graph, node, &downwards, None, &mut effort)
            .into_iter()
            .map(|reached| reached.node)
            .collect()
    }

    pub(super) fn entry(&self, id: &str) -> Option<&Entry> {
        self.by_id.get(id).and_then(|position| self.entries.get(*position))
    }

    pub(super) fn entry_of(&self, node: Node) -> Option<&Entry> {
        self.entry(self.graph.id(node))
    }

    pub(super) fn entries_ranked(&self) -> impl Iterator<Item = &Entry> {
        self.order.iter().filter_map(|position| self.entries.get(*position))
    }
}

/// For each node whether a node below it is open: walks up once from every open item and stops where somebody was
/// before, so rings in the hierarchy end too.
fn above_open(graph: &Graph) -> Vec<bool> {
    let mut above = vec![false; graph.node_count()];
    let mut pending: Vec<Node> = Vec::new();
    for node in graph.nodes().filter(|node| graph.is_open(*node)) {
        pending.extend(graph.targets(node, &Relation::Parent).filter(|parent| *parent != node));
        while let Some(parent) = pending.pop() {
            let Some(mark) = above.get_mut(parent.0) else { continue };
            if !*mark {
                *mark = true;
                pending.extend(graph.targets(parent, &Relation::Parent));
            }
        }
    }
    above
}
