//! Orders of lists other than ranking.

use std::cmp::Ordering;

use super::ranking::Moment;
use super::store::Board;
use crate::{Item, collate};

/// What a list is sorted by. Equal entries follow ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "callers list all keys in a schema")]
pub enum SortKey {
    /// Ranking itself.
    Rank,
    /// Newest change first.
    Updated,
    /// Newest item first.
    Created,
    /// Priority 0 first.
    Priority,
    /// Earliest deadline first, none last.
    Deadline,
    /// Title, in the order people read.
    Title,
    /// Id.
    Id,
}

impl SortKey {
    /// Every key, in the order of the tool's schema.
    pub const ALL: [Self; 7] =
        [Self::Rank, Self::Updated, Self::Created, Self::Priority, Self::Deadline, Self::Title, Self::Id];

    /// The name that callers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Updated => "updated",
            Self::Created => "created",
            Self::Priority => "priority",
            Self::Deadline => "deadline",
            Self::Title => "title",
            Self::Id => "id",
        }
    }
}

/// An order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a plain pair")]
pub struct Sort {
    /// What it is sorted by.
    pub key: SortKey,
    /// Whether the order is turned round.
    pub reversed: bool,
}

impl Sort {
    /// Ranking.
    pub const RANK: Self = Self { key: SortKey::Rank, reversed: false };

    /// Reads a key's name, with a leading `-` to turn the order round. `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (name, reversed) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let key = SortKey::ALL.into_iter().find(|key| key.name() == name)?;
        Some(Self { key, reversed })
    }
}

impl Board {
    /// Sorts items of this board.
    pub fn sort(&self, items: &mut [&Item], sort: Sort) {
        items.sort_by_cached_key(|item| self.entry(item.id()).map_or(usize::MAX, |entry| entry.rank));
        let by = |compare: &dyn Fn(&Item, &Item) -> Ordering, items: &mut [&Item]| {
            items.sort_by(|left, right| {
                let order = compare(left, right);
                if sort.reversed { order.reverse() } else { order }
            });
        };
        match sort.key {
            SortKey::Rank if sort.reversed => items.reverse(),
            SortKey::Rank => {}
            SortKey::Updated => by(&|left, right| newest(left.updated_at(), right.updated_at()), items),
            SortKey::Created => by(&|left, right| newest(left.created_at(), right.created_at()), items),
            SortKey::Priority => by(&|left, right| left.priority().cmp(&right.priority()), items),
            SortKey::Deadline => {
                by(&|left, right| Moment::of(left.deadline()).cmp(&Moment::of(right.deadline())), items);
            }
            SortKey::Title => by(&|left, right| collate(left.title(), right.title()), items),
            SortKey::Id => by(&|left, right| left.id().cmp(right.id()), items),
        }
    }
}

fn newest(left: &str, right: &str) -> Ordering {
    Moment::of(Some(left)).newest_first(&Moment::of(Some(right)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::{board, items};

    #[test]
    fn each_key_sorts_both_ways() {
        let items = items(json!([
            {"id": "a", "title": "banana", "priority": 3, "created_at": "2026-01-03", "updated_at": "2026-01-01",
                "deadline": "2026-05-01"},
            {"id": "b", "title": "Apple", "priority": 1, "created_at": "2026-01-01", "updated_at": "2026-01-02"},
            {"id": "c", "title": "cherry", "priority": 2, "created_at": "2026-01-02", "updated_at": "2026-01-03",
                "deadline": "2026-04-01"},
        ]));
        let board = board(&items);
        for (text, wanted) in [
            ("rank", "b c a"),
            ("-rank", "a c b"),
            ("updated", "c b a"),
            ("created", "a c b"),
            ("-created", "b c a"),
            ("priority", "b c a"),
            ("deadline", "c a b"),
            ("title", "b a c"),
            ("-id", "c b a"),
        ] {
            let mut list: Vec<&Item> = items.iter().collect();
            board.sort(&mut list, Sort::parse(text).unwrap());
            assert_eq!(list.iter().map(|item| item.id()).collect::<Vec<_>>().join(" "), wanted, "{text}");
        }
        assert_eq!(Sort::parse("--id"), None);
        assert_eq!(Sort::parse("colour"), None);
    }
}
