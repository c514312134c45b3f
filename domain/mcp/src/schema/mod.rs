//! Which JSON Schemas are safe to compile and to validate with.
//!
//! A schema is input: a host's own mistake or a peer's attack can hold a reference loop that
//! overflows the stack, or a few hundred bytes that expand to billions of steps. [`check_schema`]
//! answers before any compiler sees the schema, by one walk whose work is bounded by
//! [`SchemaLimits`]; [`CheckedSchema`] is a schema that passed. The module knows where JSON Schema
//! 2020-12 keeps subschemas and references; it does not validate instances and it fetches nothing.

mod checked;
mod excerpt;
mod fault;
mod graph;
mod keyword;
mod limits;
mod measure;
mod nearest;
mod outline;
mod reference;

pub use checked::{CheckedSchema, DIALECT, check_schema};
pub use fault::SchemaFault;
pub use limits::{SchemaBound, SchemaLimits};
pub use nearest::nearest_name;

pub(crate) use excerpt::excerpt;
pub(crate) use measure::measure;
pub(crate) use outline::{Outline, Step};
