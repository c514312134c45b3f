//! Okapi BM25 over the index.

use std::cmp::Ordering;

use super::field::{FieldSet, SearchField};
use super::index::{SearchIndex, slot_position};
use super::tokens::each_token;

/// Saturation of repeated terms.
pub const K1: f64 = 1.2;
/// Weight of the item's length.
pub const B: f64 = 0.75;
/// What a hit in the title adds, in multiples of the term's rarity. A saturated term in the text is worth at most
/// `K1 + 1`, so one title hit weighs about as much as a text that speaks of nothing else.
pub const TITLE_LIFT: f64 = 2.0;
/// What a hit in the id adds, in multiples of the term's rarity: above all that title and text can give together,
/// so that a query for an id puts that item first.
pub const ID_LIFT: f64 = 5.0;
/// Most different terms of one query that are looked up; further ones are ignored.
pub const QUERY_TERMS_MAX: usize = 64;

/// One item that matches a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The item's id.
    pub id: String,
    /// BM25 with lifts; above zero, without an upper bound, comparable within one answer only.
    pub score: f64,
    /// Where any term of the query was found.
    pub matched: FieldSet,
}

impl SearchIndex {
    /// All items in which at least one term of `query` occurs, best first; `tie` orders equal scores and should be
    /// the ranking order.
    ///
    /// A query without letters or digits has no hits.
    #[must_use]
    pub fn search(&self, query: &str, mut tie: impl FnMut(&str, &str) -> Ordering) -> Vec<Hit> {
        let mut hits = self.hits(query);
        hits.sort_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then_with(|| tie(&left.id, &right.id))
                .then_with(|| left.id.cmp(&right.id))
        });
        hits
    }

    /// As [`search`](Self::search), in no promised order.
    fn hits(&self, query: &str) -> Vec<Hit> {
        let mut scores: Vec<(f64, FieldSet)> = vec![(0.0, FieldSet::default()); self.slot_count()];
        let mean_length = self.mean_length();
        for term in query_terms(query) {
            let postings = self.postings(&term);
            let rarity = rarity(self.len(), postings.len());
            for posting in postings {
                let position = slot_position(posting.slot);
                let (Some(indexed), Some((score, matched))) =
                    (self.indexed(position), scores.get_mut(position))
                else {
                    continue;
                };
                let weight =
                    saturation(posting.occurrences, indexed.length, mean_length) + lift(posting.fields);
                *score += rarity * weight;
                matched.extend(posting.fields);
            }
        }
        scores
            .into_iter()
            .enumerate()
            .filter(|(_, (_, matched))| *matched != FieldSet::default())
            .filter_map(|(position, (score, matched))| {
                self.indexed(position).map(|indexed| Hit { id: indexed.id.to_string(), score, matched })
            })
            .collect()
    }
}

/// The different terms of a query, sorted. The order fixes the order of additions and with it the last bit of a
/// score.
fn query_terms(query: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    each_token(query, |token| {
        if terms.len() < QUERY_TERMS_MAX && !terms.iter().any(|known| known == token) {
            terms.push(token.to_owned());
        }
    });
    terms.sort_unstable();
    terms
}

/// Inverse document frequency, in the form that stays above zero for terms that most items have.
fn rarity(items: usize, items_with_term: usize) -> f64 {
    let items = items as f64;
    let with_term = items_with_term as f64;
    ((items - with_term + 0.5) / (with_term + 0.5)).ln_1p()
}

fn saturation(occurrences: u16, length: u32, mean_length: f64) -> f64 {
    let occurrences = f64::from(occurrences);
    let relative_length = 1.0 - B + B * f64::from(length) / mean_length;
    occurrences * (K1 + 1.0) / (occurrences + K1 * relative_length)
}

fn lift(fields: FieldSet) -> f64 {
    let title = if fields.contains(SearchField::Title) { TITLE_LIFT } else { 0.0 };
    let id = if fields.contains(SearchField::Id) { ID_LIFT } else { 0.0 };
    title + id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fruit() -> SearchIndex {
        let mut index = SearchIndex::new();
        index.insert("a-1", [(SearchField::Body, "apple apple pear")]);
        index.insert("a-2", [(SearchField::Body, "apple plum fig kiwi lime")]);
        index.insert("a-3", [(SearchField::Body, "fig")]);
        index
    }

    fn by_id(left: &str, right: &str) -> Ordering {
        left.cmp(right)
    }

    fn close(seen: f64, wanted: f64) -> bool {
        (seen - wanted).abs() < 1e-9
    }

    /// Three items of 3, 5 and 1 tokens, mean length 3. `apple` is in two: rarity ln(1 + 1.5 / 2.5) = 0.470003629.
    /// First item: 2 occurrences, relative length 1, so 2 * 2.2 / 3.2 = 1.375. Second: 1 occurrence, relative length
    /// 0.25 + 0.75 * 5 / 3 = 1.5, so 2.2 / 2.8 = 0.785714286.
    #[test]
    fn scores_agree_with_a_sum_done_by_hand() {
        let hits = fruit().search("Apple", by_id);
        assert_eq!(hits.iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>(), ["a-1", "a-2"]);
        let rarity = 1.6_f64.ln();
        assert!(close(rarity, 0.470_003_629_245_735_6));
        assert!(close(hits[0].score, 0.646_254_990_212_886_4), "{}", hits[0].score);
        assert!(close(hits[1].score, 0.369_288_565_835_935_1), "{}", hits[1].score);
    }

    #[test]
    fn terms_add_up_and_repeats_in_the_query_do_not() {
        let index = fruit();
        let both = index.search("apple fig apple", by_id);
        let apple = index.search("apple", by_id);
        let fig = index.search("fig", by_id);
        let score =
            |hits: &[Hit], id: &str| hits.iter().find(|hit| hit.id == id).map_or(0.0, |hit| hit.score);
        assert!(close(score(&both, "a-2"), score(&apple, "a-2") + score(&fig, "a-2")));
    }

    #[test]
    fn a_title_hit_beats_a_text_full_of_the_word() {
        let mut index = SearchIndex::new();
        index.insert("a-1", [(SearchField::Body, "lock lock lock lock lock lock")]);
        index.insert(
            "a-2",
            [(SearchField::Title, "Stale lock"), (SearchField::Body, "and much other text here")],
        );
        let hits = index.search("lock", by_id);
        assert_eq!(hits[0].id, "a-2");
        assert_eq!(hits[0].matched.iter().map(SearchField::name).collect::<Vec<_>>(), ["title"]);
    }

    #[test]
    fn an_id_beats_titles_that_name_it() {
        let mut index = SearchIndex::new();
        index.insert("demo-aaaa", [(SearchField::Title, "k3x9"), (SearchField::Body, "k3x9 k3x9 k3x9")]);
        index.insert("demo-k3x9", [(SearchField::Title, "Something else")]);
        index.insert("demo-bbbb", [(SearchField::Title, "Nothing")]);
        assert_eq!(index.search("demo-K3X9", by_id)[0].id, "demo-k3x9");
    }

    #[test]
    fn equal_scores_follow_the_given_order() {
        let mut index = SearchIndex::new();
        for id in ["a-1", "a-2", "a-3"] {
            index.insert(id, [(SearchField::Body, "same")]);
        }
        let hits = index.search("same", |left, right| right.cmp(left));
        assert_eq!(hits.iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>(), ["a-3", "a-2", "a-1"]);
    }

    #[test]
    fn nothing_to_look_for_finds_nothing() {
        assert!(fruit().search("?!", by_id).is_empty());
        assert!(fruit().search("absent", by_id).is_empty());
        assert!(SearchIndex::new().search("apple", by_id).is_empty());
    }
}
