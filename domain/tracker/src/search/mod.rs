//! Ranked full-text search over items: Okapi BM25 on an inverted index in memory.
//!
//! Decides what a token is, which parts of an item count and how hits are scored. It refuses to know where items
//! come from and when they change; the caller inserts and removes.

mod document;
mod field;
mod index;
mod score;
mod tokens;

pub use field::{FieldSet, SearchField};
pub use index::SearchIndex;
pub use score::{B, Hit, ID_LIFT, K1, QUERY_TERMS_MAX, TITLE_LIFT};
pub use tokens::{TOKEN_CHARS_MAX, each_token, tokens};
