//! Schemas of elicitation forms: flat objects of primitive members
//! ([Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema)).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use thiserror::Error;

/// A schema that a client can show as a form: an object of strings, numbers, booleans and choices, nothing nested.
///
/// Clones share it: a form is the same at each time that it is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct FormSchema(Arc<Value>);

impl Serialize for FormSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::serialize(&self.0, serializer)
    }
}

/// Why a schema is no form.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormFault {
    /// The root is not an object of properties.
    #[error("a form schema must have type \"object\" and an object of properties")]
    Root,
    /// A member of the root has no meaning in a form.
    #[error(
        "a form schema cannot have {0:?}; it has $schema, type, title, description, properties and required only"
    )]
    Keyword(String),
    /// A member is not of a primitive type.
    #[error(
        "form member {0:?} must be a string, a number, an integer, a boolean or a list of choices, not nested"
    )]
    Member(String),
    /// A member uses a keyword that forms do not have.
    #[error("form member {member:?} cannot have {keyword:?}")]
    MemberKeyword {
        /// The member.
        member: String,
        /// The keyword.
        keyword: String,
    },
    /// A text is of a format that forms do not have.
    #[error(
        "form member {member:?} cannot have the format {format:?}; it may be date, date-time, email or uri"
    )]
    Format {
        /// The member.
        member: String,
        /// The format.
        format: String,
    },
    /// A required member is not declared.
    #[error("form member {0:?} is required but not declared")]
    Undeclared(String),
}

impl FormSchema {
    /// Checks a schema. Titles of the root, and `$schema`, which derived schemas have, are dropped.
    ///
    /// # Errors
    ///
    /// The first [`FormFault`] found.
    ///
    /// ```
    /// use pm_mcp_domain::continuation::FormSchema;
    /// use serde_json::json;
    /// let flat = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]});
    /// assert!(FormSchema::new(flat).is_ok());
    /// let nested = json!({"type": "object", "properties": {"a": {"type": "object"}}});
    /// assert!(FormSchema::new(nested).is_err());
    /// ```
    pub fn new(schema: Value) -> Result<Self, FormFault> {
        let Value::Object(root) = schema else { return Err(FormFault::Root) };
        let Some(Value::Object(properties)) = root.get("properties") else { return Err(FormFault::Root) };
        if root.get("type").and_then(Value::as_str) != Some("object") {
            return Err(FormFault::Root);
        }
        if let Some(keyword) = root.keys().find(|key| {
            !matches!(
                key.as_str(),
                "$schema"
                    | "type"
                    | "title"
                    | "description"
                    | "properties"
                    | "required"
                    | "additionalProperties"
            )
        }) {
            return Err(FormFault::Keyword(keyword.clone()));
        }
        let mut members = Map::new();
        for (name, member) in properties {
            members.insert(name.clone(), Value::Object(form_member(name, member)?));
        }
        let required = match root.get("required") {
            None => Vec::new(),
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
            }
            Some(_) => return Err(FormFault::Root),
        };
        if let Some(name) = required.iter().find(|name| !members.contains_key(name.as_str())) {
            return Err(FormFault::Undeclared(name.clone()));
        }
        let mut form = Map::new();
        form.insert("type".to_owned(), Value::from("object"));
        form.insert("properties".to_owned(), Value::Object(members));
        if !required.is_empty() {
            form.insert("required".to_owned(), Value::from(required));
        }
        Ok(Self(Arc::new(Value::Object(form))))
    }

    /// The schema.
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// What does not fit in the content of an accepted form; `None` when all of it does.
    pub fn violation(&self, content: &Map<String, Value>) -> Option<String> {
        let members = self.0.get("properties").and_then(Value::as_object)?;
        let required = self.0.get("required").and_then(Value::as_array);
        let missing = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .find(|name| !content.contains_key(*name))
            .map(|name| format!("{name} is missing"));
        missing.or_else(|| {
            members.iter().find_map(|(name, member)| {
                let value = content.get(name)?;
                member_violation(member, value).map(|wanted| format!("{name} must be {wanted}"))
            })
        })
    }
}

/// Keeps what forms know of a member. Derived schemas say `format: uint32` and the like, which forms do not have.
fn form_member(name: &str, member: &Value) -> Result<Map<String, Value>, FormFault> {
    const ANY: &[&str] = &["type", "title", "description", "default"];
    let nested = || FormFault::Member(name.to_owned());
    let Value::Object(member) = member else { return Err(nested()) };
    let mut kept = member.clone();
    let keywords: &[&str] = match kept.get("type").and_then(Value::as_str) {
        Some("string") => {
            check_format(name, kept.get("format"))?;
            &["format", "minLength", "maxLength", "enum", "enumNames", "oneOf"]
        }
        Some("number" | "integer") => {
            kept.remove("format");
            &["minimum", "maximum"]
        }
        Some("boolean") => &[],
        Some("array") => {
            let choices = kept.get("items").is_some_and(|items| {
                items.get("anyOf").is_some_and(Value::is_array)
                    || (items.get("enum").is_some_and(Value::is_array)
                        && items.get("type").and_then(Value::as_str) == Some("string"))
            });
            if !choices {
                return Err(nested());
            }
            &["items", "minItems", "maxItems"]
        }
        _ => return Err(nested()),
    };
    match kept.keys().find(|key| !ANY.contains(&key.as_str()) && !keywords.contains(&key.as_str())) {
        Some(keyword) => Err(FormFault::MemberKeyword { member: name.to_owned(), keyword: keyword.clone() }),
        None => Ok(kept),
    }
}

fn check_format(member: &str, format: Option<&Value>) -> Result<(), FormFault> {
    match format.map(|format| format.as_str().unwrap_or_default()) {
        None | Some("date" | "date-time" | "email" | "uri") => Ok(()),
        Some(other) => Err(FormFault::Format { member: member.to_owned(), format: other.to_owned() }),
    }
}

/// What a member must be, in words, if `value` is something else.
fn member_violation(member: &Value, value: &Value) -> Option<String> {
    match member.get("type").and_then(Value::as_str) {
        Some("string") => string_violation(member, value),
        Some("boolean") => (!value.is_boolean()).then(|| "true or false".to_string()),
        Some(kind @ ("number" | "integer")) => number_violation(member, value, kind),
        Some("array") => array_violation(member, value),
        _ => None,
    }
}

fn string_violation(member: &Value, value: &Value) -> Option<String> {
    let Some(text) = value.as_str() else { return Some("a string".to_string()) };
    if let Some(choices) = choices(member)
        && !choices.contains(&text)
    {
        return Some("one of the choices".to_string());
    }
    let length = text.chars().count();
    let bound = |name| member.get(name).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    if bound("minLength").is_some_and(|least| length < least)
        || bound("maxLength").is_some_and(|most| length > most)
    {
        return Some("a string of the length that was asked for".to_string());
    }
    None
}

fn number_violation(member: &Value, value: &Value, kind: &str) -> Option<String> {
    let whole = value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number % 1.0 == 0.0);
    if !value.is_number() || (kind == "integer" && !whole) {
        return Some(if kind == "integer" { "a whole number".to_string() } else { "a number".to_string() });
    }
    let number = value.as_f64()?;
    let bound = |name| member.get(name).and_then(Value::as_f64);
    let fits = bound("minimum").is_none_or(|least| number >= least)
        && bound("maximum").is_none_or(|most| number <= most);
    (!fits).then(|| "within the bounds that were asked for".to_string())
}

fn array_violation(member: &Value, value: &Value) -> Option<String> {
    let wanted = || Some("a list of the choices".to_string());
    let Some(items) = value.as_array() else { return wanted() };
    let choices = member.get("items").and_then(choices)?;
    let known = |item: &Value| item.as_str().is_some_and(|text| choices.contains(&text));
    if !items.iter().all(known) {
        return wanted();
    }
    let bound = |name| member.get(name).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let fits = bound("minItems").is_none_or(|least| items.len() >= least)
        && bound("maxItems").is_none_or(|most| items.len() <= most);
    (!fits).then(|| "a list of the length that was asked for".to_string())
}

/// The texts that may be chosen, if the member is a choice.
fn choices(member: &Value) -> Option<Vec<&str>> {
    if let Some(Value::Array(plain)) = member.get("enum") {
        return Some(plain.iter().filter_map(Value::as_str).collect());
    }
    let titled = member.get("oneOf").or_else(|| member.get("anyOf"))?.as_array()?;
    Some(titled.iter().filter_map(|choice| choice.get("const").and_then(Value::as_str)).collect())
}
