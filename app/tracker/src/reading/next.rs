//! What to do next.

use pm_mcp::Timestamp;
use pm_tracker_domain::Timestamp as Instant;
use pm_tracker_domain::board::{BlockerState, ItemFilter, NextQuery};
use schemars::JsonSchema;
use serde::Serialize;

use super::row::ItemRow;
use crate::failure::Problem;
use crate::view::View;

/// Whose work is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "a plain question")]
pub struct NextQuestion {
    /// Only what lies below this item.
    pub parent: Option<String>,
    /// Only this type.
    pub type_name: Option<String>,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Who asks: what this one holds is theirs, what others hold is listed apart.
    pub asker: Option<String>,
    /// Most entries of a queue.
    pub limit: usize,
    /// Whether to leave out everything but the ready queue.
    pub ready_only: bool,
}

/// The one item to do next, and the queues in ranking order. Every item is in one queue at the most.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Next {
    /// The first ready item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommended: Option<Recommended>,
    /// What can be begun.
    pub ready: Vec<ItemRow>,
    /// What waits.
    pub blocked: Vec<Waiting>,
    /// Decisions, which are for humans.
    pub decisions: Vec<ItemRow>,
    /// What somebody else holds.
    pub held: Vec<ItemRow>,
    /// Lengths of the queues before they were cut.
    pub totals: Totals,
}

/// The one item to do next.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Recommended {
    /// The item.
    pub item: ItemRow,
    /// Why it comes first.
    pub reasons: Vec<String>,
    /// Ids of the items that wait for nothing else.
    pub unblocks: Vec<String>,
}

/// An item that waits.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Waiting {
    /// The item.
    pub item: ItemRow,
    /// What it waits for; empty if only its status says that it waits.
    pub blockers: Vec<Blocker>,
}

/// Something that holds an item up.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Blocker {
    /// An item's id, or the words that stand in place of one.
    pub id: String,
    /// An unfinished item, one that does not exist, or words.
    pub state: State,
}

/// Why a blocker is not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
#[expect(
    clippy::exhaustive_enums,
    missing_docs,
    reason = "the field that callers see says what the three are"
)]
pub enum State {
    Open,
    Missing,
    Words,
}

/// Lengths of the queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
#[expect(missing_docs, reason = "the queues say what they hold")]
pub struct Totals {
    pub ready: usize,
    pub blocked: usize,
    pub decisions: usize,
    pub held: usize,
}

/// Says what to do next. Without an asker, the workspace's default author asks.
///
/// # Errors
///
/// [`Failure::ItemNotFound`](crate::Failure::ItemNotFound) for an unknown parent; faults as they come.
pub async fn next(view: &View, question: NextQuestion, now: Timestamp) -> Result<Next, Problem> {
    let parent = question.parent.as_deref().map(|id| view.find(id)).transpose()?;
    let mut filter = ItemFilter::default();
    filter.within = parent.map(|item| item.id().to_owned());
    filter.types.extend(question.type_name);
    filter.tags.extend(question.tag);
    let mut query = NextQuery::default();
    let default = view.snapshot().settings.author_default.clone();
    query.asker = question.asker.or(Some(default).filter(|author| !author.is_empty()));
    query.filter = filter;
    query.ready_only = question.ready_only;
    query.limit = question.limit;
    query.now = Some(Instant::from_unix_ms(now.as_unix_ms()));
    let found = view.on_board(move |board, _| board.next(&query)).await?;

    let shown = found.ready.iter().chain(&found.decisions).chain(&found.held);
    let shown = shown.chain(found.blocked.iter().map(|waiting| &waiting.id));
    let recommended = found.recommended.iter().map(|first| &first.id);
    let rows = view.rows(shown.chain(recommended).map(String::as_str)).await?;
    let recommended = found.recommended.and_then(|first| {
        Some(Recommended { item: rows.row(&first.id)?, reasons: first.reasons, unblocks: first.unblocks })
    });
    let blocked = found.blocked.into_iter().filter_map(|waiting| {
        let blockers = waiting.blockers.into_iter().map(|blocker| {
            let state = match blocker.state {
                BlockerState::Open => State::Open,
                BlockerState::Missing => State::Missing,
                BlockerState::Words => State::Words,
            };
            Blocker { id: blocker.id, state }
        });
        Some(Waiting { item: rows.row(&waiting.id)?, blockers: blockers.collect() })
    });
    Ok(Next {
        recommended,
        ready: rows.list(&found.ready),
        blocked: blocked.collect(),
        decisions: rows.list(&found.decisions),
        held: rows.list(&found.held),
        totals: Totals {
            ready: found.totals.ready,
            blocked: found.totals.blocked,
            decisions: found.totals.decisions,
            held: found.totals.held,
        },
    })
}
