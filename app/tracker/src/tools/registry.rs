//! All tools together.

use std::sync::Arc;

use pm_mcp::ToolEntry;

use super::name::ToolName;
use super::{
    claim, close, comments, context, create, events, files, focus, get, graph, health, import, list, mutate,
    next, reindex, search, test, update, validate,
};
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
        ToolName::Create => create::entry(tracker, vocabulary),
        ToolName::Update => update::entry(tracker, vocabulary),
        ToolName::Claim => claim::claim(tracker, vocabulary),
        ToolName::Release => claim::release(tracker, vocabulary),
        ToolName::Close => close::entry(tracker, vocabulary),
        ToolName::Comments => comments::entry(tracker, vocabulary),
        ToolName::Files => files::entry(tracker, vocabulary),
        ToolName::Focus => focus::entry(tracker, vocabulary),
        ToolName::Mutate => mutate::entry(tracker, vocabulary),
        ToolName::Validate => validate::entry(tracker, vocabulary),
        ToolName::Health => health::entry(tracker, vocabulary),
        ToolName::Graph => graph::entry(tracker, vocabulary),
        ToolName::Import => import::entry(tracker, vocabulary),
        ToolName::Reindex => reindex::entry(tracker, vocabulary),
        ToolName::Test => test::entry(tracker, vocabulary),
    };
    chosen.iter().map(entry).collect()
}
