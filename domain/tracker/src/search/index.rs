//! The inverted index.
//!
//! Built once and then kept up to date one item at a time. It knows texts and ids, not items: what counts as the
//! body or the results of an item is decided in `document`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::field::{FieldSet, SearchField};
use super::tokens::each_token;

/// Which item a term occurs in, how often and where. Eight bytes, as a large workspace has a million of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) slot: u32,
    pub(super) occurrences: u16,
    pub(super) fields: FieldSet,
}

#[derive(Debug)]
struct Term {
    text: Arc<str>,
    postings: Vec<Posting>,
}

/// What the index remembers of one item: enough to score it and to take it out again.
#[derive(Debug)]
pub(super) struct Indexed {
    pub(super) id: Box<str>,
    /// Number of tokens, the id's not counted.
    pub(super) length: u32,
    terms: Box<[u32]>,
}

/// An inverted index over items, in memory only.
///
/// Two indexes that hold the same items answer every query alike, bit for bit, whatever was inserted, replaced and
/// removed on the way.
#[derive(Debug, Default)]
pub struct SearchIndex {
    terms: Vec<Term>,
    by_text: BTreeMap<Arc<str>, u32>,
    free_terms: Vec<u32>,
    slots: Vec<Option<Indexed>>,
    by_id: BTreeMap<Box<str>, u32>,
    free_slots: Vec<u32>,
    total_length: u64,
}

impl SearchIndex {
    /// An index without items.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of items held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether no item is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Number of different terms.
    #[must_use]
    pub fn term_count(&self) -> usize {
        self.by_text.len()
    }

    /// Whether an item with this id is held.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// The ids held, in byte order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.by_id.keys().map(AsRef::as_ref)
    }

    /// Puts an item in; an earlier one with the same id is replaced.
    ///
    /// `texts` may name a field several times. The id is indexed by itself and need not be among them.
    pub fn insert<'t>(&mut self, id: &str, texts: impl IntoIterator<Item = (SearchField, &'t str)>) {
        self.remove(id);
        let Some(slot) = self.vacant_slot() else { return };
        let gathered = Gathered::from(id, texts);
        let mut terms = Vec::with_capacity(gathered.terms.len());
        for (text, occurrences, fields) in gathered.terms() {
            let Some(term) = self.term_for(text) else { continue };
            self.post(term, Posting { slot, occurrences, fields });
            terms.push(term);
        }
        self.total_length = self.total_length.saturating_add(u64::from(gathered.length));
        self.by_id.insert(id.into(), slot);
        let indexed = Indexed { id: id.into(), length: gathered.length, terms: terms.into_boxed_slice() };
        if let Some(cell) = self.slots.get_mut(slot_position(slot)) {
            *cell = Some(indexed);
        }
    }

    /// Takes an item out. Returns whether it was there.
    pub fn remove(&mut self, id: &str) -> bool {
        let Some(slot) = self.by_id.remove(id) else { return false };
        let Some(indexed) = self.slots.get_mut(slot_position(slot)).and_then(Option::take) else {
            return false;
        };
        for term in indexed.terms {
            self.unpost(term, slot);
        }
        self.total_length = self.total_length.saturating_sub(u64::from(indexed.length));
        self.free_slots.push(slot);
        true
    }

    /// Gives back memory that building left over.
    pub fn shrink(&mut self) {
        for term in &mut self.terms {
            term.postings.shrink_to_fit();
        }
        self.terms.shrink_to_fit();
        self.slots.shrink_to_fit();
    }

    pub(super) fn postings(&self, text: &str) -> &[Posting] {
        self.by_text
            .get(text)
            .and_then(|term| self.terms.get(slot_position(*term)))
            .map_or(&[], |term| term.postings.as_slice())
    }

    pub(super) fn indexed(&self, position: usize) -> Option<&Indexed> {
        self.slots.get(position).and_then(Option::as_ref)
    }

    pub(super) fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Mean number of tokens an item; one for an index without text, so that it may be divided by.
    pub(super) fn mean_length(&self) -> f64 {
        if self.total_length == 0 { 1.0 } else { self.total_length as f64 / self.len() as f64 }
    }

    fn vacant_slot(&mut self) -> Option<u32> {
        if let Some(slot) = self.free_slots.pop() {
            return Some(slot);
        }
        let slot = u32::try_from(self.slots.len()).ok()?;
        self.slots.push(None);
        Some(slot)
    }

    fn term_for(&mut self, text: &str) -> Option<u32> {
        if let Some(term) = self.by_text.get(text) {
            return Some(*term);
        }
        let shared: Arc<str> = text.into();
        let entry = Term { text: Arc::clone(&shared), postings: Vec::new() };
        let term = match self.free_terms.pop() {
            Some(term) => {
                *self.terms.get_mut(slot_position(term))? = entry;
                term
            }
            None => {
                let term = u32::try_from(self.terms.len()).ok()?;
                self.terms.push(entry);
                term
            }
        };
        self.by_text.insert(shared, term);
        Some(term)
    }

    fn post(&mut self, term: u32, posting: Posting) {
        let Some(term) = self.terms.get_mut(slot_position(term)) else { return };
        let at = term.postings.partition_point(|known| known.slot < posting.slot);
        term.postings.insert(at, posting);
    }

    fn unpost(&mut self, number: u32, slot: u32) {
        let Some(term) = self.terms.get_mut(slot_position(number)) else { return };
        if let Ok(at) = term.postings.binary_search_by_key(&slot, |posting| posting.slot) {
            term.postings.remove(at);
        }
        if term.postings.is_empty() {
            term.postings = Vec::new();
            self.by_text.remove(&term.text);
            self.free_terms.push(number);
        }
    }
}

/// A slot or term number as a position. Numbers are made from positions, so the conversion cannot fail on a
/// platform that held them; a position past every table is the harmless answer elsewhere.
pub(super) fn slot_position(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The terms of one item, counted. Token texts lie behind each other in one buffer: an item of 400 KB has tens of
/// thousands, and one allocation each would dominate the time of a rebuild.
struct Gathered {
    buffer: String,
    terms: Vec<(core::ops::Range<usize>, u16, FieldSet)>,
    length: u32,
}

impl Gathered {
    fn from<'t>(id: &str, texts: impl IntoIterator<Item = (SearchField, &'t str)>) -> Self {
        let mut buffer = String::new();
        let mut found: Vec<(core::ops::Range<usize>, SearchField)> = Vec::new();
        for (field, text) in texts.into_iter().filter(|(field, _)| *field != SearchField::Id) {
            gather(&mut buffer, &mut found, field, text);
        }
        let length = u32::try_from(found.len()).unwrap_or(u32::MAX);
        gather(&mut buffer, &mut found, SearchField::Id, token_of(id));
        found.sort_unstable_by(|left, right| text_at(&buffer, &left.0).cmp(text_at(&buffer, &right.0)));

        let mut terms: Vec<(core::ops::Range<usize>, u16, FieldSet)> = Vec::new();
        for (range, field) in found {
            let counted = u16::from(field != SearchField::Id);
            match terms.last_mut() {
                Some((last, occurrences, fields)) if text_at(&buffer, last) == text_at(&buffer, &range) => {
                    *occurrences = occurrences.saturating_add(counted);
                    fields.insert(field);
                }
                Some(_) | None => {
                    let mut fields = FieldSet::default();
                    fields.insert(field);
                    terms.push((range, counted, fields));
                }
            }
        }
        Self { buffer, terms, length }
    }

    fn terms(&self) -> impl Iterator<Item = (&str, u16, FieldSet)> {
        self.terms
            .iter()
            .map(|(range, occurrences, fields)| (text_at(&self.buffer, range), *occurrences, *fields))
    }
}

/// The part of an id that is its own: prefixes end in `-`, and tokens have none. A prefix as a term would match every
/// item.
fn token_of(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(_, token)| token)
}

fn gather(
    buffer: &mut String,
    found: &mut Vec<(core::ops::Range<usize>, SearchField)>,
    field: SearchField,
    text: &str,
) {
    each_token(text, |token| {
        let start = buffer.len();
        buffer.push_str(token);
        found.push((start..buffer.len(), field));
    });
}

fn text_at<'b>(buffer: &'b str, range: &core::ops::Range<usize>) -> &'b str {
    buffer.get(range.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(entries: &[(&str, &str)]) -> SearchIndex {
        let mut index = SearchIndex::new();
        for (id, body) in entries {
            index.insert(id, [(SearchField::Body, *body)]);
        }
        index
    }

    #[test]
    fn the_last_item_with_a_term_takes_the_term_along() {
        let mut index = index(&[("a-1", "apple pear"), ("a-2", "pear")]);
        assert_eq!(index.term_count(), 4);
        assert!(index.remove("a-1"));
        assert_eq!(index.postings("apple").len(), 0);
        assert_eq!(index.postings("pear").len(), 1);
        assert_eq!(index.term_count(), 2);
        assert!(!index.remove("a-1"));
    }

    #[test]
    fn inserting_again_replaces() {
        let mut index = index(&[("a-1", "apple apple")]);
        index.insert("a-1", [(SearchField::Body, "pear")]);
        assert_eq!(index.len(), 1);
        assert!(index.postings("apple").is_empty());
        assert_eq!(index.mean_length().to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn the_id_is_found_without_its_prefix_and_not_counted() {
        let index = index(&[("a-k3x9", "apple")]);
        let posting = index.postings("k3x9")[0];
        assert_eq!(posting.occurrences, 0);
        assert!(posting.fields.contains(SearchField::Id));
        assert!(index.postings("a").is_empty());
        assert_eq!(index.indexed(0).map(|indexed| indexed.length), Some(1));
    }

    #[test]
    fn freed_places_are_used_again() {
        let mut index = index(&[("a-1", "apple"), ("a-2", "pear")]);
        for round in 0..50 {
            index.remove("a-1");
            index.insert("a-1", [(SearchField::Body, format!("word{round}").as_str())]);
        }
        assert_eq!(index.slot_count(), 2);
        assert!(index.terms.len() <= 8, "{} term places", index.terms.len());
    }
}
