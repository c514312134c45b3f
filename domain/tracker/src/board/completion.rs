//! Ids to complete what somebody has begun to type.

use super::standing::Standing;
use super::store::Board;
use crate::Item;
use crate::search::each_token;

/// Most ids of one completion; the protocol allows no more.
pub const COMPLETIONS_MAX: usize = 100;

/// The items whose id or title fits, and how many fit in all.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Completions<'a> {
    /// In progress first, then in ranking order; at most [`COMPLETIONS_MAX`].
    pub items: Vec<&'a Item>,
    /// Number of all that fit.
    pub total: usize,
}

impl Board {
    /// Completes the beginning of an id, with or without the workspace's prefix and a leading `#`, or of a word of a
    /// title. Everything fits an empty beginning.
    #[must_use]
    pub fn complete(&self, typed: &str, id_prefix: &str) -> Completions<'_> {
        let typed = typed.trim().to_lowercase();
        let typed = typed.strip_prefix('#').unwrap_or(&typed);
        let mut found: Vec<(bool, &Item)> = self
            .entries_ranked()
            .filter(|entry| fits(&entry.item, typed, id_prefix))
            .map(|entry| (entry.key.standing != Standing::InProgress, &*entry.item))
            .collect();
        found.sort_by_key(|(idle, _)| *idle);
        let total = found.len();
        found.truncate(COMPLETIONS_MAX);
        Completions { items: found.into_iter().map(|(_, item)| item).collect(), total }
    }

    /// Whether an item is among those that [`complete`](Self::complete) finds, cut or not.
    #[must_use]
    pub fn fits(&self, id: &str, typed: &str, id_prefix: &str) -> bool {
        let typed = typed.trim().to_lowercase();
        let typed = typed.strip_prefix('#').unwrap_or(&typed);
        self.item(id).is_some_and(|item| fits(item, typed, id_prefix))
    }
}

fn fits(item: &Item, typed: &str, id_prefix: &str) -> bool {
    let id = item.id().to_lowercase();
    if id.starts_with(typed) || id.strip_prefix(id_prefix).is_some_and(|token| token.starts_with(typed)) {
        return true;
    }
    let mut found = false;
    each_token(item.title(), |word| found |= word.starts_with(typed));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::samples::{board, items};

    #[test]
    fn beginnings_of_ids_and_title_words_fit() {
        let items = items(json!([
            {"id": "demo-aa1", "title": "Retry uploads"}, {"id": "demo-ab2", "title": "Öffne die Datei"},
            {"id": "demo-up3", "title": "Else", "status": "in_progress", "priority": 4},
            {"id": "demo-p", "status": "in_progress"}, {"id": "demo-q", "parent": "demo-p", "status": "closed"},
        ]));
        let board = board(&items);
        let complete = |typed: &str| -> Vec<&str> {
            board.complete(typed, "demo-").items.into_iter().map(Item::id).collect()
        };
        assert_eq!(complete("UP"), ["demo-up3", "demo-aa1"]);
        assert_eq!(complete("#demo-a"), ["demo-aa1", "demo-ab2"]);
        assert_eq!(complete("öff"), ["demo-ab2"]);
        assert_eq!(complete("load"), Vec::<&str>::new());
        assert_eq!(complete(""), ["demo-up3", "demo-p", "demo-aa1", "demo-ab2", "demo-q"]);
    }

    #[test]
    fn at_most_a_hundred_are_given_and_all_are_counted() {
        let items = items((0..250).map(|number| json!({"id": format!("a{number}")})).collect::<Value>());
        let board = board(&items);
        let found = board.complete("a", "demo-");
        assert_eq!((found.items.len(), found.total), (COMPLETIONS_MAX, 250));
    }
}
