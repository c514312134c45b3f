//! Normal form: the one shape of an item that is written and hashed.
//!
//! Decides trimming, order and what is dropped. It refuses to know files and histories. Reading an item and bringing
//! it into normal form alters nothing else, so fields that this server does not know survive.

mod dialect;
mod field;
mod form;
mod keys;
mod order;
mod records;

pub use dialect::Dialect;
pub(crate) use field::Rules;
pub use form::{item_hash, normal_body, normal_form, normal_metadata};
pub use keys::TOP_LEVEL_KEYS;
