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
}

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
    report: &mut dyn FnMut(Touched),
) -> Result<(), PatchError> {
    let malformed = || PatchError::Malformed { index };
    let text = |key: &str| operation.get(key).and_then(Value::as_str);
    let pointer = text("path").ok_or_else(malformed)?;
    let nothing = |pointer: &str| PatchError::NothingThere { index, pointer: pointer.to_owned() };
    let path = tokens(pointer).ok_or_else(malformed)?;
    let value = || operation.get("value").cloned().ok_or_else(malformed);
    let from = || {
        let from = text("from").ok_or_else(malformed)?;
        Ok((from, tokens(from).ok_or_else(malformed)?))
    };
    match text("op").ok_or_else(malformed)? {
        "add" => add(document, &path, value()?).ok_or_else(|| nothing(pointer))?,
        "replace" => *find(document, &path).ok_or_else(|| nothing(pointer))? = value()?,
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
            add(document, &path, moved).ok_or_else(|| nothing(pointer))?;
        }
        "copy" => {
            let (source, source_path) = from()?;
            let copied = find(document, &source_path).ok_or_else(|| nothing(source))?.clone();
            add(document, &path, copied).ok_or_else(|| nothing(pointer))?;
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
