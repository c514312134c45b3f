//! A document whose hash is kept cheap to renew.
//!
//! Most entries touch a few of an item's fields, and the normal form of a field depends on that field alone. So the
//! canonical text of every field is kept, and an entry renews only what it touched; what remains per entry is one
//! pass of the digest.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{patch::Touched, replay::Replay};
use crate::{
    canonical::{canonical_hash, compare_keys, finish, write_canonical, write_string},
    item::Item,
    normal::{Dialect, Rules, normal_body},
    schema::Statuses,
};

/// The hash of no item, or of a deleted one.
pub(crate) const EMPTY_HASH: &str = "3cc22dff72be7b14824654a7a64ea62b04799939b2fee54c1b5f52ca60bf6df0";

#[derive(Debug)]
struct Field {
    key: String,
    /// Canonical `"key":value` by dialect; an inner `None` means that normal form drops the field.
    text: [Option<Option<String>>; 4],
}

/// The canonical parts of one document, renewed where something changed.
#[derive(Debug, Default)]
pub(crate) struct HashDocument {
    fields: Vec<Field>,
    body: Option<String>,
    everything_is_stale: bool,
}

impl HashDocument {
    pub(crate) fn of_item(item: &Item) -> ItemDocument<'_> {
        ItemDocument { item }
    }

    /// Notes that a part of the document changed.
    pub(super) fn forget(&mut self, touched: &Touched) {
        match touched {
            Touched::Everything => self.everything_is_stale = true,
            Touched::Body => self.body = None,
            Touched::Metadata(key) => match self.place(key) {
                Ok(at) => {
                    if let Some(field) = self.fields.get_mut(at) {
                        field.text = Default::default();
                    }
                }
                Err(at) => self.fields.insert(at, Field { key: key.clone(), text: Default::default() }),
            },
        }
    }

    /// The hash of the replayed document, which must be the one whose changes were noted.
    pub(super) fn hash(&mut self, replayed: &Replay, statuses: &Statuses, dialect: Dialect) -> String {
        let no_metadata = Map::new();
        let metadata = replayed.metadata().unwrap_or(&no_metadata);
        self.hash_of(metadata, replayed.body(), statuses, dialect)
    }

    /// The hash of a document, none of whose parts were hashed before.
    pub(crate) fn hash_of(
        &mut self,
        metadata: &Map<String, Value>,
        body: &str,
        statuses: &Statuses,
        dialect: Dialect,
    ) -> String {
        if metadata.is_empty() && normal_body(body).is_empty() {
            return EMPTY_HASH.to_owned();
        }
        if !metadata.get("tags").is_some_and(Value::is_array) {
            let fallback = [
                ("body".to_owned(), Value::String(body.to_owned())),
                ("metadata".to_owned(), Value::Object(metadata.clone())),
                ("replay_fallback".to_owned(), Value::Bool(true)),
            ];
            return canonical_hash(&Value::Object(fallback.into_iter().collect()));
        }
        if core::mem::take(&mut self.everything_is_stale) {
            self.fields.clear();
            self.body = None;
        }
        if self.fields.is_empty() {
            self.fields =
                metadata.keys().map(|key| Field { key: key.clone(), text: Default::default() }).collect();
            self.fields.sort_unstable_by(|a, b| compare_keys(&a.key, &b.key));
        }
        self.renew(metadata, statuses, dialect);
        let body = self.body.get_or_insert_with(|| {
            let mut text = String::with_capacity(body.len() + 16);
            write_string(&mut text, normal_body(body));
            text
        });
        let mut hasher = Sha256::new();
        hasher.update(b"{\"body\":");
        hasher.update(body.as_bytes());
        hasher.update(b",\"front_matter\":{");
        let texts = self
            .fields
            .iter()
            .filter_map(|field| field.text.get(slot(&field.key, dialect))?.as_ref()?.as_ref());
        for (at, text) in texts.enumerate() {
            if at > 0 {
                hasher.update(b",");
            }
            hasher.update(text.as_bytes());
        }
        hasher.update(b"}}");
        finish(hasher)
    }

    fn renew(&mut self, metadata: &Map<String, Value>, statuses: &Statuses, dialect: Dialect) {
        let rules = Rules { statuses, dialect };
        for field in &mut self.fields {
            let at = slot(&field.key, dialect);
            let Some(text) = field.text.get_mut(at).filter(|text| text.is_none()) else { continue };
            let normal = metadata.get(&field.key).and_then(|value| rules.normal(&field.key, value));
            *text = Some(normal.map(|value| {
                let mut out = String::new();
                write_string(&mut out, &field.key);
                out.push(':');
                write_canonical(&mut out, &value);
                out
            }));
        }
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.fields.binary_search_by(|field| compare_keys(&field.key, key))
    }
}

/// Fields that all dialects read alike share one slot.
fn slot(key: &str, dialect: Dialect) -> usize {
    if Rules::depends_on_dialect(key) { dialect.index() } else { 0 }
}

/// The document of an item's file.
pub(crate) struct ItemDocument<'a> {
    item: &'a Item,
}

impl ItemDocument<'_> {
    pub(crate) fn hash(&self, statuses: &Statuses, dialect: Dialect) -> String {
        HashDocument::default().hash_of(self.item.metadata(), self.item.body(), statuses, dialect)
    }
}
