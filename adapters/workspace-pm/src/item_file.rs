//! From the bytes of an item file to an item, or to the reason why not.

use pm_tracker_domain::Item;
use pm_tracker_ports::{FileForm, UnreadableReason};
use serde_json::Value;

use crate::toon;

/// Largest item file that is read. Real ones reach 400 KB.
pub(crate) const MAX_ITEM_BYTES: u64 = 16 << 20;

/// Reads an item from the bytes of the file that is named after `id`.
pub(crate) fn read_item(bytes: &[u8], id: &str, form: FileForm) -> Result<Item, UnreadableReason> {
    let text = str::from_utf8(bytes).map_err(|error| malformed(format!("not UTF-8: {error}")))?;
    let marks: &[&str] = match form {
        FileForm::Toon => &MERGE_MARKS,
        // A row of `=` underlines a heading in Markdown.
        FileForm::Markdown => &["<<<<<<<", ">>>>>>>"],
    };
    if let Some(line) = first_line_with(text, marks) {
        return Err(UnreadableReason::MergeConflict { line });
    }
    let value = match form {
        FileForm::Toon => decode_toon(text)?,
        FileForm::Markdown => decode_markdown(text)?,
    };
    let item = Item::from_file_value(value)
        .map_err(|error| UnreadableReason::NotAnItem { detail: error.to_string() })?;
    if item.id() == id { Ok(item) } else { Err(UnreadableReason::NameDiffers { id: item.id().to_owned() }) }
}

fn malformed(detail: String) -> UnreadableReason {
    UnreadableReason::Malformed { detail }
}

const MERGE_MARKS: [&str; 3] = ["<<<<<<<", "=======", ">>>>>>>"];

/// The first line, from 1, that starts after blanks with seven `<`, `=` or `>`.
pub(crate) fn merge_mark(text: &str) -> Option<usize> {
    first_line_with(text, &MERGE_MARKS)
}

fn first_line_with(text: &str, marks: &[&str]) -> Option<usize> {
    let marked = |line: &str| marks.iter().any(|mark| line.trim_start().starts_with(mark));
    text.lines().position(marked).map(|at| at + 1)
}

fn decode_toon(text: &str) -> Result<Value, UnreadableReason> {
    let value = toon::decode(text).map_err(|error| malformed(error.to_string()))?;
    // The body is always written, and last: without it the file ends too early.
    if value.as_object().is_some_and(|object| !object.contains_key("body")) {
        return Err(malformed("the file ends before its `body`".to_owned()));
    }
    Ok(value)
}

/// The old form: a JSON object, a blank line, the body.
fn decode_markdown(text: &str) -> Result<Value, UnreadableReason> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut value = match values.next() {
        Some(Ok(value)) => value,
        Some(Err(error)) => return Err(malformed(format!("the JSON at the start: {error}"))),
        None => return Err(malformed("the file is empty".to_owned())),
    };
    let rest = text.get(values.byte_offset()..).unwrap_or_default();
    let Some(object) = value.as_object_mut() else { return Ok(value) };
    let body = rest.trim_start_matches(['\r', '\n']).trim_end();
    object.insert("body".to_owned(), Value::String(body.to_owned()));
    Ok(value)
}
