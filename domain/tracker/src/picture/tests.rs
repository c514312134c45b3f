//! What pictures show, by their text.

use serde_json::{Value, json};

use super::lines::{BOX, draw};
use super::sketch::PICTURE_NODES;
use super::{Picture, mermaid, svg};
use crate::graph::{Graph, GraphQuery, Question};
use crate::samples::items;
use crate::{Item, WorkspaceSchema};

fn picture(list: Value, query: &GraphQuery) -> Picture {
    let schema = WorkspaceSchema::default();
    let items: Vec<Item> = items(list);
    let graph = Graph::new(&items, schema.statuses());
    let answer = graph.ask(query).unwrap();
    Picture::new(&graph, &answer, query.id.as_deref(), &schema)
}

fn small() -> Value {
    json!([
        {"id": "a-1", "title": "First", "status": "closed"},
        {"id": "a-2", "title": "Second & <third>", "status": "in-progress", "blocked_by": "a-1"},
        {"id": "a-3", "title": "Last \"one\"; end", "blocked_by": "a-2", "dependencies": [
            {"id": "a-gone", "kind": "blocked_by"}, {"id": "a-1", "kind": "verifies"}]},
    ])
}

/// A tree with dependencies between its leaves, as epics have.
fn wide(count: usize) -> Value {
    let mut list = vec![json!({"id": "b-000", "title": "The epic of them all", "type": "Epic"})];
    for number in 1..count {
        let parent = format!("b-{:03}", if number <= 6 { 0 } else { number % 6 + 1 });
        let status = ["open", "in-progress", "blocked", "closed", "canceled", "draft"][number % 6];
        let mut item = json!({
            "id": format!("b-{number:03}"), "parent": parent, "status": status,
            "title": format!("Part {number} of the work with a title that is longer than a box is wide"),
        });
        if number % 7 == 0 {
            item["dependencies"] = json!([{"id": format!("b-{:03}", number - 3), "kind": "blocked_by"}]);
        }
        list.push(item);
    }
    Value::Array(list)
}

#[test]
fn no_text_of_an_item_is_markup() {
    let picture = picture(small(), &GraphQuery::new(Question::Predecessors).about("a-3"));
    let drawn = svg(&picture);
    assert!(drawn.contains("Second &amp; &lt;third&gt;"), "{drawn}");
    assert!(!drawn.contains("<third>"));
    let text = mermaid(&picture);
    assert!(text.contains("Last #34;one#34;#59; end"), "{text}");
    assert!(text.contains("Second #38; #60;third#62;"), "{text}");
}

#[test]
fn arrows_lead_from_what_comes_first_and_missing_items_are_shown() {
    let picture = picture(small(), &GraphQuery::new(Question::Predecessors).about("a-3"));
    let text = mermaid(&picture);
    assert!(text.starts_with("flowchart LR\n"), "{text}");
    let number = |id: &str| {
        let line = text.lines().find(|line| line.contains(&format!("[\"{id}"))).unwrap().trim().to_owned();
        line.split('[').next().unwrap().to_owned()
    };
    for (from, to) in [("a-1", "a-2"), ("a-2", "a-3"), ("a-gone", "a-3")] {
        assert!(text.contains(&format!("{} ==> {}", number(from), number(to))), "{from} {to}: {text}");
    }
    assert!(
        text.contains(":::missing") && text.contains(":::done") && text.contains(":::progress"),
        "{text}"
    );
}

#[test]
fn fifty_items_stand_apart_and_inside_the_picture() {
    for question in [
        GraphQuery { limit: 50, ..GraphQuery::new(Question::Descendants).about("b-000") },
        GraphQuery { limit: 50, ..GraphQuery::new(Question::Centrality) },
        GraphQuery { limit: 50, ..GraphQuery::new(Question::Impact).about("b-020") },
    ] {
        let picture = picture(wide(51), &question);
        let drawing = draw(&picture);
        let boxes = &drawing.boxes;
        for (at, (left, top)) in boxes.iter().enumerate() {
            assert!(*left >= 0.0 && *top >= 0.0 && left + BOX.0 <= drawing.width + 0.1, "{left} {top}");
            assert!(top + BOX.1 <= drawing.height + 0.1);
            for (other_left, other_top) in &boxes[..at] {
                let apart = (left - other_left).abs() >= BOX.0 || (top - other_top).abs() >= BOX.1;
                assert!(apart, "{:?} lies on another box", picture.shapes[at]);
            }
        }
        assert!(drawing.width <= 1_600.0, "{} wide", drawing.width);
        assert!(drawing.height <= 1_700.0, "{} tall", drawing.height);
    }
}

#[test]
fn the_leaves_of_a_broad_tree_stand_in_columns() {
    let mut list = vec![json!({"id": "d-0", "title": "Root", "type": "Epic"})];
    list.extend((1..50).map(|number| json!({"id": format!("d-{number}"), "title": "Leaf", "parent": "d-0"})));
    let query = GraphQuery { limit: 50, ..GraphQuery::new(Question::Descendants).about("d-0") };
    let picture = picture(Value::Array(list), &query);
    let drawing = draw(&picture);
    assert!(drawing.height <= 1_500.0 && drawing.width <= 1_500.0, "{} by {}", drawing.width, drawing.height);
    // No way to a leaf leads through a box on its way; it runs in the gaps.
    for (arrow, way) in picture.arrows.iter().zip(&drawing.ways) {
        for (x, y) in &way[1..way.len() - 1] {
            for (at, (left, top)) in drawing.boxes.iter().enumerate().filter(|(at, _)| *at != arrow.from) {
                let inside = *x > *left && *x < left + BOX.0 && *y > *top && *y < top + BOX.1;
                assert!(!inside, "the way to {} passes {at}", arrow.to);
            }
        }
        let (left, top) = drawing.boxes[arrow.to];
        assert_eq!(way.last(), Some(&(left, top + BOX.1 / 2.0)), "it ends at its box");
    }
}

#[test]
fn the_same_answer_gives_the_same_bytes() {
    let query = GraphQuery::new(Question::Descendants).about("b-000");
    assert_eq!(svg(&picture(wide(40), &query)), svg(&picture(wide(40), &query)));
}

#[test]
fn rings_self_references_and_emptiness_are_drawn() {
    let ring = json!([
        {"id": "c-1", "blocked_by": "c-2"}, {"id": "c-2", "blocked_by": "c-3"}, {"id": "c-3", "blocked_by": "c-1"},
        {"id": "c-4", "blocked_by": "c-4"},
    ]);
    let drawn = svg(&picture(ring, &GraphQuery::new(Question::Cycles)));
    assert_eq!(
        drawn.matches("marker-end=\"url(#head)\"").count(),
        4 + 1,
        "four arrows and the legend: {drawn}"
    );
    let nothing = picture(json!([{"id": "c-9"}]), &GraphQuery::new(Question::Cycles));
    assert!(nothing.is_empty());
    assert!(svg(&nothing).ends_with("</svg>\n"));
}

#[test]
fn what_does_not_fit_is_counted() {
    let query = GraphQuery { limit: 200, ..GraphQuery::new(Question::Descendants).about("b-000") };
    let picture = picture(wide(120), &query);
    assert_eq!(picture.shapes.len(), PICTURE_NODES);
    assert!(mermaid(&picture).contains("60 more are not shown"));
}
