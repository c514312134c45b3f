//! The schema of a form, as clients know it.
//!
//! `schemars` writes an `Option`, an enum and a list in several ways that mean the same. Forms know one way each
//! ([Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema)).

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use pm_mcp_domain::continuation::{FormFault, FormSchema};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::content::FormContent;

/// What says nothing of which answers fit, so that a form does without it. That the choices of a set are unique is seen to
/// by the set.
const ANNOTATIONS: [&str; 5] = ["deprecated", "examples", "readOnly", "uniqueItems", "writeOnly"];

/// The schemas of the forms that were asked so far, each with the type that it is derived from: a type's schema is made
/// once and not at each question.
static KNOWN: LazyLock<RwLock<HashMap<TypeId, FormSchema>>> = LazyLock::new(RwLock::default);

/// The schema of a form with this content.
pub(super) fn form_schema<T: FormContent>() -> Result<FormSchema, FormFault> {
    let content = TypeId::of::<T>();
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&content).cloned();
    if let Some(known) = known {
        return Ok(known);
    }
    let schema = derived_schema::<T>()?;
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(content, schema.clone());
    Ok(schema)
}

fn derived_schema<T: FormContent>() -> Result<FormSchema, FormFault> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(root) = &mut schema {
        let members = root.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(members) = members {
            members.values_mut().for_each(flatten);
        }
    }
    FormSchema::new(schema)
}

fn flatten(member: &mut Value) {
    let Value::Object(keywords) = member else { return };
    take_null_away(keywords);
    keywords.retain(|keyword, _| !ANNOTATIONS.contains(&keyword.as_str()));
    if let Some(choices) = Choices::of(keywords) {
        for keyword in ["const", "enum", "oneOf"] {
            keywords.remove(keyword);
        }
        keywords.insert("type".into(), json!("string"));
        keywords.extend(choices.write("oneOf"));
    }
    if let Some(Value::Object(items)) = keywords.get_mut("items")
        && let Some(choices) = Choices::of(items)
    {
        *items = choices.write("anyOf");
    }
}

/// A member that may be left out is one that is not required; it is never null.
fn take_null_away(keywords: &mut Map<String, Value>) {
    if let Some(Value::Array(either)) = keywords.get_mut("anyOf")
        && let Some(null) = either.iter().position(|one| *one == json!({"type": "null"}))
        && either.len() == 2
    {
        either.remove(null);
        if let Some(Value::Object(inner)) = either.pop() {
            keywords.remove("anyOf");
            for (keyword, value) in inner {
                keywords.entry(keyword).or_insert(value);
            }
        }
    }
    if let Some(Value::Array(types)) = keywords.get_mut("type") {
        types.retain(|kind| kind != "null");
        if types.len() == 1
            && let Some(kind) = types.pop()
        {
            keywords.insert("type".into(), kind);
        }
    }
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if keywords.get("default").is_some_and(Value::is_null) {
        keywords.remove("default");
    }
}

/// What can be chosen: the value, and what the user reads instead, if that is something else.
struct Choices(Vec<(String, Option<String>)>);

impl Choices {
    /// The choices of a schema, if it is one of texts to choose from.
    fn of(keywords: &Map<String, Value>) -> Option<Self> {
        let alternatives = match keywords.get("oneOf") {
            Some(Value::Array(alternatives)) => {
                alternatives.iter().map(Value::as_object).collect::<Option<_>>()?
            }
            Some(_) => return None,
            None => vec![keywords],
        };
        let mut choices = Vec::new();
        for alternative in alternatives {
            let text = |keyword| alternative.get(keyword).and_then(Value::as_str).map(str::to_owned);
            match (text("const"), alternative.get("enum")) {
                (Some(value), _) => choices.push((value, text("title").or_else(|| text("description")))),
                (None, Some(Value::Array(values))) => {
                    for value in values {
                        choices.push((value.as_str()?.to_owned(), None));
                    }
                }
                (None, _) => return None,
            }
        }
        Some(Self(choices))
    }

    fn write(self, titled: &str) -> Map<String, Value> {
        let mut keywords = Map::new();
        if self.0.iter().all(|(_, title)| title.is_none()) {
            keywords.insert("type".into(), json!("string"));
            keywords.insert("enum".into(), self.0.into_iter().map(|(value, _)| value).collect());
            return keywords;
        }
        let choice = |(value, title): (String, Option<String>)| {
            let title = title.unwrap_or_else(|| value.clone());
            json!({"const": value, "title": title})
        };
        keywords.insert(titled.into(), self.0.into_iter().map(choice).collect());
        keywords
    }
}
