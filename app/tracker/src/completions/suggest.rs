//! Suggestions, best first. Those beyond what one answer may hold are cut by the facade.

use std::collections::BTreeMap;

use pm_tracker_domain::Item;
use pm_tracker_domain::board::{Board, NextQuery, Standing};

use crate::failure::Problem;
use crate::tracker::Tracker;
use crate::view::View;

/// Items by the beginning of their id or of a word of their title; in progress first.
pub(crate) async fn items(view: &View, typed: String) -> Result<Vec<String>, Problem> {
    fitting(view, typed, |board| {
        let working = |item: &&Item| board.standing(item.id()) == Some(Standing::InProgress);
        let (mut first, rest): (Vec<&Item>, Vec<&Item>) = board.ranked().partition(working);
        first.extend(rest);
        ids(first)
    })
    .await
}

/// Items in progress that fit.
pub(crate) async fn in_progress(view: &View, typed: String) -> Result<Vec<String>, Problem> {
    fitting(view, typed, |board| {
        let working = |item: &&Item| board.standing(item.id()) == Some(Standing::InProgress);
        ids(board.ranked().filter(working))
    })
    .await
}

/// Ready items that fit, in ranking order.
pub(crate) async fn ready(view: &View, typed: String) -> Result<Vec<String>, Problem> {
    fitting(view, typed, |board| ids(board.ready(&NextQuery::default()))).await
}

/// Numbers of versions, newest first.
pub(crate) async fn versions(view: &View, id: &str, typed: &str) -> Result<Vec<String>, Problem> {
    let Ok(id) = view.find_with_history(id) else { return Ok(Vec::new()) };
    let last = view.repository().version(&id).await.map_err(|error| Problem::of_history(&id, error))?;
    Ok((1..=last)
        .rev()
        .map(|version| version.to_string())
        .filter(|version| version.starts_with(typed))
        .collect())
}

/// Ids and aliases of statuses.
pub(crate) fn statuses(view: &View, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let statuses = view.snapshot().schema.statuses();
    let names = statuses.iter().flat_map(|status| std::iter::once(&status.id).chain(&status.aliases));
    names.filter(|name| name.to_lowercase().starts_with(&typed)).cloned().collect()
}

/// Names of workspaces.
pub(crate) fn workspaces(tracker: &Tracker, typed: &str) -> Vec<String> {
    let names = tracker.names().into_iter().filter(|name| name.starts_with(typed));
    names.map(str::to_owned).collect()
}

/// Tags of unfinished items, the most used first, and unfinished epics.
pub(crate) async fn scopes(view: &View, typed: String) -> Result<Vec<String>, Problem> {
    view.on_board(move |board, view| {
        let typed_low = typed.to_lowercase();
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for tag in unfinished(board).flat_map(Item::tags) {
            *uses.entry(tag).or_default() += 1;
        }
        let mut tags: Vec<(&str, usize)> =
            uses.into_iter().filter(|(tag, _)| tag.to_lowercase().starts_with(&typed_low)).collect();
        tags.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(right.0)));
        let prefix = &view.snapshot().settings.id_prefix;
        let epics = unfinished(board).filter(|item| {
            item.type_name().eq_ignore_ascii_case("epic") && board.fits(item.id(), &typed, prefix)
        });
        tags.into_iter().map(|(tag, _)| tag.to_owned()).chain(ids(epics)).collect()
    })
    .await
}

fn unfinished(board: &Board) -> impl Iterator<Item = &Item> {
    board.ranked().filter(|item| board.standing(item.id()) != Some(Standing::Terminal))
}

async fn fitting(
    view: &View,
    typed: String,
    choose: impl FnOnce(&Board) -> Vec<String> + Send + 'static,
) -> Result<Vec<String>, Problem> {
    view.on_board(move |board, view| {
        let mut chosen = choose(board);
        chosen.retain(|id| board.fits(id, &typed, &view.snapshot().settings.id_prefix));
        chosen
    })
    .await
}

fn ids<'i>(items: impl IntoIterator<Item = &'i Item>) -> Vec<String> {
    items.into_iter().map(|item| item.id().to_owned()).collect()
}
