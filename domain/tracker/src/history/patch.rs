//! RFC 6902 operations on an item's document.

use serde_json::{Map, Value};
use thiserror::Error;

/// Why an operation cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatchError {
    /// The operation is not an object with a known `op` and the members that it needs.
    #[error("operation {index} of the patch is malformed")]
    Malformed {
        /// Which operation, from 0.
        index: usize,
    },
    /// A pointer leads nowhere.
    #[error("operation {index} of the patch points to `{pointer}`, which is not there")]
    NothingThere {
        /// Which operation, from 0.
        index: usize,
        /// The pointer.
        pointer: String,
    },
    /// A `test` operation found another value.
    #[error("operation {index} of the patch expected another value at `{pointer}`")]
    TestFailed {
        /// Which operation, from 0.
        index: usize,
        /// The pointer.
        pointer: String,
    },
    /// The document would become nested or repeated beyond what any item is, as only a hostile stream would have it.
    #[error("operation {index} of the patch would make the document too deep or too large")]
    OutOfBounds {
        /// Which operation, from 0.
        index: usize,
    },
}

/// How deep a document may become. Deeper ones could exhaust the stack of whoever walks them.
const MAX_DEPTH: usize = 256;

/// How many values the `copy` operations of one stream may make. Without a bound, each could double the document.
pub(super) const MAX_COPIED: usize = 1_000_000;

/// Which parts of a document a pointer reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Touched {
    Everything,
    Metadata(String),
    Body,
}

/// Splits a JSON pointer into unescaped tokens. The old name of the metadata member means the new one.
fn tokens(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let mut tokens: Vec<String> = pointer
        .strip_prefix('/')?
        .split('/')
        .map(|token| token.replace("~1", "/").replace("~0", "~"))
        .collect();
    if let Some(first) = tokens.first_mut().filter(|first| *first == "front_matter") {
        *first = "metadata".to_owned();
    }
    Some(tokens)
}

fn touched(tokens: &[String]) -> Touched {
    match (tokens.first().map(String::as_str), tokens.get(1)) {
        (Some("metadata"), Some(key)) => Touched::Metadata(key.clone()),
        (Some("body"), _) => Touched::Body,
        (_, _) => Touched::Everything,
    }
}

/// Applies one operation and reports the parts that it changed.
pub(super) fn apply(
    document: &mut Value,
    operation: &Value,
    index: usize,
    copies_left: &mut usize,
    report: &mut dyn FnMut(Touched),
) -> Result<(), PatchError> {
    let malformed = || PatchError::Malformed { index };
    let text = |key: &str| operation.get(key).and_then(Value::as_str);
    let pointer = text("path").ok_or_else(malformed)?;
    let nothing = |pointer: &str| PatchError::NothingThere { index, pointer: pointer.to_owned() };
    let path = tokens(pointer).ok_or_else(malformed)?;
    let value = || operation.get("value").cloned().ok_or_else(malformed);
    let bounded = |value: Value| {
        let fits = path.len() + depth(&value) <= MAX_DEPTH;
        if fits { Ok(value) } else { Err(PatchError::OutOfBounds { index }) }
    };
    let from = || {
        let from = text("from").ok_or_else(malformed)?;
        Ok((from, tokens(from).ok_or_else(malformed)?))
    };
    match text("op").ok_or_else(malformed)? {
        "add" => add(document, &path, bounded(value()?)?).ok_or_else(|| nothing(pointer))?,
        "replace" => *find(document, &path).ok_or_else(|| nothing(pointer))? = bounded(value()?)?,
        "remove" => {
            remove(document, &path).ok_or_else(|| nothing(pointer))?;
        }
        "move" => {
            let (source, source_path) = from()?;
            if path.len() > source_path.len() && path.starts_with(&source_path) {
                return Err(malformed());
            }
            report(touched(&source_path));
            let moved = remove(document, &source_path).ok_or_else(|| nothing(source))?;
            add(document, &path, bounded(moved)?).ok_or_else(|| nothing(pointer))?;
        }
        "copy" => {
            let (source, source_path) = from()?;
            let copied = find(document, &source_path).ok_or_else(|| nothing(source))?.clone();
            *copies_left = copies_left.checked_sub(size(&copied)).ok_or(PatchError::OutOfBounds { index })?;
            add(document, &path, bounded(copied)?).ok_or_else(|| nothing(pointer))?;
        }
        "test" => {
            let expected = value()?;
            let found = find(document, &path).ok_or_else(|| nothing(pointer))?;
            if !same(found, &expected) {
                return Err(PatchError::TestFailed { index, pointer: pointer.to_owned() });
            }
            return Ok(());
        }
        _ => return Err(malformed()),
    }
    report(touched(&path));
    Ok(())
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

/// The number of values in a value, long texts counted by their length.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        Value::String(text) => 1 + text.len() / 64,
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}

/// Equality of RFC 6902: numbers by value, objects without regard to order.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(p, q)| same(p, q)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, p)| y.get(key).is_some_and(|q| same(p, q)))
        }
        (_, _) => a == b,
    }
}

fn find<'a>(document: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(document, |at, token| match at {
        Value::Object(members) => members.get_mut(token),
        Value::Array(list) => list.get_mut(position(token)?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })
}

fn add(document: &mut Value, path: &[String], value: Value) -> Option<()> {
    let Some((last, parents)) = path.split_last() else {
        *document = value;
        return Some(());
    };
    match find(document, parents)? {
        Value::Object(members) => {
            members.insert(last.clone(), value);
        }
        Value::Array(list) if last == "-" => list.push(value),
        Value::Array(list) => {
            let at = position(last).filter(|at| *at <= list.len())?;
            list.insert(at, value);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    }
    Some(())
}

fn remove(document: &mut Value, path: &[String]) -> Option<Value> {
    let Some((last, parents)) = path.split_last() else {
        return Some(core::mem::replace(document, Value::Object(Map::new())));
    };
    match find(document, parents)? {
        Value::Object(members) => members.shift_remove(last),
        Value::Array(list) => {
            let at = position(last).filter(|at| *at < list.len())?;
            Some(list.remove(at))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// An array index: digits without leading zeros.
fn position(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with('0');
    (plain && token.bytes().all(|byte| byte.is_ascii_digit())).then(|| token.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn applied(document: Value, operations: &[Value]) -> Result<Value, PatchError> {
        let mut document = document;
        let mut copies_left = 1000;
        for (index, operation) in operations.iter().enumerate() {
            apply(&mut document, operation, index, &mut copies_left, &mut |_| {})?;
        }
        Ok(document)
    }

    #[test]
    fn operations_do_what_the_standard_says() {
        for (document, operation, expected) in [
            (json!({"a": 1}), json!({"op": "add", "path": "/b", "value": 2}), json!({"a": 1, "b": 2})),
            (json!({"a": 1}), json!({"op": "add", "path": "/a", "value": 2}), json!({"a": 2})),
            (json!({"a": [1]}), json!({"op": "add", "path": "/a/-", "value": 2}), json!({"a": [1, 2]})),
            (json!({"a": [1]}), json!({"op": "add", "path": "/a/0", "value": 2}), json!({"a": [2, 1]})),
            (json!({"a": [1]}), json!({"op": "add", "path": "/a/1", "value": 2}), json!({"a": [1, 2]})),
            (json!({"m~n": {"x/y": 1}}), json!({"op": "remove", "path": "/m~0n/x~1y"}), json!({"m~n": {}})),
            (json!({"~1": 0}), json!({"op": "replace", "path": "/~01", "value": 5}), json!({"~1": 5})),
            (
                json!({"a": {"b": 1}, "c": {}}),
                json!({"op": "move", "from": "/a/b", "path": "/c/d"}),
                json!({"a": {}, "c": {"d": 1}}),
            ),
            (
                json!({"a": [1, 2]}),
                json!({"op": "copy", "from": "/a/1", "path": "/a/0"}),
                json!({"a": [2, 1, 2]}),
            ),
            (json!({"": 1}), json!({"op": "replace", "path": "/", "value": 2}), json!({"": 2})),
            (
                json!({"metadata": {"a": 1}}),
                json!({"op": "remove", "path": "/front_matter/a"}),
                json!({"metadata": {}}),
            ),
            (
                json!({"a": {"x": 1, "y": 2.0}}),
                json!({"op": "test", "path": "/a", "value": {"y": 2, "x": 1}}),
                json!({"a": {"x": 1, "y": 2.0}}),
            ),
        ] {
            assert_eq!(applied(document, core::slice::from_ref(&operation)), Ok(expected), "{operation}");
        }
    }

    #[test]
    fn operations_that_lead_nowhere_are_refused() {
        for operation in [
            json!({"op": "add", "path": "/x/y", "value": 1}),
            json!({"op": "add", "path": "/a/3", "value": 1}),
            json!({"op": "add", "path": "/a/00", "value": 1}),
            json!({"op": "add", "path": "/a/+1", "value": 1}),
            json!({"op": "remove", "path": "/a/-"}),
            json!({"op": "replace", "path": "/x", "value": 1}),
            json!({"op": "move", "from": "/x", "path": "/a/0"}),
            json!({"op": "test", "path": "/a", "value": [2, 1]}),
            json!({"op": "move", "from": "/a", "path": "/a/0"}),
            json!({"op": "add", "path": "a", "value": 1}),
            json!({"op": "add", "path": "/a"}),
            json!({"op": "invent", "path": "/a"}),
            json!("add"),
        ] {
            assert!(applied(json!({"a": [1, 2]}), core::slice::from_ref(&operation)).is_err(), "{operation}");
        }
    }

    #[test]
    fn a_stream_cannot_blow_the_document_up() {
        let deeper: Vec<Value> =
            (0..300).map(|n| json!({"op": "add", "path": "/a".repeat(n + 1), "value": {}})).collect();
        assert!(matches!(applied(json!({}), &deeper), Err(PatchError::OutOfBounds { .. })));
        let double = json!({"op": "copy", "from": "/a", "path": "/a/-"});
        let doubling: Vec<Value> = core::iter::repeat_n(double, 64).collect();
        assert!(matches!(applied(json!({"a": [1]}), &doubling), Err(PatchError::OutOfBounds { .. })));
    }
}
