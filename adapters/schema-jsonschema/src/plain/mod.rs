//! Schemas of plain keywords, checked without the jsonschema crate.
//!
//! Most tools describe their arguments with types, properties, choices, bounds and simple patterns. Such a schema is read
//! into a small form here: it costs a microsecond to make, little memory to keep and a few comparisons a value to check. A
//! schema with any other keyword, or with a value that the meta-schema may not like, is left to the crate as a whole, so
//! that its meaning and its faults are told by one implementation. Answers and messages are those of the crate.

mod faults;
mod number;
mod pattern;
mod read;
mod rules;

pub(crate) use read::NotPlain;
pub(crate) use rules::PlainSchema;

#[cfg(test)]
#[cfg(feature = "jsonschema")]
mod pattern_tests;
#[cfg(test)]
#[cfg(feature = "jsonschema")]
mod tests;
