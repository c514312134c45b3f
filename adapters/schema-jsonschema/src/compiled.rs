//! Validation.

use std::fmt;

use jsonschema::Validator;
use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_ports::driven::{CompiledSchema, SchemaViolation};
use serde_json::Value;

use crate::{depth::is_deeper, errors::violations_of};

/// A compiled schema and the text it came from, which knows the names of its properties.
pub(crate) struct JsonSchema {
    validator: Validator,
    schema: Value,
    deepest: Option<usize>,
}

impl JsonSchema {
    pub(crate) fn new(validator: Validator, schema: &CheckedSchema) -> Self {
        Self { validator, schema: schema.as_value().clone(), deepest: schema.instance_depth() }
    }

    /// How deep the instance may be, if it is deeper than a recursive schema can follow.
    fn passed_depth(&self, instance: &Value) -> Option<usize> {
        self.deepest.filter(|deepest| is_deeper(instance, *deepest))
    }
}

impl CompiledSchema for JsonSchema {
    fn is_valid(&self, instance: &Value) -> bool {
        self.passed_depth(instance).is_none() && self.validator.is_valid(instance)
    }

    fn violations(&self, instance: &Value, limit: usize) -> Vec<SchemaViolation> {
        if let Some(deepest) = self.passed_depth(instance) {
            let message = format!("nested deeper than {deepest} levels, which this recursive schema allows");
            let all = [SchemaViolation { pointer: String::new(), message }];
            return all.into_iter().take(limit).collect();
        }
        // Collecting errors costs far more than a yes, which is the usual answer.
        if self.validator.is_valid(instance) {
            return Vec::new();
        }
        let errors = self.validator.iter_errors(instance).take(limit);
        errors.flat_map(|error| violations_of(&error, &self.schema)).take(limit).collect()
    }
}

impl fmt::Debug for JsonSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonSchema").field("schema", &self.schema).finish_non_exhaustive()
    }
}
