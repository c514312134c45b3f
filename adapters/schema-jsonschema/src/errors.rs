//! What an error of the crate means for whoever wrote the instance.

use jsonschema::{ValidationError, error::ValidationErrorKind};
use pm_mcp_ports::driven::SchemaViolation;
use serde_json::Value;

use crate::message::{
    MOST_UNKNOWN, bounded, missing_property, not_a_choice, nothing_allowed, unknown_property,
};

/// What `error` means for whoever wrote the instance.
pub(crate) fn violations_of(error: &ValidationError<'_>, schema: &Value) -> Vec<SchemaViolation> {
    let message = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            return unknown_properties(error, schema, unexpected);
        }
        // Where an object may hold no property at all, the crate shows the first member's value in place of the object, so
        // that its name cannot be told.
        ValidationErrorKind::FalseSchema => nothing_allowed(),
        ValidationErrorKind::Required { property } => match property.as_str() {
            Some(name) => missing_property(name),
            None => bounded(error.masked_with("the value")),
        },
        ValidationErrorKind::Enum { options } => not_a_choice(error.instance(), options),
        _ => bounded(error.masked_with("the value")),
    };
    vec![violation(error, message)]
}

fn violation(error: &ValidationError<'_>, message: String) -> SchemaViolation {
    SchemaViolation { pointer: bounded(error.instance_path()), message }
}

fn unknown_properties<'n>(
    error: &ValidationError<'_>,
    schema: &Value,
    names: impl IntoIterator<Item = &'n String>,
) -> Vec<SchemaViolation> {
    let known = known_properties(error, schema);
    let unknown = names.into_iter().take(MOST_UNKNOWN);
    unknown.map(|name| violation(error, unknown_property(name, &known))).collect()
}

/// The properties named beside the keyword that failed.
fn known_properties<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Vec<&'s str> {
    let keyword = error.schema_path().as_str();
    let holder = keyword.rsplit_once('/').and_then(|(holder, _)| schema.pointer(holder));
    let properties = holder.and_then(|holder| holder.get("properties")).and_then(Value::as_object);
    properties.map(|properties| properties.keys().map(String::as_str).collect()).unwrap_or_default()
}
