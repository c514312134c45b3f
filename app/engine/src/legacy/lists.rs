//! What the earlier revisions cannot express of tools and their results.
//!
//! They want structured content to be an object, output schemas of objects, and no boolean where a property's schema
//! stands.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::members::Members;

/// A tool as the earlier revisions can show it. An output schema that is not one of objects is left out.
pub(super) fn tool(tool: &mut Value) {
    let Some(members) = tool.as_object_mut() else { return };
    if members
        .get("outputSchema")
        .is_some_and(|schema| schema.get("type").is_none_or(|kind| kind != "object"))
    {
        members.remove("outputSchema");
    }
    for name in ["inputSchema", "outputSchema"] {
        let properties = members.get_mut(name).and_then(|schema| schema.get_mut("properties"));
        for schema in properties.and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut()) {
            match schema {
                Value::Bool(true) => *schema = json!({}),
                Value::Bool(false) => *schema = json!({"not": {}}),
                Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {}
            }
        }
    }
}

/// The structured content of a result that the earlier revisions cannot carry, if there is some.
pub(super) fn foreign_content<'a>(result: &Members<'a>) -> Option<&'a RawValue> {
    result.find("structuredContent").filter(|content| !content.get().starts_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_schemas_of_objects_are_shown_and_booleans_are_spelled_out() {
        let mut list = json!({
            "name": "t",
            "inputSchema": {"type": "object", "properties": {"any": true, "none": false, "text": {"type": "string"}}},
            "outputSchema": {"type": "array"},
        });
        tool(&mut list);
        assert_eq!(
            list,
            json!({
                "name": "t",
                "inputSchema": {"type": "object", "properties": {"any": {}, "none": {"not": {}}, "text": {"type": "string"}}},
            })
        );
        let mut kept =
            json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}});
        let before = kept.clone();
        tool(&mut kept);
        assert_eq!(kept, before);
    }
}
