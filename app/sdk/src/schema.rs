//! Schemas of Rust types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The JSON Schema 2020-12 of a type, as `schemars` derives it.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
}

/// Members whose values are data, whatever they look like.
const DATA: [&str; 5] = ["const", "enum", "default", "examples", "required"];

/// Members that map names to schemas.
const NAMED: [&str; 5] = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/// The same schema for readers who know one type a member: optional members lose the `null` among their types, as leaving
/// them out says the same, and what still has several types says so by `anyOf`.
pub(crate) fn with_single_types(schema: &Value) -> Value {
    let mut single = schema.clone();
    simplify(&mut single);
    single
}

fn simplify(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    let required: Vec<String> = members
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for (_, optional) in properties.iter_mut().filter(|(name, _)| !required.contains(name)) {
            drop_null(optional);
        }
    }
    for (name, value) in members.iter_mut().filter(|(name, _)| !DATA.contains(&name.as_str())) {
        match value {
            Value::Object(named) if NAMED.contains(&name.as_str()) => named.values_mut().for_each(simplify),
            Value::Object(_) => simplify(value),
            Value::Array(schemas) => schemas.iter_mut().for_each(simplify),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    spread_types(members);
}

/// Takes `null` from what an optional member may be.
fn drop_null(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if members.get("default").is_some_and(Value::is_null) {
        members.remove("default");
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(choices)) = members.get_mut(keyword) else { continue };
        choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            // What both say stays where it is, one within the other.
            if only.keys().all(|name| !members.contains_key(name)) {
                members.remove(keyword);
                members.extend(only);
            }
        }
    }
}

/// A list of types becomes a choice of schemas.
fn spread_types(members: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = members.get("type") else { return };
    let choices: Vec<Value> = types.iter().map(|name| serde_json::json!({ "type": name })).collect();
    if members.contains_key("anyOf") {
        return;
    }
    members.remove("type");
    members.insert("anyOf".to_owned(), Value::Array(choices));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn optional_members_have_one_type_and_required_ones_keep_theirs() {
        let schema = json!({
            "type": "object",
            "required": ["must"],
            "properties": {
                "count": {"type": ["integer", "null"], "minimum": 0, "default": null},
                "names": {"type": ["array", "null"], "items": {"type": "string"}},
                "inner": {"description": "inside", "anyOf": [{"$ref": "#/$defs/Inner"}, {"type": "null"}]},
                "kind": {"type": ["string", "null"], "enum": ["a", "b", null]},
                "any": {"type": ["string", "integer", "null"]},
                "must": {"type": ["integer", "null"]},
                "data": {"type": "object", "default": {"properties": {"x": {"type": ["string", "null"]}}}},
            },
            "$defs": {"Inner": {"type": "object", "properties": {"deep": {"type": ["boolean", "null"]}}}},
        });
        let single = with_single_types(&schema);
        assert_eq!(
            single,
            json!({
                "type": "object",
                "required": ["must"],
                "properties": {
                    "count": {"type": "integer", "minimum": 0},
                    "names": {"type": "array", "items": {"type": "string"}},
                    "inner": {"description": "inside", "$ref": "#/$defs/Inner"},
                    "kind": {"type": "string", "enum": ["a", "b"]},
                    "any": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                    "must": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                    "data": {"type": "object", "default": {"properties": {"x": {"type": ["string", "null"]}}}},
                },
                "$defs": {"Inner": {"type": "object", "properties": {"deep": {"type": "boolean"}}}},
            })
        );
        assert_eq!(with_single_types(&single), single, "doing it again changes nothing");
    }
}
