//! What to do next: the queues of ready and blocked work.

use serde::Serialize;

use super::blockers::Blocker;
use super::filter::{Gate, ItemFilter};
use super::standing::Standing;
use super::store::{Board, Entry};
use crate::{Item, Timestamp};

/// Most queue entries unless the caller sets another bound.
const LIMIT_DEFAULT: usize = 5;

/// Whose work is looked for, and how much of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NextQuery {
    /// Which items are considered.
    pub filter: ItemFilter,
    /// Who asks. What this one holds is not held by somebody else; without a name everything held is.
    pub asker: Option<String>,
    /// Leave out everything but the ready queue.
    pub ready_only: bool,
    /// Most entries of each queue.
    pub limit: usize,
    /// The time, to tell passed deadlines.
    pub now: Option<Timestamp>,
}

impl Default for NextQuery {
    fn default() -> Self {
        Self {
            filter: ItemFilter::default(),
            asker: None,
            ready_only: false,
            limit: LIMIT_DEFAULT,
            now: None,
        }
    }
}

/// The one item to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Recommended {
    /// The item's id.
    pub id: String,
    /// Why it comes first, in words.
    pub reasons: Vec<String>,
    /// The items that wait for nothing but this one.
    pub unblocks: Vec<String>,
}

/// An item that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Waiting {
    /// The item's id.
    pub id: String,
    /// What it waits for; empty if only its status says that it waits.
    pub blockers: Vec<Blocker>,
}

/// How long the queues are before they are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct QueueTotals {
    /// Ready items.
    pub ready: usize,
    /// Blocked items.
    pub blocked: usize,
    /// Decisions.
    pub decisions: usize,
    /// Items held by somebody else.
    pub held: usize,
}

/// The queues, each in ranking order; every item is in at most one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Next {
    /// The first ready item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommended: Option<Recommended>,
    /// What can be begun.
    pub ready: Vec<String>,
    /// What waits.
    pub blocked: Vec<Waiting>,
    /// Decisions, ready or not: they are for humans.
    pub decisions: Vec<String>,
    /// What somebody else holds.
    pub held: Vec<String>,
    /// The lengths before the cut.
    pub totals: QueueTotals,
}

enum Queue {
    Ready,
    Blocked(Vec<Blocker>),
    Decision,
    Held,
}

impl Board {
    /// The queues for one asker.
    #[must_use]
    pub fn next(&self, query: &NextQuery) -> Next {
        let mut next = Next::default();
        let mut first: Option<&Entry> = None;
        for (entry, queue) in self.queued(query) {
            let id = || entry.item.id().to_owned();
            match queue {
                Queue::Ready => {
                    first = first.or(Some(entry));
                    push(&mut next.ready, &mut next.totals.ready, query.limit, id);
                }
                Queue::Blocked(_) | Queue::Decision | Queue::Held if query.ready_only => {}
                Queue::Blocked(blockers) => {
                    let waiting = || Waiting { id: id(), blockers };
                    push(&mut next.blocked, &mut next.totals.blocked, query.limit, waiting);
                }
                Queue::Decision => push(&mut next.decisions, &mut next.totals.decisions, query.limit, id),
                Queue::Held => push(&mut next.held, &mut next.totals.held, query.limit, id),
            }
        }
        next.recommended = first.map(|entry| self.recommend(entry, query));
        next
    }

    /// The whole ready queue, in ranking order; a claim of the next item walks it.
    #[must_use]
    pub fn ready(&self, query: &NextQuery) -> Vec<&Item> {
        let ready = self.queued(query).filter(|(_, queue)| matches!(queue, Queue::Ready));
        ready.map(|(entry, _)| &*entry.item).collect()
    }

    fn queued<'b, 'q>(
        &'b self,
        query: &'q NextQuery,
    ) -> impl Iterator<Item = (&'b Entry, Queue)> + use<'b, 'q> {
        let gate = Gate::new(self, &query.filter);
        self.entries_ranked()
            .filter(move |entry| entry.candidate && !entry.container && gate.lets(entry))
            .map(|entry| (entry, self.queue_of(entry, query)))
    }

    fn queue_of(&self, entry: &Entry, query: &NextQuery) -> Queue {
        if entry.item.type_name().eq_ignore_ascii_case("decision") {
            return Queue::Decision;
        }
        if entry.item.assignee().is_some_and(|holder| Some(holder) != query.asker.as_deref()) {
            return Queue::Held;
        }
        let blockers = self.blockers_of(entry);
        if blockers.is_empty() && entry.key.standing != Standing::Blocked {
            Queue::Ready
        } else {
            Queue::Blocked(blockers)
        }
    }

    fn recommend(&self, entry: &Entry, query: &NextQuery) -> Recommended {
        let item = &entry.item;
        let unblocks: Vec<String> =
            self.unblocks(item.id()).into_iter().map(|other| other.id().to_owned()).collect();
        let mut reasons = Vec::new();
        if entry.key.standing == Standing::InProgress {
            reasons.push("already in progress".to_owned());
        }
        if item.assignee().is_some() {
            reasons.push("held by the asker".to_owned());
        }
        reasons.push(format!("priority {}", item.priority()));
        if let Some(order) = item.order() {
            reasons.push(format!("order {order}"));
        }
        if let Some(deadline) = item.deadline() {
            let passed = query.now.zip(Timestamp::parse(deadline)).is_some_and(|(now, bound)| now > bound);
            reasons.push(if passed {
                format!("deadline {deadline} has passed")
            } else {
                format!("deadline {deadline}")
            });
        }
        if entry.key.done_container {
            reasons.push("everything below it is done".to_owned());
        }
        match unblocks.len() {
            0 => {}
            1 => reasons.push("the last open blocker of 1 item".to_owned()),
            count => reasons.push(format!("the last open blocker of {count} items")),
        }
        reasons.push("nothing blocks it".to_owned());
        Recommended { id: item.id().to_owned(), reasons, unblocks }
    }
}

fn push<T>(queue: &mut Vec<T>, total: &mut usize, limit: usize, entry: impl FnOnce() -> T) {
    *total += 1;
    if queue.len() < limit {
        queue.push(entry());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::samples::{board, items};

    fn next(list: Value, query: &NextQuery) -> Next {
        let items = items(list);
        board(&items).next(query)
    }

    fn asked_by(name: &str) -> NextQuery {
        NextQuery { asker: Some(name.to_owned()), ..NextQuery::default() }
    }

    /// Status, held by whom, blocked or not, type: where the item goes when `me` asks.
    #[test]
    fn every_kind_of_item_has_its_queue() {
        for (fields, wanted) in [
            (json!({"status": "open"}), "ready"),
            (json!({"status": "in-progress"}), "ready"),
            (json!({"status": "in_progress", "assignee": "me"}), "ready"),
            (json!({"status": "open", "blocked_by": "gone"}), "blocked"),
            (json!({"status": "in_progress", "blocked_by": "gone", "assignee": "me"}), "blocked"),
            (json!({"status": "blocked"}), "blocked"),
            (json!({"status": "blocked", "blocked_by": "no-active-blocker"}), "blocked"),
            (json!({"status": "open", "assignee": "you"}), "held"),
            (json!({"status": "blocked", "assignee": "you"}), "held"),
            (json!({"status": "open", "type": "Decision"}), "decisions"),
            (json!({"status": "blocked", "type": "decision", "assignee": "you"}), "decisions"),
            (json!({"status": "draft"}), "none"),
            (json!({"status": "closed"}), "none"),
            (json!({"status": "canceled", "type": "Decision"}), "none"),
            (json!({"status": "odd"}), "none"),
        ] {
            let mut item = fields.clone();
            item["id"] = json!("x");
            let found = next(json!([item]), &asked_by("me"));
            let totals = found.totals;
            let queue = match (totals.ready, totals.blocked, totals.decisions, totals.held) {
                (1, 0, 0, 0) => "ready",
                (0, 1, 0, 0) => "blocked",
                (0, 0, 1, 0) => "decisions",
                (0, 0, 0, 1) => "held",
                _ => "none",
            };
            assert_eq!(queue, wanted, "{fields}");
            assert_eq!(found.recommended.is_some(), wanted == "ready", "{fields}");
        }
    }

    #[test]
    fn containers_with_open_work_below_are_skipped_at_any_depth() {
        let list = json!([
            {"id": "e"}, {"id": "f", "parent": "e", "status": "closed"}, {"id": "t", "parent": "f"},
            {"id": "done", "priority": 0}, {"id": "c", "parent": "done", "status": "closed"},
            {"id": "by-edge", "dependencies": [{"id": "t", "kind": "child"}]},
        ]);
        assert_eq!(next(list, &NextQuery::default()).ready, ["t", "done"]);
    }

    #[test]
    fn rings_in_the_hierarchy_do_not_hang() {
        let found =
            next(json!([{"id": "a", "parent": "b"}, {"id": "b", "parent": "a"}]), &NextQuery::default());
        assert!(found.ready.is_empty());
        assert_eq!(next(json!([{"id": "a", "parent": "a"}]), &NextQuery::default()).ready, ["a"]);
    }

    #[test]
    fn the_recommendation_gives_its_reasons() {
        let list = json!([
            {"id": "a", "status": "in_progress", "assignee": "me", "priority": 1, "order": 2,
                "deadline": "2026-02-01"},
            {"id": "b", "blocked_by": "a"}, {"id": "c", "blocked_by": "a", "priority": 0},
        ]);
        let query = NextQuery { now: Timestamp::parse("2026-03-01"), ..asked_by("me") };
        let found = next(list, &query);
        assert_eq!(
            found.recommended.unwrap(),
            Recommended {
                id: "a".to_owned(),
                reasons: [
                    "already in progress",
                    "held by the asker",
                    "priority 1",
                    "order 2",
                    "deadline 2026-02-01 has passed",
                    "the last open blocker of 2 items",
                    "nothing blocks it",
                ]
                .map(str::to_owned)
                .to_vec(),
                unblocks: vec!["c".to_owned(), "b".to_owned()],
            }
        );
    }

    #[test]
    fn queues_are_cut_and_counted() {
        let list: Value = (0..9).map(|number| json!({"id": format!("a{number}")})).collect();
        let found = next(list.clone(), &NextQuery { limit: 2, ..NextQuery::default() });
        assert_eq!((found.ready, found.totals.ready), (vec!["a0".to_owned(), "a1".to_owned()], 9));
        let items = items(list);
        assert_eq!(board(&items).ready(&NextQuery { limit: 2, ..NextQuery::default() }).len(), 9);
    }

    #[test]
    fn ready_only_leaves_the_other_queues_out_and_filters_narrow_all() {
        let list = json!([
            {"id": "a", "parent": "p", "tags": ["x"]}, {"id": "b", "status": "blocked", "tags": ["x"]},
            {"id": "p"}, {"id": "d", "type": "Decision"}, {"id": "h", "assignee": "you"},
        ]);
        let only = next(list.clone(), &NextQuery { ready_only: true, ..NextQuery::default() });
        assert_eq!(
            (only.ready, only.totals.blocked + only.totals.held + only.totals.decisions),
            (vec!["a".to_owned()], 0)
        );
        let mut query = NextQuery::default();
        query.filter.tags = vec!["x".to_owned()];
        let tagged = next(list.clone(), &query);
        assert_eq!((tagged.totals.ready, tagged.totals.blocked, tagged.totals.held), (1, 1, 0));
        query.filter.within = Some("p".to_owned());
        assert_eq!(next(list, &query).totals, QueueTotals { ready: 1, ..QueueTotals::default() });
    }
}
