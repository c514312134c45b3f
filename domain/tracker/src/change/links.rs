//! Linked files and documents.

use serde_json::{Map, Value};

use super::{Decision, Document, LinkKind, Next, Refusal};
use crate::Item;

/// Forward slashes, relative, inside the repository.
fn inside(path: &str) -> Result<String, Refusal> {
    let path = path.trim().replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let mut depth = 0_i32;
    for segment in path.split('/') {
        match segment {
            ".." => depth -= 1,
            "" | "." => {}
            _ => depth += 1,
        }
        if depth < 0 {
            return Err(Refusal::field("path", "must stay inside the repository"));
        }
    }
    let absolute = path.starts_with('/') || path.get(1..2) == Some(":");
    if path.is_empty() || absolute || path.chars().any(char::is_control) {
        return Err(Refusal::field("path", "must be relative to the repository and not empty"));
    }
    Ok(path.to_owned())
}

fn names(record: &Value, path: &str) -> bool {
    record.get("path").and_then(Value::as_str).is_some_and(|known| known.replace('\\', "/") == path)
}

pub(super) fn add(item: &Item, list: LinkKind, path: &str, note: Option<&str>) -> Result<Decision, Refusal> {
    let path = inside(path)?;
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    let mut after = Document::of(item);
    let mut links = after.list(list.field());
    let known = links.iter_mut().find(|record| names(record, &path)).and_then(Value::as_object_mut);
    let mut warning = None;
    match known {
        Some(record) => {
            warning = Some(format!("already_linked: `{path}` was linked already"));
            if let Some(note) = note {
                record.insert("note".to_owned(), note.into());
            }
        }
        None => {
            let mut record = Map::new();
            record.insert("path".to_owned(), path.into());
            record.insert("scope".to_owned(), "project".into());
            if let Some(note) = note {
                record.insert("note".to_owned(), note.into());
            }
            links.push(Value::Object(record));
        }
    }
    after.set_list(list.field(), links);
    Ok(Decision::new(list.ops().0, Next::Document(after)).warned(warning))
}

pub(super) fn remove(item: &Item, list: LinkKind, path: &str) -> Result<Decision, Refusal> {
    let wanted = path.trim().replace('\\', "/");
    let wanted = wanted.strip_prefix("./").unwrap_or(&wanted);
    let mut after = Document::of(item);
    let mut links = after.list(list.field());
    let count = links.len();
    links.retain(|record| !names(record, wanted));
    if links.len() == count {
        return Err(Refusal::field("path", format!("`{wanted}` is not linked in `{}`", list.field())));
    }
    after.set_list(list.field(), links);
    Ok(Decision::new(list.ops().1, Next::Document(after)))
}
