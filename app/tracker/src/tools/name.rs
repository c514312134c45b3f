//! The tools by name.

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
    /// Checks of the workspace.
    Validate,
    /// State of the installation.
    Health,
    /// Questions on the graph.
    Graph,
}

impl ToolName {
    /// Every tool, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Context,
        Self::Next,
        Self::List,
        Self::Search,
        Self::Get,
        Self::Events,
        Self::Validate,
        Self::Health,
        Self::Graph,
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
            Self::Validate => "pm_validate",
            Self::Health => "pm_health",
            Self::Graph => "pm_graph",
        }
    }

    /// The tool with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
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
            Self::Validate => "Check the workspace",
            Self::Health => "State of the installation",
            Self::Graph => "Ask the relationship graph",
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
            Self::Validate => "Checks the workspace and reports what is wrong. Changes nothing.",
            Self::Health => {
                "State of the installation: settings, folders, locks, index, histories, stale work, keys."
            }
            Self::Graph => {
                "Questions on parents and dependencies: what is above or below an item, what it waits for, what waits \
                 for it, ways between two items, impact, cycles, critical path, centrality, redundancy, audit."
            }
        }
    }
}
