//! The gate itself and the schema that passed it.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    fault::SchemaFault,
    graph::{Graph, Reach},
    limits::SchemaLimits,
    measure,
    outline::Outline,
    reference::resolve,
};

/// The identifier of the one dialect that is spoken, which is also the default (specification:
/// basic, "JSON Schema Usage").
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Subschemas that a validator may have open on its stack at one time. Validators recurse once
/// for each; an overflow would end the process.
const OPEN_SUBSCHEMAS: usize = 1_000;

/// Says whether `schema` may be compiled: JSON Schema 2020-12 with an object or boolean root, no
/// reference out of the document, no reference loop, everything within `limits`.
///
/// The work is linear in the size of the schema and ends at the first bound passed. Keywords that
/// hold data (`const`, `enum`, `default`, `examples`) are not looked into. That the keywords have
/// the types which the meta-schema wants is left to the compiler, as far as no subschema is
/// hidden by it.
///
/// # Errors
///
/// The first [`SchemaFault`] found.
pub fn check_schema(schema: &Value, limits: &SchemaLimits) -> Result<(), SchemaFault> {
    reach(schema, limits).map(|_| ())
}

fn reach(schema: &Value, limits: &SchemaLimits) -> Result<Reach, SchemaFault> {
    measure(schema, limits)?;
    let outline = Outline::of(schema, limits)?;
    let references = resolve(&outline)?;
    Graph::new(&outline, &references).check(limits)
}

/// A schema that passed [`check_schema`], owned so that nobody can change it afterwards.
///
/// ```
/// use pm_mcp_domain::schema::{CheckedSchema, SchemaFault, SchemaLimits};
/// use serde_json::json;
///
/// let limits = SchemaLimits::default();
/// let schema = json!({"type": "object", "properties": {"title": {"type": "string"}}});
/// assert_eq!(CheckedSchema::of_tool_input(&schema, &limits)?.as_value(), &schema);
///
/// let looping = json!({"$ref": "#"});
/// assert!(matches!(
///     CheckedSchema::new(&looping, &limits),
///     Err(SchemaFault::ReferenceLoop { .. })
/// ));
/// # Ok::<(), SchemaFault>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedSchema {
    value: Value,
    instance_depth: Option<usize>,
}

impl Serialize for CheckedSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_value().serialize(serializer)
    }
}

impl CheckedSchema {
    /// Checks `schema` and keeps a copy of it.
    ///
    /// # Errors
    ///
    /// What [`check_schema`] refuses.
    pub fn new(schema: &Value, limits: &SchemaLimits) -> Result<Self, SchemaFault> {
        let reach = reach(schema, limits)?;
        Ok(Self { value: schema.clone(), instance_depth: instance_depth(&reach) })
    }

    /// Checks `schema` and keeps it, without a copy.
    ///
    /// # Errors
    ///
    /// What [`check_schema`] refuses.
    pub fn from_value(schema: Value, limits: &SchemaLimits) -> Result<Self, SchemaFault> {
        let reach = reach(&schema, limits)?;
        Ok(Self { value: schema, instance_depth: instance_depth(&reach) })
    }

    /// Checks the input schema of a tool, whose root must say `"type": "object"` (specification:
    /// server/tools, "Tool").
    ///
    /// # Errors
    ///
    /// [`SchemaFault::RootNotObject`], or what [`check_schema`] refuses.
    pub fn of_tool_input(schema: &Value, limits: &SchemaLimits) -> Result<Self, SchemaFault> {
        Self::new(schema, limits)?.with_object_root()
    }

    /// Checks the input schema of a tool, as [`of_tool_input`](Self::of_tool_input) does, and keeps it, without a copy.
    ///
    /// # Errors
    ///
    /// [`SchemaFault::RootNotObject`], or what [`check_schema`] refuses.
    pub fn tool_input_from_value(schema: Value, limits: &SchemaLimits) -> Result<Self, SchemaFault> {
        Self::from_value(schema, limits)?.with_object_root()
    }

    fn with_object_root(self) -> Result<Self, SchemaFault> {
        match self.value.get("type").and_then(Value::as_str) {
            Some("object") => Ok(self),
            Some(_) | None => Err(SchemaFault::RootNotObject),
        }
    }

    /// The schema.
    #[must_use]
    pub const fn as_value(&self) -> &Value {
        &self.value
    }

    /// The schema, given up.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }

    /// How deep in arrays and objects a value may be for this schema to be applied to it without
    /// danger to the stack; `None` if the schema itself ends, so that any value will do.
    #[must_use]
    pub const fn instance_depth(&self) -> Option<usize> {
        self.instance_depth
    }
}

fn instance_depth(reach: &Reach) -> Option<usize> {
    reach.is_recursive.then(|| OPEN_SUBSCHEMAS / reach.in_place_depth.max(1))
}

#[cfg(test)]
mod tests;
