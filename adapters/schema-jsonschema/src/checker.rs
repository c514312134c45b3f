//! Compilation.

use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_ports::driven::{CompileError, CompiledSchema, SchemaChecker};

#[cfg(not(feature = "jsonschema"))]
use crate::message::bounded;
use crate::plain::{NotPlain, PlainSchema};
#[cfg(feature = "jsonschema")]
use crate::whole;

/// Compiles schemas of 2020-12, offline, with linear patterns.
///
/// A schema of plain keywords takes some microseconds. One with others, such as `if`, or with a pattern that is not simple,
/// takes some ten to a hundred and a thread of its own; do it once per schema, not per request. Without the feature
/// `jsonschema` such a schema does not compile, and the error names the keyword.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonSchemaChecker;

impl JsonSchemaChecker {
    /// A checker.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl SchemaChecker for JsonSchemaChecker {
    fn compile(&self, schema: &CheckedSchema) -> Result<Box<dyn CompiledSchema>, CompileError> {
        match PlainSchema::of(schema) {
            Ok(plain) => Ok(Box::new(plain)),
            Err(reason) => other(schema, &reason),
        }
    }
}

#[cfg(feature = "jsonschema")]
fn other(schema: &CheckedSchema, _: &NotPlain) -> Result<Box<dyn CompiledSchema>, CompileError> {
    whole::compile(schema)
}

#[cfg(not(feature = "jsonschema"))]
fn other(_: &CheckedSchema, reason: &NotPlain) -> Result<Box<dyn CompiledSchema>, CompileError> {
    let message = bounded(format_args!("{reason}; the feature `jsonschema` checks such schemas"));
    Err(CompileError { message })
}
