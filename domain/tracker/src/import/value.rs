//! JSON objects of a text, each with its place.

use serde_json::{Map, Value};

use super::draft::DraftFault;

/// An object and where it stands.
pub(super) type Placed = (usize, Map<String, Value>);

/// The objects of a JSON array, or of lines with one object each.
pub(super) fn objects(text: &str) -> (Vec<Placed>, Vec<DraftFault>) {
    let mut found = Vec::new();
    let mut faults = Vec::new();
    let mut take = |place: usize, value: Value| match value {
        Value::Object(members) => found.push((place, members)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            faults.push(DraftFault { place, detail: "is no JSON object".to_owned() });
        }
    };
    if text.trim_start().starts_with('[') {
        match serde_json::from_str::<Vec<Value>>(text) {
            Ok(list) => list.into_iter().enumerate().for_each(|(at, value)| take(at + 1, value)),
            Err(error) => {
                let place = error.line();
                return (Vec::new(), vec![DraftFault { place, detail: format!("is no JSON: {error}") }]);
            }
        }
        return (found, faults);
    }
    // One object over several lines is what people paste.
    if let Ok(Value::Object(members)) = serde_json::from_str(text) {
        return (vec![(1, members)], Vec::new());
    }
    let mut unreadable = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(value) => take(at + 1, value),
            Err(error) => {
                unreadable.push(DraftFault { place: at + 1, detail: format!("is no JSON: {error}") });
            }
        }
    }
    faults.extend(unreadable);
    faults.sort_by_key(|fault| fault.place);
    (found, faults)
}

/// A text member without blanks around it; empty and absent ones are none.
pub(super) fn text(members: &Map<String, Value>, key: &str) -> Option<String> {
    let text = members.get(key)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The texts of a list.
pub(super) fn texts(members: &Map<String, Value>, key: &str) -> Vec<String> {
    let list = members.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}
