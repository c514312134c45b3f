//! The tools by name.

use serde_json::Value;

/// A tool that this server has. Profiles may name further ones, which are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every tool must be placed in profiles and in the registry")]
pub enum ToolName {
    /// Orientation.
    Context,
    /// What to do next.
    Next,
    /// A filtered list.
    List,
    /// Full-text search.
    Search,
    /// One item.
    Get,
    /// Changes.
    Events,
    /// A new item.
    Create,
    /// Changed fields.
    Update,
    /// Taking an item.
    Claim,
    /// Giving an item back.
    Release,
    /// Finishing an item.
    Close,
    /// The logs of an item.
    Comments,
    /// Linked files and documents.
    Files,
    /// What is in focus.
    Focus,
    /// Several changes, and the destructive ones.
    Mutate,
    /// Checks and repairs of the workspace.
    Validate,
    /// State of the installation.
    Health,
    /// Questions on the graph.
    Graph,
    /// Items of other programs.
    Import,
    /// The index made anew.
    Reindex,
    /// Linked test commands.
    Test,
}

impl ToolName {
    /// Every tool, in the order in which they are listed.
    pub const ALL: [Self; 21] = [
        Self::Context,
        Self::Next,
        Self::List,
        Self::Search,
        Self::Get,
        Self::Events,
        Self::Create,
        Self::Update,
        Self::Claim,
        Self::Release,
        Self::Close,
        Self::Comments,
        Self::Files,
        Self::Focus,
        Self::Mutate,
        Self::Validate,
        Self::Health,
        Self::Graph,
        Self::Import,
        Self::Reindex,
        Self::Test,
    ];

    /// The name that callers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Context => "pm_context",
            Self::Next => "pm_next",
            Self::List => "pm_list",
            Self::Search => "pm_search",
            Self::Get => "pm_get",
            Self::Events => "pm_events",
            Self::Create => "pm_create",
            Self::Update => "pm_update",
            Self::Claim => "pm_claim",
            Self::Release => "pm_release",
            Self::Close => "pm_close",
            Self::Comments => "pm_comments",
            Self::Files => "pm_files",
            Self::Focus => "pm_focus",
            Self::Mutate => "pm_mutate",
            Self::Validate => "pm_validate",
            Self::Health => "pm_health",
            Self::Graph => "pm_graph",
            Self::Import => "pm_import",
            Self::Reindex => "pm_reindex",
            Self::Test => "pm_test",
        }
    }

    /// The tool with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Whether the tool changes nothing.
    pub(super) const fn is_read_only(self) -> bool {
        match self {
            Self::Context
            | Self::Next
            | Self::List
            | Self::Search
            | Self::Get
            | Self::Events
            | Self::Health
            | Self::Graph => true,
            Self::Create
            | Self::Update
            | Self::Claim
            | Self::Release
            | Self::Close
            | Self::Comments
            | Self::Files
            | Self::Focus
            | Self::Import
            | Self::Reindex
            | Self::Test
            | Self::Mutate
            | Self::Validate => false,
        }
    }

    /// Whether a call with these arguments changes something.
    pub(super) fn writes(self, arguments: &Value) -> bool {
        match self {
            Self::Comments | Self::Files | Self::Test => {
                arguments.get("action").and_then(Value::as_str).is_some_and(|action| action != "list")
            }
            Self::Focus => arguments.get("id").is_some() || arguments.get("clear").is_some(),
            Self::Validate => arguments.get("fix").and_then(Value::as_bool).unwrap_or(false),
            other => !other.is_read_only(),
        }
    }

    /// Whether every call changes something.
    pub(super) const fn always_writes(self) -> bool {
        !self.is_read_only() && !matches!(self, Self::Comments | Self::Validate)
    }

    /// Whether the tool may take away what cannot simply be made again.
    pub(super) const fn is_destructive(self) -> bool {
        matches!(self, Self::Mutate | Self::Test)
    }

    /// The name for people.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Context => "Orientation",
            Self::Next => "Next item",
            Self::List => "List items",
            Self::Search => "Search items",
            Self::Get => "Show an item",
            Self::Events => "Changes",
            Self::Create => "New item",
            Self::Update => "Change an item",
            Self::Claim => "Take an item",
            Self::Release => "Give an item back",
            Self::Close => "Finish an item",
            Self::Comments => "Read or write the log",
            Self::Files => "Linked files",
            Self::Focus => "Focus",
            Self::Mutate => "Change several items",
            Self::Validate => "Check the workspace",
            Self::Health => "State of the installation",
            Self::Graph => "Ask the relationship graph",
            Self::Import => "Bring items in",
            Self::Reindex => "Index anew",
            Self::Test => "Linked tests",
        }
    }

    /// What the tool is for, for a model.
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Context => {
                "Orientation in the work tracker: counts, what is in progress, what is high in the tree, what holds \
                 others up, what changed last. Call it first in an unknown workspace."
            }
            Self::Next => {
                "The one item to do next and why, with the ranked queues of ready and blocked items. Decisions and \
                 items that others hold are listed apart."
            }
            Self::List => "Items that pass a filter, in ranking order unless sorted, page by page.",
            Self::Search => {
                "Ranked full-text search over title, description, tags, status, type, body, criteria, results and \
                 logs of all items, page by page."
            }
            Self::Get => {
                "One item: as it is, or with `at` as it was at a version or a time, also if it was deleted since."
            }
            Self::Events => {
                "Changes of items, oldest first. Without `since` the latest ones; go on from `next_cursor` to hear \
                 what is new. With `limit` 0 it only says where the end is."
            }
            Self::Create => {
                "Makes a new item and gives its id. Looks for items that it seems to repeat first; say what is to be done \
                 and how one can tell that it is done."
            }
            Self::Update => {
                "Changes fields of one item: sets and unsets fields, tags, dependencies, status and body. With `ifVersion` \
                 only if nobody changed it in between."
            }
            Self::Claim => {
                "Takes one item, or with `next` the first ready one that is free, so that nobody does the same work twice. \
                 Claim before you work."
            }
            Self::Release => "Gives an item back that was claimed, so that somebody else can take it.",
            Self::Close => {
                "Finishes one item with a reason, and sets items back to open that waited for nothing else. Not done is \
                 not closed."
            }
            Self::Comments => {
                "Lists, adds to or edits the log of one item: comments, notes or learnings. Record what you did, ran and \
                 saw while you work."
            }
            Self::Files => {
                "Lists, adds or removes the files and documents that belong to one item, by paths inside the repository."
            }
            Self::Focus => {
                "Shows, sets or clears the focused item, which becomes the parent of new items that name none."
            }
            Self::Mutate => {
                "Several changes in order, all or none; the only door to deleting, restoring and reopening. The user may be \
                 asked first. `dryRun` shows the plan."
            }
            Self::Validate => {
                "Checks the workspace and reports what is wrong. With `fix`, asks which mechanical repairs to make and \
                 makes those; without it changes nothing."
            }
            Self::Health => {
                "State of the installation: settings, folders, locks, index, histories, stale work, keys."
            }
            Self::Graph => {
                "Questions on parents and dependencies: what is above or below an item, what it waits for, what waits \
                 for it, ways between two items, impact, cycles, critical path, centrality, redundancy, audit."
            }
            Self::Import => {
                "Makes items from text: objects with the fields of items, task lists in Markdown, or an export of beads. Asks \
                 about entries that seem to repeat an item. `dryRun` makes nothing."
            }
            Self::Reindex => {
                "Brings the search index up to what is on disk, or with `full` makes it anew. Only needed if answers look \
                 wrong: it follows changes by itself."
            }
            Self::Test => {
                "Lists, adds, removes or runs the test commands that are linked to one item. Before commands run, the user is \
                 shown each of them and asked."
            }
        }
    }
}
