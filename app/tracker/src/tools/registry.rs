//! All tools together.

use std::sync::Arc;

use pm_mcp::ToolEntry;

use super::name::ToolName;
use super::{context, events, get, graph, health, list, next, search, validate};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

/// The tools of a choice, ready to be added to a server. Their schemas list the words of `vocabulary`.
#[must_use]
pub fn tools(tracker: &Arc<Tracker>, vocabulary: &Vocabulary, chosen: &[ToolName]) -> Vec<ToolEntry> {
    let entry = |name: &ToolName| match name {
        ToolName::Context => context::entry(tracker, vocabulary),
        ToolName::Next => next::entry(tracker, vocabulary),
        ToolName::List => list::entry(tracker, vocabulary),
        ToolName::Search => search::entry(tracker, vocabulary),
        ToolName::Get => get::entry(tracker, vocabulary),
        ToolName::Events => events::entry(tracker, vocabulary),
        ToolName::Validate => validate::entry(tracker, vocabulary),
        ToolName::Health => health::entry(tracker, vocabulary),
        ToolName::Graph => graph::entry(tracker, vocabulary),
    };
    chosen.iter().map(entry).collect()
}
