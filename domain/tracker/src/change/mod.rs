//! Changes of items: what each kind of change makes of an item, and when it is refused.
//!
//! Decides the next document, its warnings and the name of the operation. It refuses to know locks, files and time:
//! whoever writes takes the item's lock, hands in what is there now, and writes what comes out.

#[cfg(test)]
mod chain_tests;
mod claim;
mod close;
mod create;
mod decide;
mod decision;
mod dependencies;
mod document;
mod duplicates;
mod edits;
mod field;
mod lifecycle;
mod links;
mod logs;
mod ownership;
mod refusal;
mod request;
mod secrets;
#[cfg(test)]
mod tests;
mod tests_list;
mod token;
mod world;

pub use decide::decide;
pub use decision::{Decision, Next, Present};
pub use document::Document;
pub use duplicates::{Likeness, likely_duplicates};
pub use field::{FieldShape, SETTABLE_FIELDS, field_shape};
pub use refusal::Refusal;
pub use request::{
    Change, ChangeRequest, Closing, Edge, FieldEdits, LinkKind, LogKind, NewItem, TestCommand,
};
pub use secrets::looks_secret;
pub use token::{derived_token, token_of};
pub use world::World;
