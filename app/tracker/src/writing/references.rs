//! Names that rows of a batch give to what they make.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::failure::Failure;

/// What stands before the name of another row.
const MARK: char = '@';

/// The members of options that name an item.
const NAMING: [&str; 9] = [
    "id",
    "parent",
    "duplicateOf",
    "blocked_by",
    "dependencies",
    "addDependencies",
    "removeDependencies",
    "set",
    "fields",
];

/// The id that a text stands for: itself, or that of the row it names.
pub(super) fn resolved(text: &str, names: &BTreeMap<String, String>) -> Result<String, Failure> {
    let Some(name) = text.trim().strip_prefix(MARK) else { return Ok(text.to_owned()) };
    names.get(name).cloned().ok_or_else(|| {
        Failure::argument("mutations", format!("`{text}` names no row before it; known are {}", list(names)))
    })
}

/// Puts ids in place of names wherever options name an item.
pub(super) fn resolve(options: &mut Value, names: &BTreeMap<String, String>) -> Result<(), Failure> {
    match options {
        Value::Object(members) => {
            for (_, value) in members.iter_mut().filter(|(key, _)| NAMING.contains(&key.as_str())) {
                resolve(value, names)?;
            }
        }
        Value::Array(list) => {
            for value in list {
                resolve(value, names)?;
            }
        }
        Value::String(text) => *text = resolved(text, names)?,
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn list(names: &BTreeMap<String, String>) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.keys().map(|name| format!("{MARK}{name}")).collect::<Vec<_>>().join(", ")
}
