//! Orientation.

use std::collections::BTreeMap;

use pm_mcp::Timestamp;
use pm_tracker_domain::Timestamp as Instant;
use pm_tracker_domain::board::{Board, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::ItemRow;
use crate::failure::Problem;
use crate::view::View;

/// How much a context tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the schema of the tool lists exactly these")]
pub enum ContextDepth {
    /// Counts, what is in progress, what holds others up.
    Brief,
    /// Also what is high in the tree and what changed last.
    #[default]
    Standard,
    /// Also how much is left below what is high in the tree.
    Deep,
}

/// What to be told about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a plain question")]
pub struct ContextQuestion {
    /// Only what lies below this item.
    pub parent: Option<String>,
    /// How much.
    pub depth: ContextDepth,
    /// Most entries of a list.
    pub limit: usize,
}

/// What somebody needs to know who sees the workspace for the first time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Context {
    /// When this was gathered, RFC 3339.
    pub generated_at: String,
    /// Numbers of all items in scope.
    pub counts: Counts,
    /// What is being worked on.
    pub in_progress: Vec<ItemRow>,
    /// Unfinished items with others below them, the highest first.
    pub high_level: Vec<HighLevel>,
    /// Unfinished items that others wait for, most waited for first.
    pub blockers: Vec<Blocking>,
    /// Last changed first.
    pub recent: Vec<ItemRow>,
    /// The focused item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focus: Option<ItemRow>,
    /// For each list that was cut, how long it was.
    pub truncated: BTreeMap<String, usize>,
}

/// Numbers of items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Counts {
    /// By status id.
    pub by_status: BTreeMap<String, usize>,
    /// By type name.
    pub by_type: BTreeMap<String, usize>,
}

/// An unfinished item with others below it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct HighLevel {
    /// The item.
    pub item: ItemRow,
    /// Number of children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<usize>,
    /// Number of children that are not finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_children: Option<usize>,
}

/// An unfinished item that others wait for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Blocking {
    /// The item.
    pub item: ItemRow,
    /// Ids of the unfinished items that wait for it directly.
    pub holds_up: Vec<String>,
}

/// Gathers the context of a workspace.
///
/// # Errors
///
/// [`Failure::ItemNotFound`](crate::Failure::ItemNotFound) for an unknown parent; faults as they come.
pub async fn context(view: &View, question: ContextQuestion, now: Timestamp) -> Result<Context, Problem> {
    let within = question.parent.as_deref().map(|id| view.find(id)).transpose()?;
    let within = within.map(|item| item.id().to_owned());
    let depth = question.depth;
    let now = Instant::from_unix_ms(now.as_unix_ms());
    let (mut found, children) = view
        .on_board(move |board, _| {
            let mut found = board.context(within.as_deref(), question.limit, now);
            if depth == ContextDepth::Brief {
                found.high_level.clear();
                found.recent.clear();
                found.truncated.retain(|list, _| !matches!(*list, "high_level" | "recent"));
            }
            let children: BTreeMap<String, (usize, usize)> = match depth {
                ContextDepth::Brief | ContextDepth::Standard => BTreeMap::new(),
                ContextDepth::Deep => {
                    found.high_level.iter().map(|id| (id.clone(), progress(board, id))).collect()
                }
            };
            (found, children)
        })
        .await?;
    let session = view.repository().session().await;
    let session = session.map_err(|error| Problem::of_workspace(view.workspace().name(), error))?;
    let focus = session.focused_item.as_deref().and_then(|id| view.find(id).ok()).map(|item| item.id());
    let shown = found.in_progress.iter().chain(&found.high_level).chain(&found.recent);
    let shown = shown.chain(found.blockers.iter().map(|blocking| &blocking.id));
    let rows = view.rows(shown.map(String::as_str).chain(focus)).await?;
    let high_level = found.high_level.iter().filter_map(|id| {
        let progress = children.get(id);
        Some(HighLevel {
            item: rows.row(id)?,
            children: progress.map(|(all, _)| *all),
            open_children: progress.map(|(_, open)| *open),
        })
    });
    let high_level = high_level.collect();
    let blockers = std::mem::take(&mut found.blockers)
        .into_iter()
        .filter_map(|blocking| Some(Blocking { item: rows.row(&blocking.id)?, holds_up: blocking.holds_up }))
        .collect();
    Ok(Context {
        generated_at: found.generated_at,
        counts: Counts { by_status: found.counts.by_status, by_type: found.counts.by_type },
        in_progress: rows.list(&found.in_progress),
        high_level,
        blockers,
        recent: rows.list(&found.recent),
        focus: focus.and_then(|id| rows.row(id)),
        truncated: found.truncated.into_iter().map(|(list, length)| (list.to_owned(), length)).collect(),
    })
}

fn progress(board: &Board, id: &str) -> (usize, usize) {
    let children = board.children(id);
    let open = children.iter().filter(|child| board.standing(child.id()) != Some(Standing::Terminal));
    (children.len(), open.count())
}
