//! `pm_search`.

use std::collections::BTreeSet;
use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::search::{Hit, SearchField};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::arguments::Arguments;
use super::call::{Call, reading_tool};
use super::filter::FilterArguments;
use super::name::ToolName;
use super::page::{asked, page};
use crate::failure::Problem;
use crate::reading::ItemRow;
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Deserialize)]
struct SearchArguments {
    query: String,
    #[serde(flatten)]
    filter: FilterArguments,
    #[serde(default = "limit")]
    limit: usize,
    cursor: Option<String>,
}

const fn limit() -> usize {
    10
}

/// A page of hits.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct HitPage {
    /// Best first.
    hits: Vec<FoundItem>,
    /// Number of all hits.
    total: usize,
    /// For the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// An item that matches.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct FoundItem {
    /// The item.
    item: ItemRow,
    /// Comparable within one answer only.
    score: f64,
    /// Where words of the query were found.
    matched: Vec<&'static str>,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let query = json!({
        "type": "string", "minLength": 1, "maxLength": 1000,
        "description": "Words to look for; items with more and rarer ones come first."
    });
    let input =
        FilterArguments::describe(Arguments::new().with("query", query).required("query"), vocabulary)
            .limit(1, 100, 10, "Most hits of the page.")
            .cursor()
            .finish(vocabulary);
    reading_tool(tracker, ToolName::Search, input, search)
}

async fn search(call: Call, arguments: SearchArguments) -> Result<HitPage, Problem> {
    let view = call.view().await?;
    let SearchArguments { query, filter, limit, cursor } = arguments;
    let filter = filter.read(&view)?;
    let hits: Vec<Hit> = view
        .on_board(move |board, view| {
            let mut hits = view.hits(board, &query);
            let ids: Vec<String> = hits.iter().map(|hit| hit.id.clone()).collect();
            let passed: BTreeSet<&str> =
                board.filtered_ids(ids.iter().map(String::as_str), &filter).into_iter().collect();
            hits.retain(|hit| passed.contains(hit.id.as_str()));
            hits
        })
        .await?;
    let asked = asked(&call, &view, &["limit", "cursor"]);
    let ids = hits.iter().map(|hit| hit.id.as_str());
    let page = page(&call, "pm_search", &asked, ids, cursor.as_deref(), limit)?;
    let shown = hits.get(page.range).unwrap_or_default();
    let rows = view.rows(shown.iter().map(|hit| hit.id.as_str())).await?;
    let found = |hit: &Hit| {
        Some(FoundItem {
            item: rows.row(&hit.id)?,
            score: (hit.score * 1000.0).round() / 1000.0,
            matched: hit.matched.iter().map(SearchField::name).collect(),
        })
    };
    Ok(HitPage { hits: shown.iter().filter_map(found).collect(), total: hits.len(), next_cursor: page.next })
}
