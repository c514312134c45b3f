//! The order in which work is looked at.

use std::cmp::Ordering;

use super::standing::Standing;
use crate::{Item, Timestamp};

/// A stored time as something that sorts: instants first, then texts that are none, then nothing. Comparing such
/// texts with instants as texts would be no total order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Moment {
    At(Timestamp),
    Unreadable(Box<str>),
    Never,
}

impl Moment {
    pub(super) fn of(time: Option<&str>) -> Self {
        match time.map(|text| (Timestamp::parse(text), text)) {
            Some((Some(instant), _)) => Self::At(instant),
            Some((None, text)) => Self::Unreadable(text.into()),
            None => Self::Never,
        }
    }

    /// Newest first, and what is no instant last all the same.
    pub(super) fn newest_first(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::At(left), Self::At(right)) => right.cmp(left),
            (Self::At(_) | Self::Unreadable(_) | Self::Never, _) => self.cmp(other),
        }
    }
}

/// All that ranking looks at.
#[derive(Debug, Clone)]
pub(super) struct RankKey {
    pub(super) standing: Standing,
    /// Whether the item has children, all of them terminal: nothing is left but to close it.
    pub(super) done_container: bool,
    priority: u8,
    order: Option<f64>,
    deadline: Moment,
    updated: Moment,
}

impl RankKey {
    pub(super) fn new(item: &Item, standing: Standing, done_container: bool) -> Self {
        Self {
            standing,
            done_container,
            priority: item.priority(),
            order: item.order(),
            deadline: Moment::of(item.deadline()),
            updated: Moment::of(Some(item.updated_at())),
        }
    }

    /// The same key where only what lies below the item may have changed.
    pub(super) fn with_done(&self, done_container: bool) -> Self {
        Self { done_container, ..self.clone() }
    }

    /// The order without the id, which the caller adds: items are numbered by id.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let order = |key: &Self| key.order.unwrap_or(f64::INFINITY);
        self.bucket()
            .cmp(&other.bucket())
            .then_with(|| self.standing.cmp(&other.standing))
            .then_with(|| self.priority.cmp(&other.priority))
            .then_with(|| order(self).total_cmp(&order(other)))
            .then_with(|| self.deadline.cmp(&other.deadline))
            .then_with(|| self.updated.newest_first(&other.updated))
    }

    /// Work first, then containers that only wait to be closed, then what is over.
    const fn bucket(&self) -> u8 {
        match (self.standing, self.done_container) {
            (Standing::Terminal, _) => 2,
            (Standing::InProgress | Standing::Open | Standing::Blocked | Standing::Draft, true) => 1,
            (Standing::InProgress | Standing::Open | Standing::Blocked | Standing::Draft, false) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::samples::{board, items};

    fn ranked(list: Value) -> Vec<String> {
        let items = items(list);
        let board = board(&items);
        board.ranked().map(|item| item.id().to_owned()).collect()
    }

    /// Each row lets one key decide while every later key says the opposite.
    #[test]
    fn each_key_breaks_the_tie_of_the_ones_before_it() {
        let old = "2026-01-01T00:00:00.000Z";
        let new = "2026-02-01T00:00:00.000Z";
        let better = [
            ("status", json!("in_progress"), json!("open")),
            ("status", json!("open"), json!("blocked")),
            ("status", json!("blocked"), json!("draft")),
            ("status", json!("draft"), json!("closed")),
            ("priority", json!(0), json!(1)),
            ("order", json!(1), json!(2)),
            ("order", json!(7), Value::Null),
            ("deadline", json!(old), json!(new)),
            ("deadline", json!(new), Value::Null),
            ("updated_at", json!(new), json!(old)),
        ];
        for (at, (key, first, second)) in better.iter().enumerate() {
            let mut winner = json!({"id": "z"});
            let mut loser = json!({"id": "a"});
            for (later, good, bad) in better.iter().skip(at + 1).filter(|(later, ..)| later != key) {
                winner[later] = bad.clone();
                loser[later] = good.clone();
            }
            winner[key] = first.clone();
            loser[key] = second.clone();
            assert_eq!(ranked(json!([loser, winner])), ["z", "a"], "{key}: {first} before {second}");
        }
        assert_eq!(ranked(json!([{"id": "b"}, {"id": "a"}])), ["a", "b"]);
    }

    #[test]
    fn containers_whose_children_are_done_come_after_leaves() {
        let list = json!([
            {"id": "p", "priority": 0, "status": "in_progress"},
            {"id": "c", "parent": "p", "status": "closed"},
            {"id": "leaf", "priority": 4, "status": "draft"},
            {"id": "q", "priority": 0}, {"id": "d", "parent": "q", "priority": 1},
        ]);
        assert_eq!(ranked(list), ["q", "d", "leaf", "p", "c"]);
    }

    #[test]
    fn times_are_compared_as_instants_and_odd_ones_come_last() {
        let list = json!([
            {"id": "a", "deadline": "soon"},
            {"id": "b", "deadline": "2026-01-01T01:00:00Z"},
            {"id": "c", "deadline": "2026-01-01T01:30:00+01:00"},
            {"id": "d"},
        ]);
        assert_eq!(ranked(list), ["c", "b", "a", "d"]);
    }

    #[test]
    fn an_alias_and_an_unknown_status_have_a_place() {
        let list = json!([{"id": "a", "status": "odd"}, {"id": "b", "status": "in-progress"}]);
        assert_eq!(ranked(list), ["b", "a"]);
    }
}
