//! The checker without the feature `jsonschema`: plain schemas compile, others are refused with what is not plain.
#![cfg(not(feature = "jsonschema"))]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_ports::driven::{CompileError, CompiledSchema, SchemaChecker};
use pm_mcp_schema_jsonschema::JsonSchemaChecker;
use serde_json::{Value, json};

fn compile(schema: &Value) -> Result<Box<dyn CompiledSchema>, CompileError> {
    let checked = CheckedSchema::new(schema, &SchemaLimits::default()).expect("the gate lets it through");
    JsonSchemaChecker::new().compile(&checked)
}

#[test]
fn plain_schemas_are_checked_without_the_crate() {
    let schema = json!({
        "type": "object",
        "properties": {"text": {"type": "string", "minLength": 2}},
        "required": ["text"],
        "additionalProperties": false,
    });
    let compiled = compile(&schema).unwrap();
    assert!(compiled.is_valid(&json!({"text": "ab"})));
    for wrong in [json!({"text": "a"}), json!({}), json!({"text": "ab", "more": 1}), json!([])] {
        assert!(!compiled.is_valid(&wrong), "{wrong}");
        assert!(!compiled.violations(&wrong, 8).is_empty(), "{wrong}");
    }
}

#[test]
fn a_schema_that_is_not_plain_is_refused_with_the_keyword_and_the_feature() {
    for (schema, names) in [
        (json!({"properties": {"a": {"pattern": "a"}}}), "`pattern`"),
        (json!({"if": {"type": "string"}, "then": {"minLength": 1}}), "`if`"),
        (json!({"$defs": {"a": {"uniqueItems": true}}, "$ref": "#/$defs/a"}), "`uniqueItems`"),
        (
            json!({"$defs": {"tree": {"items": {"$ref": "#/$defs/tree"}}}, "$ref": "#/$defs/tree"}),
            "refers to itself",
        ),
    ] {
        let error = compile(&schema).err().expect("it is not plain");
        assert!(error.message.contains(names), "{schema}: {}", error.message);
        assert!(error.message.contains("feature `jsonschema`"), "{}", error.message);
    }
}
