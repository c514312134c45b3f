//! Which records are due and which are unfinished.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::header::{Columns, Owner};
use crate::key::Key;

/// The columns of all records, in the orders in which they are listed.
#[derive(Default, Debug)]
pub(crate) struct Index {
    records: BTreeMap<Key, (Columns, Owner)>,
    due: BTreeSet<(i64, Key)>,
    unfinished: BTreeSet<Key>,
    /// How many records each owner has; none has zero.
    held: BTreeMap<Owner, usize>,
}

impl Index {
    /// Takes over what is now known of a record; `None` when there is none.
    pub(crate) fn put(&mut self, key: Key, found: Option<(Columns, Owner)>) {
        if let Some((Columns { due, .. }, owner)) = self.records.remove(&key) {
            if let Some(due) = due {
                self.due.remove(&(due, key));
            }
            self.unfinished.remove(&key);
            if let Some(held) = self.held.get_mut(&owner) {
                *held = held.saturating_sub(1);
                if *held == 0 {
                    self.held.remove(&owner);
                }
            }
        }
        if let Some((columns, owner)) = found {
            self.records.insert(key, (columns, owner));
            *self.held.entry(owner).or_default() += 1;
            self.due.extend(columns.due.map(|due| (due, key)));
            if !columns.finished {
                self.unfinished.insert(key);
            }
        }
    }

    pub(crate) fn holds(&self, key: Key) -> bool {
        self.records.contains_key(&key)
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// How many records an owner has.
    pub(crate) fn held(&self, owner: Owner) -> usize {
        self.held.get(&owner).copied().unwrap_or(0)
    }

    /// The next records that are due at `by`, `count` at the most.
    pub(crate) fn due(&self, by: i64, after: Option<(i64, Key)>, count: usize) -> Vec<(i64, Key)> {
        self.due
            .range((after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded))
            .take_while(|(due, _)| *due <= by)
            .take(count)
            .copied()
            .collect()
    }

    /// The next unfinished records, `count` at the most.
    pub(crate) fn unfinished(&self, after: Option<Key>, count: usize) -> Vec<Key> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.unfinished.range((from, Bound::Unbounded)).take(count).copied().collect()
    }
}
