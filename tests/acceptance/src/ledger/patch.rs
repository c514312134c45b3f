//! RFC 6902 operations, as far as histories use them.

use serde_json::Value;

/// Applies the operations of one entry; the old name of the metadata means the new one.
///
/// # Errors
/// The operation that leads nowhere.
pub(super) fn apply(document: &mut Value, patch: &[Value]) -> Result<(), String> {
    for operation in patch {
        one(document, operation).ok_or_else(|| format!("cannot be applied: {operation}"))?;
    }
    Ok(())
}

fn one(document: &mut Value, operation: &Value) -> Option<()> {
    let path = steps(operation["path"].as_str()?);
    match operation["op"].as_str()? {
        "add" => add(document, &path, operation.get("value")?.clone()),
        "replace" => {
            *at(document, &path)? = operation.get("value")?.clone();
            Some(())
        }
        "remove" => take(document, &path).map(drop),
        "move" => {
            let value = take(document, &steps(operation["from"].as_str()?))?;
            add(document, &path, value)
        }
        "copy" => {
            let value = at(document, &steps(operation["from"].as_str()?))?.clone();
            add(document, &path, value)
        }
        "test" => (at(document, &path)? == operation.get("value")?).then_some(()),
        _ => None,
    }
}

fn steps(pointer: &str) -> Vec<String> {
    let mut steps: Vec<String> =
        pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    if steps.first().is_some_and(|first| first == "front_matter") {
        steps[0] = "metadata".to_owned();
    }
    steps
}

fn at<'d>(document: &'d mut Value, path: &[String]) -> Option<&'d mut Value> {
    path.iter().try_fold(document, |value, step| match value {
        Value::Object(members) => members.get_mut(step),
        Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

fn add(document: &mut Value, path: &[String], value: Value) -> Option<()> {
    let Some((last, before)) = path.split_last() else {
        *document = value;
        return Some(());
    };
    match at(document, before)? {
        Value::Object(members) => {
            members.insert(last.clone(), value);
        }
        Value::Array(list) => {
            let place = if last == "-" { list.len() } else { last.parse().ok()? };
            if place > list.len() {
                return None;
            }
            list.insert(place, value);
        }
        _ => return None,
    }
    Some(())
}

fn take(document: &mut Value, path: &[String]) -> Option<Value> {
    let (last, before) = path.split_last()?;
    match at(document, before)? {
        Value::Object(members) => members.remove(last),
        Value::Array(list) => {
            let place: usize = last.parse().ok()?;
            (place < list.len()).then(|| list.remove(place))
        }
        _ => None,
    }
}
