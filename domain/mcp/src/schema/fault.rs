//! Why a schema is refused.

use alloc::string::String;

use super::{
    excerpt,
    limits::{SchemaBound, SchemaLimits},
};

/// Why a schema is refused before it is compiled.
///
/// Every variant says where: `pointer` is the JSON Pointer of the place in the schema, empty for
/// the root. Text taken from the schema is shortened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaFault {
    /// One of the [`SchemaLimits`] is exceeded.
    #[error("schema has more than {value} {bound} at `{pointer}`; make it smaller or raise the limit")]
    TooLarge {
        /// Which bound.
        bound: SchemaBound,
        /// Its value.
        value: usize,
        /// Where it was passed.
        pointer: String,
    },
    /// `$schema` names a dialect other than 2020-12.
    #[error(
        "schema dialect `{dialect}` at `{pointer}` is not supported; use {supported} or leave $schema out",
        supported = super::DIALECT
    )]
    UnsupportedDialect {
        /// The dialect asked for.
        dialect: String,
        /// Where it was asked for.
        pointer: String,
    },
    /// A keyword's value has a shape in which its subschemas cannot be found.
    #[error("`{pointer}` must be {expected}")]
    Malformed {
        /// The place of the value.
        pointer: String,
        /// The shape that the keyword needs.
        expected: &'static str,
    },
    /// A local reference leads nowhere.
    #[error("reference `{reference}` at `{pointer}` points at nothing in this schema")]
    DanglingReference {
        /// The reference as written.
        reference: String,
        /// The subschema that holds it.
        pointer: String,
    },
    /// A local reference leads to something that is not a subschema, such as data under `const`.
    #[error(
        "reference `{reference}` at `{pointer}` does not point at a subschema; move its target under $defs"
    )]
    NotASubschema {
        /// The reference as written.
        reference: String,
        /// The subschema that holds it.
        pointer: String,
    },
    /// A reference leads to another document. Nothing is ever fetched, so a schema with such a
    /// reference could not be enforced.
    #[error(
        "reference `{reference}` at `{pointer}` leads to another document, which is never fetched; copy its target under $defs"
    )]
    ExternalReference {
        /// The reference as written.
        reference: String,
        /// The subschema that holds it.
        pointer: String,
    },
    /// References lead back to a subschema without going down into the value, so that validation
    /// would never end.
    #[error("the references at `{pointer}` lead back to it without going down into a property or an item")]
    ReferenceLoop {
        /// A subschema on the loop.
        pointer: String,
    },
    /// A subschema carries its own `$id`, which would change what the references below it mean.
    #[error("`$id` at `{pointer}` is only allowed at the root of the schema")]
    EmbeddedIdentifier {
        /// The subschema that holds it.
        pointer: String,
    },
    /// Two subschemas carry the same anchor.
    #[error("anchor `{anchor}` at `{pointer}` is used twice")]
    DuplicateAnchor {
        /// The anchor.
        anchor: String,
        /// The second subschema that carries it.
        pointer: String,
    },
    /// The input schema of a tool does not say `"type": "object"` at its root.
    #[error("a tool's input schema must be an object with `\"type\": \"object\"` at its root")]
    RootNotObject,
}

impl SchemaFault {
    pub(super) fn too_large(bound: SchemaBound, limits: &SchemaLimits, pointer: &str) -> Self {
        Self::TooLarge { bound, value: bound.of(limits), pointer: excerpt(pointer) }
    }
}
