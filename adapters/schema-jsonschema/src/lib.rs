//! JSON Schema 2020-12 validation for tool arguments and results, by the jsonschema crate.
//!
//! [`JsonSchemaChecker`] compiles schemas that passed the domain's gate. What it promises beyond
//! the port:
//!
//! - Nothing is fetched, from no network and no file.
//! - Patterns are matched in linear time. Look-around and back-references cannot be, so a schema
//!   that uses them does not compile; no pattern is ever skipped.
//! - Patterns are read as ECMA-262 means them with its `u` flag: `\d` is `0` to `9` and `\w` is
//!   ASCII, while `\p{L}` is any letter of Unicode. They match anywhere unless anchored.
//! - `format`, `contentEncoding` and `contentMediaType` are annotations, as 2020-12 has it.
//! - A schema of plain keywords and simple patterns alone is checked by a small form of its own, with the same answers: it
//!   starts at once and is checked in a fraction of a microsecond. The feature `jsonschema`, on by default, is for all others.
//!   A server whose schemas are all plain does without the crate, and its program is smaller by more than a third.
//! - Messages name what would fit and are bounded in length; of the instance they repeat no more
//!   than the names of unknown properties.

mod checker;
#[cfg(feature = "jsonschema")]
mod compiled;
#[cfg(feature = "jsonschema")]
mod depth;
#[cfg(feature = "jsonschema")]
mod errors;
mod message;
mod plain;
#[cfg(feature = "jsonschema")]
mod whole;

pub use checker::JsonSchemaChecker;
pub use message::LONGEST_MESSAGE;
