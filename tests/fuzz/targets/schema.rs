//! A schema of a tool, and a value against it. Whatever passes the bounds compiles and validates in no time.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_ports::driven::SchemaChecker;
use pm_mcp_schema_jsonschema::JsonSchemaChecker;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    let Some(Ok(schema)) = values.next() else { return };
    let instance = values.next().and_then(Result::ok).unwrap_or_else(|| schema.clone());
    let begun = Instant::now();
    if let Ok(checked) = CheckedSchema::new(&schema, &SchemaLimits::default()) {
        if let Ok(compiled) = JsonSchemaChecker::new().compile(&checked) {
            assert_eq!(compiled.is_valid(&instance), compiled.violations(&instance, 10).is_empty());
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?} for {schema}", begun.elapsed());
});
