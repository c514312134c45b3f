//! Normal form of a whole item.

use serde_json::{Map, Value};

use super::{
    dialect::Dialect,
    field::{Rules, is_js_blank},
    keys::TOP_LEVEL_KEYS,
};
use crate::{collation::collate, history::HashDocument, item::Item, schema::Statuses};

/// The body without leading line feeds and trailing white space.
#[must_use]
pub fn normal_body(body: &str) -> &str {
    body.trim_start_matches('\n').trim_end_matches(is_js_blank)
}

/// The metadata in normal form, keys in file order: known ones as the format lists them, then unknown ones in
/// collation order.
#[must_use]
pub fn normal_metadata(
    metadata: &Map<String, Value>,
    statuses: &Statuses,
    dialect: Dialect,
) -> Map<String, Value> {
    let rules = Rules { statuses, dialect };
    let mut out = Map::with_capacity(metadata.len());
    let mut unknown: Vec<&String> =
        metadata.keys().filter(|key| !TOP_LEVEL_KEYS.contains(&key.as_str())).collect();
    unknown.sort_by(|a, b| collate(a, b));
    for key in TOP_LEVEL_KEYS.into_iter().chain(unknown.into_iter().map(String::as_str)) {
        if let Some(value) = metadata.get(key).and_then(|value| rules.normal(key, value)) {
            out.insert(key.to_owned(), value);
        }
    }
    out
}

/// The normal form of an item as its file carries it: metadata in order, then `body`.
#[must_use]
pub fn normal_form(item: &Item, statuses: &Statuses, dialect: Dialect) -> Map<String, Value> {
    let mut out = normal_metadata(item.metadata(), statuses, dialect);
    out.insert("body".to_owned(), Value::String(normal_body(item.body()).to_owned()));
    out
}

/// The hash of an item in one dialect.
#[must_use]
pub fn item_hash(item: &Item, statuses: &Statuses, dialect: Dialect) -> String {
    HashDocument::of_item(item).hash(statuses, dialect)
}
