//! Depth of an instance.

use serde_json::Value;

/// Whether arrays and objects are nested more than `limit` deep in `instance`, counted without
/// recursion.
pub(crate) fn is_deeper(instance: &Value, limit: usize) -> bool {
    let mut waiting = vec![(instance, 0_usize)];
    while let Some((value, around)) = waiting.pop() {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            Value::Array(_) | Value::Object(_) if around == limit => return true,
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, around + 1))),
            Value::Object(members) => waiting.extend(members.values().map(|value| (value, around + 1))),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_deepest_branch_counts() {
        let instance = json!({"a": 1, "b": [[], {"c": [1]}], "d": {}});
        assert!(!is_deeper(&instance, 4));
        assert!(is_deeper(&instance, 3));
        assert!(!is_deeper(&json!(1), 0));
        assert!(is_deeper(&json!([]), 0));
    }
}
