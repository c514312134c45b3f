//! Value schemas of custom fields, from the snake-case keywords of schema files to JSON Schema 2020-12.

use serde_json::{Map, Value};

/// How deep a value schema is followed; below that it is dropped, so that a hostile file cannot exhaust the stack.
const MAX_DEPTH: usize = 32;

/// Renames the snake-case keywords of a value schema and of every schema inside it.
///
/// Property names, enumerated values, constants, defaults and examples are data and stay as they are.
#[must_use]
pub fn to_json_schema(schema: &Value) -> Value {
    translate(schema, 0)
}

fn translate(schema: &Value, depth: usize) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    if depth >= MAX_DEPTH {
        return Value::Bool(true);
    }
    let mut out = Map::new();
    for (key, value) in members {
        let keyword = keyword(key);
        let value = match (keyword.as_str(), value) {
            ("enum" | "const" | "default" | "examples" | "required" | "dependentRequired", data) => {
                data.clone()
            }
            ("properties" | "patternProperties" | "dependentSchemas" | "$defs", Value::Object(named)) => {
                Value::Object(
                    named.iter().map(|(name, inner)| (name.clone(), translate(inner, depth + 1))).collect(),
                )
            }
            (_, Value::Array(list)) => {
                Value::Array(list.iter().map(|inner| translate(inner, depth + 1)).collect())
            }
            (_, inner) => translate(inner, depth + 1),
        };
        out.insert(keyword, value);
    }
    Value::Object(out)
}

/// `min_length` becomes `minLength`; a keyword without underscore stays.
fn keyword(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    let mut raise = false;
    for c in key.chars() {
        if c == '_' && !out.is_empty() {
            raise = true;
        } else if raise {
            out.extend(c.to_uppercase());
            raise = false;
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keywords_are_renamed_and_data_is_not() {
        let file = json!({
            "type": "object", "additional_properties": false, "required": ["snake_name"],
            "properties": {"snake_name": {"type": "string", "min_length": 1, "enum": ["min_length"]}},
            "one_of": [{"min_properties": 2, "properties": {"a_b": {"const": {"max_items": 1}}}}]
        });
        let expected = json!({
            "type": "object", "additionalProperties": false, "required": ["snake_name"],
            "properties": {"snake_name": {"type": "string", "minLength": 1, "enum": ["min_length"]}},
            "oneOf": [{"minProperties": 2, "properties": {"a_b": {"const": {"max_items": 1}}}}]
        });
        assert_eq!(to_json_schema(&file), expected);
    }
}
