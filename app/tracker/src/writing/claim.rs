//! Taking the next free item.

use pm_mcp::Context;
use pm_tracker_domain::board::{ItemFilter, NextQuery};
use pm_tracker_domain::change::Change;
use pm_tracker_ports::Target;

use super::edit::{Asked, edit};
use super::receipt::Receipt;
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::view::View;

/// Which items may be taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "a plain question")]
pub struct ClaimNext {
    /// Only what lies below this item.
    pub parent: Option<String>,
    /// Only this type.
    pub type_name: Option<String>,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Whose work is looked for: what this one holds is ready too, as in the queues of this asker. Nobody's but what is
    /// free without a name.
    pub assignee: Option<String>,
    /// How many items are tried at most.
    pub max_attempts: usize,
}

/// Walks the ranked list of ready items until one is taken.
///
/// # Errors
///
/// [`Failure::NothingFree`] if none could be taken; other failures of a claim as they come.
pub(crate) async fn claim_next(
    tracker: &Tracker,
    context: &Context,
    view: &View,
    asked: &Asked,
    wanted: ClaimNext,
) -> Result<Receipt, Problem> {
    let change = || Change::Claim { if_available: false };
    let asker = asked.request(change(), context, tracker, view)?.by.author;
    let mut filter = ItemFilter::default();
    if let Some(parent) = &wanted.parent {
        filter.within = Some(view.find(parent)?.id().to_owned());
    }
    filter.types.extend(wanted.type_name.clone());
    filter.tags.extend(wanted.tag.clone());
    let mut query = NextQuery::default();
    query.filter = filter;
    // What the asker holds already is no new work, unless it is asked for.
    let held = wanted.assignee.is_none().then(|| asker.clone());
    query.asker = wanted.assignee.or(Some(asker));
    let limit = wanted.max_attempts;
    let ready: Vec<String> = view
        .on_board(move |board, _| {
            let free = board.ready(&query).into_iter();
            let free = free.filter(|item| held.is_none() || item.assignee() != held.as_deref());
            free.take(limit).map(|item| item.id().to_owned()).collect()
        })
        .await?;
    let tried = ready.len();
    for id in ready {
        match edit(tracker, context, view, Target::Item(id), asked, change()).await {
            Err(Problem::Failed(failure)) if failure.is_lost_race() => {}
            other => return other,
        }
    }
    Err(Failure::NothingFree { tried }.into())
}
