//! Comments, notes and learnings.

use serde_json::{Value, json};

use super::{ChangeRequest, Decision, Document, LogKind, Next, Present, Refusal};
use crate::Item;

fn written(text: &str) -> Result<&str, Refusal> {
    let text = text.trim();
    if text.is_empty() { Err(Refusal::field("text", "must not be empty")) } else { Ok(text) }
}

pub(super) fn add(
    item: &Item,
    log: LogKind,
    text: &str,
    request: &ChangeRequest,
    present: &Present<'_>,
) -> Result<Decision, Refusal> {
    let text = written(text)?;
    let mut after = Document::of(item);
    let mut list = after.list(log.field());
    list.push(json!({"created_at": present.now.to_string(), "author": request.by.author, "text": text}));
    after.set_list(log.field(), list);
    Ok(Decision::new(log.ops().0, Next::Document(after)))
}

pub(super) fn edit(
    item: &Item,
    log: LogKind,
    index: usize,
    text: &str,
    present: &Present<'_>,
) -> Result<Decision, Refusal> {
    let text = written(text)?;
    let mut after = Document::of(item);
    let mut list = after.list(log.field());
    let count = list.len();
    let entry = index.checked_sub(1).and_then(|at| list.get_mut(at)).and_then(Value::as_object_mut);
    let Some(entry) = entry else {
        return Err(Refusal::field("index", format!("there is no entry {index}; the log has {count}")));
    };
    if entry.get("text").and_then(Value::as_str) != Some(text) {
        entry.insert("text".to_owned(), text.into());
        entry.insert("edited_at".to_owned(), present.now.to_string().into());
    }
    after.set_list(log.field(), list);
    Ok(Decision::new(log.ops().1, Next::Document(after)))
}
