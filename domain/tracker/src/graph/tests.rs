//! Questions on small graphs, rings included.

use serde_json::{Value, json};

use super::*;
use crate::Statuses;
use crate::samples::items;

fn graph(list: Value) -> Graph {
    Graph::new(&items(list), &Statuses::default())
}

/// Each entry: an item and what it waits for.
fn ordered(edges: &[(&str, &[&str])]) -> Graph {
    let list = edges.iter().map(|(id, blockers)| {
        let dependencies: Vec<Value> =
            blockers.iter().map(|blocker| json!({"id": blocker, "kind": "blocked_by"})).collect();
        json!({"id": id, "dependencies": dependencies})
    });
    graph(list.collect())
}

fn family() -> Graph {
    graph(json!([
        {"id": "e", "type": "Epic"},
        {"id": "f", "parent": "e"},
        {"id": "t1", "parent": "f"},
        {"id": "t2", "parent": "f", "status": "closed"},
        {"id": "u", "dependencies": [{"id": "t1", "kind": "depends_on"}]},
    ]))
}

fn ids(answer: &GraphAnswer) -> Vec<&str> {
    answer.nodes.iter().map(|node| node.id.as_str()).collect()
}

fn paths(answer: &GraphAnswer) -> Vec<String> {
    answer.paths.iter().flatten().map(|path| path.join(" ")).collect()
}

fn edges(answer: &GraphAnswer) -> Vec<String> {
    let listed = answer.edges.iter().flatten();
    listed
        .map(|edge| format!("{} {} {} {}", edge.from, edge.kind, edge.to, edge.reason.unwrap_or("-")))
        .collect()
}

fn metric(answer: &GraphAnswer, name: &str) -> u64 {
    answer.metrics.as_ref().unwrap()[name].as_u64().unwrap()
}

fn ask(graph: &Graph, question: Question, id: &str) -> GraphAnswer {
    graph.ask(&GraphQuery::new(question).about(id)).unwrap()
}

#[test]
fn names_lead_back_to_questions_and_directions() {
    for question in Question::ALL {
        assert_eq!(Question::parse(question.name()), Some(question));
    }
    for direction in Direction::ALL {
        assert_eq!(Direction::parse(direction.name()), Some(direction));
    }
    assert_eq!(Question::parse("other"), None);
}

#[test]
fn the_family_is_listed_nearest_first() {
    let graph = family();
    let above = ask(&graph, Question::Ancestors, "t1");
    assert_eq!(ids(&above), ["f", "e"]);
    assert_eq!(above.nodes[1].depth, Some(2));
    assert_eq!(edges(&above), ["f parent e -", "t1 parent f -"]);
    let below = ask(&graph, Question::Descendants, "e");
    assert_eq!(ids(&below), ["f", "t1", "t2"]);
    assert_eq!((metric(&below, "total"), metric(&below, "open")), (3, 2));
    assert!(below.cost.visited > 0 && below.cost.inspected > 0);
}

#[test]
fn depth_and_limit_bound_an_answer_and_only_the_limit_counts_as_a_cut() {
    let graph = family();
    let mut query = GraphQuery::new(Question::Descendants).about("e");
    query.max_depth = Some(1);
    let shallow = graph.ask(&query).unwrap();
    assert_eq!((ids(&shallow), shallow.truncated), (vec!["f"], false));
    query.max_depth = None;
    query.limit = 2;
    let cut = graph.ask(&query).unwrap();
    assert_eq!((ids(&cut), cut.truncated), (vec!["f", "t1"], true));
    assert_eq!(metric(&cut, "total"), 3);
}

#[test]
fn the_order_of_work_is_followed_both_ways_and_through_rings() {
    let graph = ordered(&[("a", &["b"]), ("b", &["c"]), ("c", &["a", "d"]), ("d", &[])]);
    assert_eq!(ids(&ask(&graph, Question::Predecessors, "a")), ["b", "c", "d"]);
    assert_eq!(ids(&ask(&graph, Question::Successors, "d")), ["c", "b", "a"]);
    assert_eq!(ids(&ask(&graph, Question::Successors, "a")), ["c", "b"]);
}

#[test]
fn impact_passes_to_what_waits_and_up_to_what_contains() {
    assert_eq!(ids(&ask(&family(), Question::Impact, "t1")), ["f", "u", "e"]);
}

#[test]
fn kinds_replace_the_ones_of_the_question() {
    let graph = graph(json!([
        {"id": "a", "parent": "p", "dependencies": [{"id": "b", "kind": "implements"}]}, {"id": "b"}, {"id": "p"},
    ]));
    let mut query = GraphQuery::new(Question::Ancestors).about("a");
    query.kinds = vec![Relation::Implements];
    assert_eq!(ids(&graph.ask(&query).unwrap()), ["b"]);
}

#[test]
fn paths_come_shortest_first_and_never_cross_themselves() {
    let graph = ordered(&[("a", &["b", "c"]), ("b", &["d"]), ("c", &["b", "d", "a"]), ("d", &[])]);
    let mut query = GraphQuery::new(Question::Paths).about("a").to("d");
    query.direction = Some(Direction::Out);
    let all = graph.ask(&query).unwrap();
    assert_eq!(paths(&all), ["a b d", "a c d", "a c b d"]);
    assert_eq!(metric(&all, "shortest"), 2);
    query.limit = 1;
    let first = graph.ask(&query).unwrap();
    assert_eq!((paths(&first), first.truncated), (vec!["a b d".to_owned()], true));
    query.limit = 9;
    query.max_depth = Some(2);
    assert_eq!(paths(&graph.ask(&query).unwrap()), ["a b d", "a c d"]);
    query.direction = Some(Direction::In);
    assert!(paths(&graph.ask(&query).unwrap()).is_empty());
}

#[test]
fn a_path_to_itself_is_the_item_alone() {
    let graph = ordered(&[("a", &["b"]), ("b", &["a"])]);
    assert_eq!(paths(&graph.ask(&GraphQuery::new(Question::Paths).about("a").to("a")).unwrap()), ["a"]);
}

#[test]
fn rings_are_found_once_each_with_their_shortest_form() {
    let graph = graph(json!([
        {"id": "a", "dependencies": [{"id": "b", "kind": "blocked_by"}]},
        {"id": "b", "dependencies": [{"id": "c", "kind": "blocked_by"}, {"id": "a", "kind": "blocked_by"}]},
        {"id": "c", "dependencies": [{"id": "a", "kind": "blocked_by"}]},
        {"id": "s", "dependencies": [{"id": "s", "kind": "blocks"}]},
        {"id": "x", "parent": "y"}, {"id": "y", "parent": "x"},
        {"id": "z", "parent": "x", "dependencies": [{"id": "a", "kind": "blocked_by"}]},
    ]));
    let answer = graph.ask(&GraphQuery::new(Question::Cycles)).unwrap();
    assert_eq!(paths(&answer), ["x y x", "a b a", "s s"]);
    assert_eq!((metric(&answer, "hierarchy"), metric(&answer, "ordering")), (1, 2));
    assert_eq!(paths(&ask(&graph, Question::Cycles, "c")), ["c a b c"]);
    assert!(paths(&ask(&graph, Question::Cycles, "z")).is_empty());
}

#[test]
fn a_very_long_chain_needs_no_deep_stack() {
    let length = 50_000;
    let list: Vec<Value> = (0..length)
        .map(|number| json!({"id": format!("n{number:05}"), "blocked_by": format!("n{:05}", (number + 1) % length)}))
        .collect();
    let graph = graph(Value::Array(list));
    let answer = graph.ask(&GraphQuery::new(Question::Cycles)).unwrap();
    assert_eq!(answer.paths.unwrap()[0].len(), length + 1);
}

#[test]
fn the_critical_path_weighs_estimates_and_skips_finished_work_and_rings() {
    let graph = graph(json!([
        {"id": "a", "estimated_minutes": 10},
        {"id": "b", "estimated_minutes": 500, "status": "closed"},
        {"id": "c", "dependencies": [{"id": "a", "kind": "blocked_by"}, {"id": "b", "kind": "blocked_by"}]},
        {"id": "d", "estimated_minutes": 30, "dependencies": [{"id": "c", "kind": "blocked_by"}]},
        {"id": "e", "estimated_minutes": 90},
        {"id": "r1", "blocked_by": "r2"}, {"id": "r2", "blocked_by": "r1"}, {"id": "after", "blocked_by": "r1"},
    ]));
    let answer = graph.ask(&GraphQuery::new(Question::CriticalPath)).unwrap();
    assert_eq!(paths(&answer), ["a c d"]);
    assert_eq!((metric(&answer, "minutes"), metric(&answer, "items")), (100, 3));
    assert_eq!((metric(&answer, "unestimated"), metric(&answer, "left_out_by_cycles")), (1, 3));
    assert_eq!(paths(&ask(&graph, Question::CriticalPath, "c")), ["a c"]);
    assert!(paths(&ask(&graph, Question::CriticalPath, "b")).is_empty());
}

#[test]
fn the_middle_of_a_chain_is_most_central() {
    let graph =
        ordered(&[("a", &["b"]), ("b", &["c"]), ("c", &["d"]), ("d", &["e"]), ("e", &[]), ("z", &[])]);
    let answer = graph.ask(&GraphQuery::new(Question::Centrality)).unwrap();
    assert_eq!(ids(&answer), ["c", "b", "d", "a", "e"]);
    let scores: Vec<_> = answer.nodes.iter().map(|node| node.score.unwrap()).collect();
    assert_eq!(scores, [4.0, 3.0, 3.0, 0.0, 0.0]);
    assert_eq!(answer.nodes[0].degree, Some(2));
}

#[test]
fn edges_that_repeat_others_are_redundant() {
    let graph = graph(json!([
        {"id": "a", "blocked_by": "b", "dependencies": [
            {"id": "b", "kind": "blocked_by"}, {"id": "c", "kind": "blocked_by"}, {"id": "d", "kind": "related"}]},
        {"id": "b", "dependencies": [{"id": "c", "kind": "blocked_by"}]},
        {"id": "c"}, {"id": "d", "dependencies": [{"id": "a", "kind": "related_to"}]},
    ]));
    let answer = graph.ask(&GraphQuery::new(Question::Redundancy)).unwrap();
    assert_eq!(
        edges(&answer),
        ["a blocked_by b declared_twice", "a blocked_by c implied", "d related a declared_twice"]
    );
}

#[test]
fn the_audit_names_what_cannot_be_right() {
    let graph = graph(json!([
        {"id": "a", "parent": "p", "dependencies": [
            {"id": "gone", "kind": "related"}, {"id": "p", "kind": "blocked_by"}, {"id": "q", "kind": "child_of"}]},
        {"id": "p"}, {"id": "q", "blocked_by": "q"}, {"id": "lonely"},
    ]));
    let answer = graph.ask(&GraphQuery::new(Question::Audit)).unwrap();
    assert_eq!(
        edges(&answer),
        [
            "a related gone dangling",
            "a blocked_by p waits_for_ancestor",
            "a parent p several_parents",
            "a parent q several_parents",
            "q blocked_by q self",
        ]
    );
    assert_eq!(ids(&answer), ["gone", "lonely"]);
    assert_eq!((metric(&answer, "missing"), metric(&answer, "alone"), metric(&answer, "items")), (1, 1, 4));
    assert_eq!(metric(&answer, "edges.parent"), 2);
    assert_eq!(paths(&answer), ["q q"]);
    let clean = ordered(&[("a", &["b"]), ("b", &[])]).ask(&GraphQuery::new(Question::Audit)).unwrap();
    assert!(clean.nodes.is_empty() && edges(&clean).is_empty() && paths(&clean).is_empty());
}

#[test]
fn every_question_stops_at_its_effort() {
    let many: Vec<String> = (0..40).map(|number| format!("n{number:02}")).collect();
    let blockers: Vec<&str> = many.iter().map(String::as_str).collect();
    let rows: Vec<(&str, &[&str])> = many.iter().map(|id| (id.as_str(), blockers.as_slice())).collect();
    let graph = ordered(&rows);
    for question in Question::ALL {
        let mut query = GraphQuery::new(question).about("n00").to("n39");
        query.kinds = vec![Relation::BlockedBy];
        query.effort = 5;
        if question == Question::Cycles {
            // About one item, the ring through itself is the first edge.
            query.id = None;
        }
        let answer = graph.ask(&query).unwrap();
        assert!(answer.cost.inspected <= 5, "{question:?}");
        assert!(answer.truncated, "{question:?}");
    }
}

#[test]
fn missing_arguments_and_items_are_named() {
    let graph = family();
    assert_eq!(
        graph.ask(&GraphQuery::new(Question::Impact)),
        Err(GraphQueryError::IdNeeded { question: "impact" })
    );
    assert_eq!(graph.ask(&GraphQuery::new(Question::Paths).about("e")), Err(GraphQueryError::TargetNeeded));
    assert_eq!(
        graph.ask(&GraphQuery::new(Question::Impact).about("none")),
        Err(GraphQueryError::UnknownItem { id: "none".to_owned() })
    );
}

#[test]
fn an_answer_has_the_shape_that_callers_see() {
    let mut query = GraphQuery::new(Question::Ancestors).about("f");
    query.limit = 1;
    assert_eq!(
        serde_json::to_value(family().ask(&query).unwrap()).unwrap(),
        json!({"query": "ancestors",
            "nodes": [{"id": "e", "title": "Untitled", "type": "Epic", "status": "open", "depth": 1}],
            "edges": [{"from": "f", "to": "e", "kind": "parent"}],
            "metrics": {"total": 1, "open": 1, "depth": 1},
            "cost": {"visited": 2, "inspected": 2}, "truncated": false})
    );
}
