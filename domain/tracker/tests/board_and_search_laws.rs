//! Laws that hold for every workspace, tried on random small ones.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use pm_tracker_domain::board::{Board, NextQuery, Standing};
use pm_tracker_domain::check::lifecycle;
use pm_tracker_domain::graph::{GraphQuery, Question};
use pm_tracker_domain::search::SearchIndex;
use pm_tracker_domain::{Item, Settings, Timestamp, WorkspaceSchema};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

const WORDS: [&str; 8] = ["apple", "Pear", "fig", "plum", "kiwi", "lime", "é", "42"];
const STATUSES: [&str; 7] = ["open", "in-progress", "in_progress", "blocked", "draft", "closed", "odd"];
const KINDS: [&str; 6] = ["blocked_by", "depends_on", "blocks", "child_of", "child", "related"];
const IDS: usize = 12;

fn id(number: usize) -> String {
    format!("demo-{:02}", number % IDS)
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..8).prop_map(|words| words.join(" "))
}

fn item() -> impl Strategy<Value = Item> {
    let edges = prop::collection::vec((0..IDS + 2, prop::sample::select(&KINDS[..])), 0..4);
    let deadline = prop::sample::select(vec!["", "2026-01-01", "2026-02-01T00:00:00Z", "soon"]);
    (
        (0..IDS, text(), text(), prop::sample::select(&STATUSES[..]), 0..5_u8),
        (edges, prop::option::of(0..IDS + 2), deadline, prop::option::of(-3_i32..3), 0..3_u8),
    )
        .prop_map(|((number, title, body, status, priority), (edges, parent, deadline, order, day))| {
            let dependencies: Vec<Value> =
                edges.iter().map(|(to, kind)| json!({"id": format!("demo-{to:02}"), "kind": kind})).collect();
            Item::from_file_value(json!({
                "id": id(number), "title": title, "description": "", "type": "Task", "status": status,
                "priority": priority, "tags": [], "created_at": "2026-01-01T00:00:00.000Z",
                "updated_at": format!("2026-01-0{}T00:00:00.000Z", day + 1),
                "deadline": deadline, "order": order, "dependencies": dependencies,
                "parent": parent.map(|to| format!("demo-{to:02}")), "body": body,
            }))
            .unwrap()
        })
}

fn board_of(items: &[Item]) -> Board {
    Board::new(items.iter().cloned().map(Arc::new), Arc::new(WorkspaceSchema::default()))
}

fn workspace() -> impl Strategy<Value = Vec<Item>> {
    prop::collection::vec(item(), 0..IDS).prop_map(|items| {
        let unique: BTreeMap<String, Item> =
            items.into_iter().map(|item| (item.id().to_owned(), item)).collect();
        unique.into_values().collect()
    })
}

#[derive(Debug, Clone)]
enum Change {
    Insert(Box<Item>),
    Remove(usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![3 => item().prop_map(|item| Change::Insert(Box::new(item))), 1 => (0..IDS).prop_map(Change::Remove)]
}

fn answers(index: &SearchIndex) -> Vec<Vec<(String, u64, Vec<&'static str>)>> {
    let queries = WORDS.iter().map(|word| (*word).to_owned()).chain([
        "apple pear fig".to_owned(),
        "demo 03".to_owned(),
        "task open".to_owned(),
        WORDS.join(" "),
    ]);
    queries
        .map(|query| {
            let hits = index.search(&query, |left, right| left.cmp(right));
            let fields =
                |hit: &pm_tracker_domain::search::Hit| hit.matched.iter().map(|f| f.name()).collect();
            hits.iter().map(|hit| (hit.id.clone(), hit.score.to_bits(), fields(hit))).collect()
        })
        .collect()
}

fn runs() -> ProptestConfig {
    ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_260_728),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(runs())]

    #[test]
    fn an_index_kept_up_to_date_equals_one_built_afresh(changes in prop::collection::vec(change(), 0..40)) {
        let mut kept = SearchIndex::new();
        let mut items: BTreeMap<String, Item> = BTreeMap::new();
        for change in changes {
            match change {
                Change::Insert(item) => {
                    kept.insert_item(&item);
                    items.insert(item.id().to_owned(), *item);
                }
                Change::Remove(number) => {
                    prop_assert_eq!(kept.remove(&id(number)), items.remove(&id(number)).is_some());
                }
            }
        }
        let mut fresh = SearchIndex::new();
        for item in items.values().rev() {
            fresh.insert_item(item);
        }
        prop_assert_eq!(kept.ids().collect::<Vec<_>>(), fresh.ids().collect::<Vec<_>>());
        prop_assert_eq!(kept.term_count(), fresh.term_count());
        prop_assert_eq!(answers(&kept), answers(&fresh));
    }

    /// Every answer of a board follows from what it holds, so all of that is compared.
    #[test]
    fn a_board_that_follows_changes_equals_one_built_afresh(
        first in workspace(),
        changes in prop::collection::vec(prop::collection::vec(change(), 1..4), 0..12),
    ) {
        let schema = Arc::new(WorkspaceSchema::default());
        let mut items: BTreeMap<String, Arc<Item>> =
            first.into_iter().map(|item| (item.id().to_owned(), Arc::new(item))).collect();
        let mut kept = Board::new(items.values().cloned(), Arc::clone(&schema));
        for step in changes {
            for change in step {
                match change {
                    Change::Insert(item) => {
                        items.insert(item.id().to_owned(), Arc::from(item));
                    }
                    Change::Remove(number) => {
                        items.remove(&id(number));
                    }
                }
            }
            kept = kept.follow(items.values().cloned(), Arc::clone(&schema));
            let fresh = Board::new(items.values().cloned(), Arc::clone(&schema));
            prop_assert_eq!(format!("{kept:?}"), format!("{fresh:?}"));
        }
    }

    /// The commonest change leaves all edges alone: another status, title or time of one item.
    #[test]
    fn a_board_follows_edits_that_leave_edges_alone(
        mut list in workspace(),
        edits in prop::collection::vec((0..IDS, prop::sample::select(&STATUSES[..]), 0..3_u8), 1..12),
    ) {
        let schema = Arc::new(WorkspaceSchema::default());
        let mut kept = board_of(&[]).follow(list.iter().cloned().map(Arc::new), Arc::clone(&schema));
        let mut shared: Vec<Arc<Item>> = list.drain(..).map(Arc::new).collect();
        kept = kept.follow(shared.iter().cloned(), Arc::clone(&schema));
        for (number, status, day) in edits {
            let count = shared.len();
            if let Some(item) = shared.get_mut(number % count.max(1)) {
                let (fields, body) = Item::clone(item).into_parts();
                let mut value = Value::Object(fields);
                value["body"] = json!(body);
                value["status"] = json!(status);
                value["title"] = json!(format!("Edited on {day}"));
                value["updated_at"] = json!(format!("2026-02-0{}T00:00:00.000Z", day + 1));
                *item = Arc::new(Item::from_file_value(value).unwrap());
            }
            kept = kept.follow(shared.iter().cloned(), Arc::clone(&schema));
            let fresh = Board::new(shared.iter().cloned(), Arc::clone(&schema));
            prop_assert_eq!(format!("{kept:?}"), format!("{fresh:?}"));
        }
    }

    #[test]
    fn a_board_does_not_depend_on_the_order_of_items(items in workspace(), turn in 0..IDS) {
        let mut turned = items.clone();
        turned.reverse();
        let middle = turn.min(turned.len());
        turned.rotate_left(middle);
        let (one, other) = (board_of(&items), board_of(&turned));
        let ranked = |board: &Board| board.ranked().map(|item| item.id().to_owned()).collect::<Vec<_>>();
        prop_assert_eq!(ranked(&one), ranked(&other));
        prop_assert_eq!(one.next(&NextQuery::default()), other.next(&NextQuery::default()));
        let now = Timestamp::from_unix_ms(0);
        prop_assert_eq!(one.context(None, 5, now), other.context(None, 5, now));
        for question in Question::ALL {
            let query = GraphQuery::new(question).about("demo-00").to("demo-01");
            prop_assert_eq!(one.graph().ask(&query), other.graph().ask(&query));
        }
    }

    #[test]
    fn the_queues_hold_each_candidate_once_and_ready_work_waits_for_nothing(items in workspace()) {
        let board = board_of(&items);
        let mut query = NextQuery::default();
        query.limit = usize::MAX;
        let next = board.next(&query);
        let mut queued: Vec<&String> = next.ready.iter().chain(&next.decisions).chain(&next.held).collect();
        queued.extend(next.blocked.iter().map(|waiting| &waiting.id));
        let all = queued.len();
        queued.sort();
        queued.dedup();
        prop_assert_eq!(queued.len(), all);
        for id in &next.ready {
            prop_assert!(board.open_blockers(id).is_empty());
            prop_assert!(!matches!(board.standing(id), Some(Standing::Blocked | Standing::Terminal)));
            for below in board.subtree(id) {
                prop_assert!(below.id() == id || board.standing(below.id()) == Some(Standing::Terminal));
            }
        }
        for pair in next.ready.windows(2) {
            prop_assert_eq!(board.compare(&pair[0], &pair[1]), Ordering::Less);
        }
        prop_assert_eq!(next.recommended.map(|first| first.id), next.ready.first().cloned());
    }

    #[test]
    fn a_ring_is_reported_exactly_if_an_item_reaches_itself(items in workspace()) {
        let board = board_of(&items);
        let graph = board.graph();
        let rings = graph.ask(&GraphQuery::new(Question::Cycles)).unwrap().paths.unwrap();
        for ring in &rings {
            prop_assert!(ring.len() >= 2);
            prop_assert_eq!(ring.first(), ring.last());
        }
        let through_itself = items.iter().any(|item| {
            let about = GraphQuery::new(Question::Cycles).about(item.id());
            !graph.ask(&about).unwrap().paths.unwrap().is_empty()
        });
        prop_assert_eq!(through_itself, !rings.is_empty());
        let row = lifecycle(&board, &Settings::read(&json!({})));
        let cycles = row.findings.iter().filter(|finding| finding.code.ends_with("_cycle")).count();
        prop_assert_eq!(cycles, rings.len());
    }
}
