//! Who works on what.

use pm_tracker_domain::board::Standing;
use serde::Serialize;

use crate::failure::Problem;
use crate::reading::ItemRow;
use crate::view::View;

/// What is in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Claims {
    /// Items in progress and items that somebody holds, in ranking order.
    pub claims: Vec<Claim>,
}

/// One item and who holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Claim {
    /// The item.
    pub item: ItemRow,
    /// Who holds it; left out if it is in progress without anyone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
}

/// Lists what is in progress, and by whom.
pub(super) async fn claims(view: &View) -> Result<Claims, Problem> {
    let ids: Vec<String> = view
        .on_board(|board, _| {
            let unfinished = board.ranked().filter(|item| match board.standing(item.id()) {
                Some(Standing::InProgress) => true,
                Some(Standing::Open | Standing::Blocked | Standing::Draft) => item.assignee().is_some(),
                Some(Standing::Terminal) | None => false,
            });
            unfinished.map(|item| item.id().to_owned()).collect()
        })
        .await?;
    let rows = view.rows(ids.iter().map(String::as_str)).await?.list(&ids);
    let claims = rows.into_iter().map(|item| Claim { holder: item.assignee.clone(), item });
    Ok(Claims { claims: claims.collect() })
}
