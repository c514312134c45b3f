//! Metadata and body of an item that may be about to exist, or no longer does.

use serde_json::{Map, Value};

use crate::{
    history::HashDocument,
    item::{Item, ItemError},
    normal::{Dialect, normal_body, normal_metadata},
    schema::Statuses,
};

/// Metadata and body. The empty document stands for no item.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "an item has exactly these two parts")]
pub struct Document {
    /// The metadata, in file order.
    pub metadata: Map<String, Value>,
    /// The body.
    pub body: String,
}

impl Document {
    /// The document of an item.
    #[must_use]
    pub fn of(item: &Item) -> Self {
        Self { metadata: item.metadata().clone(), body: item.body().to_owned() }
    }

    /// The document as an item.
    ///
    /// # Errors
    /// [`ItemError`] if it lacks what every item has.
    pub fn into_item(self) -> Result<Item, ItemError> {
        Item::new(self.metadata, self.body)
    }

    /// The same in normal form.
    #[must_use]
    pub fn normal(&self, statuses: &Statuses, dialect: Dialect) -> Self {
        Self {
            metadata: normal_metadata(&self.metadata, statuses, dialect),
            body: normal_body(&self.body).to_owned(),
        }
    }

    /// The hash of the normal form in one dialect.
    #[must_use]
    pub fn hash(&self, statuses: &Statuses, dialect: Dialect) -> String {
        HashDocument::default().hash_of(&self.metadata, &self.body, statuses, dialect)
    }

    /// The top-level fields that differ from another document's, `body` among them, in the order of this one's keys
    /// and then of those that are gone. `updated_at` follows from every change and is not named.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> Vec<String> {
        let mut changed: Vec<String> = self
            .metadata
            .iter()
            .filter(|(key, value)| before.metadata.get(*key) != Some(value))
            .map(|(key, _)| key.clone())
            .collect();
        changed.extend(before.metadata.keys().filter(|key| !self.metadata.contains_key(*key)).cloned());
        changed.retain(|key| key != "updated_at");
        if self.body != before.body {
            changed.push("body".to_owned());
        }
        changed
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.metadata.insert(key.to_owned(), value.into());
    }

    pub(super) fn unset(&mut self, key: &str) {
        self.metadata.shift_remove(key);
    }

    /// A copy of the list under a key; empty if there is none.
    pub(super) fn list(&self, key: &str) -> Vec<Value> {
        self.metadata.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
    }

    /// Puts a list back; an empty one is taken out.
    pub(super) fn set_list(&mut self, key: &str, list: Vec<Value>) {
        if list.is_empty() { self.unset(key) } else { self.set(key, list) }
    }
}
