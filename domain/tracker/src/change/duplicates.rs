//! Items that a new one seems to repeat.

use std::collections::BTreeSet;

use super::World;
use crate::search::tokens;

/// An item that a new one seems to repeat.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts")]
pub struct Likeness {
    /// The item's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How like it is, 0 to 1: 1 for the same title but for case, blanks and punctuation, else the share of common words.
    pub likeness: f64,
}

/// The unfinished items that a title seems to repeat, likeliest first, then by id; at most `limit`.
#[must_use]
pub fn likely_duplicates(title: &str, world: &World, threshold: f64, limit: usize) -> Vec<Likeness> {
    let wanted: BTreeSet<String> = tokens(title).into_iter().collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let statuses = world.schema().statuses();
    let mut found: Vec<Likeness> = world
        .board()
        .items()
        .filter(|item| !statuses.is_terminal(item.status()))
        .filter_map(|item| {
            let likeness = overlap(&wanted, &tokens(item.title()).into_iter().collect());
            (likeness >= threshold && likeness > 0.0).then(|| Likeness {
                id: item.id().to_owned(),
                title: item.title().to_owned(),
                likeness,
            })
        })
        .collect();
    found.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then_with(|| a.id.cmp(&b.id)));
    found.truncate(limit);
    found
}

fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if all == 0 { 0.0 } else { number(common) / number(all) }
}
