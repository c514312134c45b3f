//! JSON Schemas of answers.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// The schema of what a type is serialised to.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let mut schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(absent_not_null).transform(&mut schema);
    schema.remove("title");
    schema.to_value()
}

/// The schema of members that are shown as files hold them, whatever that is.
pub(crate) fn open_values(description: &str) -> Value {
    json!({ "description": description })
}

/// What is not there is left out of answers and never null, and numbers need no format.
fn absent_not_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("format");
    let required: Vec<String> = match object.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(_) | None => Vec::new(),
    };
    let Some(Value::Object(properties)) = object.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !required.contains(name)) {
        if let Value::Object(property) = property {
            drop_null(property);
        }
    }
}

fn drop_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(variants)) = property.get_mut("anyOf") {
        variants.retain(|variant| variant.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = variants.as_slice() {
            let only = only.clone();
            property.remove("anyOf");
            property.extend(only);
        }
    }
}
