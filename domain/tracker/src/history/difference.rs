//! RFC 6902 operations from one document to another.

use serde_json::{Map, Value, json};

/// The operations that lead from one metadata and body to another. Only add, replace and remove are used.
///
/// Applied to exactly the first document they give exactly the second one; applying none means that both are equal.
#[must_use]
pub fn difference(before: (&Map<String, Value>, &str), after: (&Map<String, Value>, &str)) -> Vec<Value> {
    let mut patch = Vec::new();
    if before.1 != after.1 {
        patch.push(json!({"op": "replace", "path": "/body", "value": after.1}));
    }
    between_objects(&mut patch, "/metadata", before.0, after.0);
    patch
}

fn between_objects(
    patch: &mut Vec<Value>,
    place: &str,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) {
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        patch.push(json!({"op": "remove", "path": below(place, key)}));
    }
    for (key, value) in after {
        let place = below(place, key);
        match before.get(key) {
            Some(known) => between_values(patch, &place, known, value),
            None => patch.push(json!({"op": "add", "path": place, "value": value})),
        }
    }
}

fn between_values(patch: &mut Vec<Value>, place: &str, before: &Value, after: &Value) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => between_objects(patch, place, before, after),
        (Value::Array(before), Value::Array(after)) => between_lists(patch, place, before, after),
        (before, after) if before == after => {}
        (_, after) => patch.push(json!({"op": "replace", "path": place, "value": after})),
    }
}

/// Lists mostly grow at their end or lose one entry, so what is alike at both ends is left alone.
fn between_lists(patch: &mut Vec<Value>, place: &str, before: &[Value], after: &[Value]) {
    let head = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let (_, before) = before.split_at(head);
    let (_, after) = after.split_at(head);
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(old, new)| old == new).count();
    let (before, _) = before.split_at(before.len() - tail);
    let (after, _) = after.split_at(after.len() - tail);
    for (at, (old, new)) in before.iter().zip(after).enumerate() {
        between_values(patch, &format!("{place}/{}", head + at), old, new);
    }
    for at in (after.len()..before.len()).rev() {
        patch.push(json!({"op": "remove", "path": format!("{place}/{}", head + at)}));
    }
    for (at, new) in after.iter().enumerate().skip(before.len()) {
        patch.push(json!({"op": "add", "path": format!("{place}/{}", head + at), "value": new}));
    }
}

fn below(place: &str, key: &str) -> String {
    format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::history::{HistoryEntry, Replay};

    fn replayed(steps: &[(&Map<String, Value>, &str)]) -> Replay {
        let mut replay = Replay::new();
        for step in steps {
            let none = Map::new();
            let before = (replay.metadata().unwrap_or(&none).clone(), replay.body().to_owned());
            let patch = difference((&before.0, &before.1), *step);
            let entry = json!({"ts": "t", "author": "a", "op": "o", "patch": patch, "before_hash": "", "after_hash": ""});
            let Value::Object(members) = entry else { unreachable!("an object literal") };
            replay.apply(&HistoryEntry::new(members).unwrap()).unwrap();
        }
        replay
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-c/~]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[a-c/~]{0,2}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    fn metadata() -> impl Strategy<Value = Map<String, Value>> {
        prop::collection::btree_map("[a-c/~]{0,2}", value(), 0..5)
            .prop_map(|members| members.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_operations_lead_exactly_to_the_second_document(first in metadata(), second in metadata(), body in "[a-b\n]{0,3}") {
            let replay = replayed(&[(&first, "start"), (&second, &body)]);
            prop_assert_eq!(replay.metadata(), Some(&second));
            prop_assert_eq!(replay.body(), body);
        }
    }

    #[test]
    fn an_entry_more_in_a_list_is_one_operation() {
        let of = |list: Value| Map::from_iter([("notes".to_owned(), list)]);
        let (before, after) = (of(json!([{"a": 1}, {"a": 2}])), of(json!([{"a": 1}, {"a": 5}, {"a": 2}])));
        assert_eq!(
            difference((&before, ""), (&after, "")),
            [json!({"op": "add", "path": "/metadata/notes/1", "value": {"a": 5}})]
        );
        assert_eq!(
            difference((&after, ""), (&before, "")),
            [json!({"op": "remove", "path": "/metadata/notes/1"})]
        );
    }
}
