//! JSON Schema validation.

use std::fmt::Debug;

use pm_mcp_domain::schema::CheckedSchema;
use serde_json::Value;
use thiserror::Error;

/// Compiles schemas that passed the domain's gate.
///
/// # Laws
///
/// - SC-01: compiling and validating fetch nothing, from no network and no file.
/// - SC-02: validating takes time in proportion to the instance, for every schema that compiled.
/// - SC-03: JSON Schema 2020-12 is meant, whatever else the implementation knows.
pub trait SchemaChecker: Debug + Send + Sync + 'static {
    /// Compiles a schema once, for many validations.
    ///
    /// # Errors
    ///
    /// [`CompileError`] when the schema is no valid JSON Schema 2020-12, or uses a pattern that cannot be matched
    /// in linear time.
    fn compile(&self, schema: &CheckedSchema) -> Result<Box<dyn CompiledSchema>, CompileError>;
}

/// A schema, ready to validate.
pub trait CompiledSchema: Debug + Send + Sync + 'static {
    /// Whether `instance` fits.
    fn is_valid(&self, instance: &Value) -> bool;

    /// What does not fit, `limit` violations at the most; empty exactly when the instance is valid.
    fn violations(&self, instance: &Value, limit: usize) -> Vec<SchemaViolation>;
}

/// One way in which an instance does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaViolation {
    /// JSON Pointer of the place; empty for the whole instance.
    pub pointer: String,
    /// What is wrong there and what would fit, of bounded length and without the instance's own text.
    pub message: String,
}

/// A schema that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct CompileError {
    /// What is wrong, and where.
    pub message: String,
}
