//! Schemas with any keyword, by the jsonschema crate.

use std::thread;

use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_ports::driven::{CompileError, CompiledSchema};
use serde_json::Value;

use crate::{compiled::JsonSchema, message::bounded};

/// Stack for one compilation. The compiler recurses along references; the gate's bounds keep it
/// well below this, and a small caller's stack must not matter.
const STACK: usize = 16 << 20;

/// Memory that one compiled pattern may take, in bytes, for its program and again for its cache.
const PATTERN_MEMORY: usize = 1 << 20;

/// Compiles a schema in a thread with room enough.
pub(crate) fn compile(schema: &CheckedSchema) -> Result<Box<dyn CompiledSchema>, CompileError> {
    let validator = thread::scope(|scope| {
        let spawned = thread::Builder::new()
            .name("schema-compiler".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || build(schema.as_value()));
        match spawned.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(built)) => built,
            Ok(Err(_panic)) => Err(CompileError { message: "the schema compiler gave up".into() }),
            Err(error) => {
                let message = format!("no thread could be started to compile the schema: {error}");
                Err(CompileError { message })
            }
        }
    })?;
    Ok(Box::new(JsonSchema::new(validator, schema)))
}

fn build(schema: &Value) -> Result<Validator, CompileError> {
    let patterns = PatternOptions::regex().size_limit(PATTERN_MEMORY).dfa_size_limit(PATTERN_MEMORY);
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .with_pattern_options(patterns)
        .build(schema)
        .map_err(|error| compile_error(&error))
}

fn compile_error(error: &ValidationError<'_>) -> CompileError {
    let pointer = bounded(error.instance_path());
    let reason = bounded(error.masked_with("the value"));
    CompileError { message: format!("not a usable JSON Schema 2020-12 at `{pointer}`: {reason}") }
}
