//! Which fields a caller may set, and to what.

use serde_json::Value;

use super::{Refusal, World};
use crate::{Enforcement, board::near, normal::TOP_LEVEL_KEYS, schema::FieldKind, time::Timestamp};

/// What a field of the format holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "schemas of arguments must place every shape")]
pub enum FieldShape {
    /// Text.
    Text,
    /// Text that may not be empty.
    NonEmptyText,
    /// A time, RFC 3339 or a date.
    Time,
    /// A type of the workspace.
    TypeName,
    /// 0 (first) to 4 (last).
    Priority,
    /// A whole number of minutes.
    Minutes,
    /// A number.
    Number,
    /// A truth value.
    Flag,
    /// `low`, `medium`, `high`, and `critical` for severity.
    Level,
    /// A list of texts.
    Texts,
    /// An object of texts.
    Options,
    /// A list of objects.
    Records,
    /// The id of an item.
    Reference,
}

/// The fields of the format that callers may set, with what they hold. Others have operations of their own.
pub const SETTABLE_FIELDS: [(&str, FieldShape); 54] = {
    use FieldShape::{
        Flag, Level, Minutes, NonEmptyText, Number, Options, Priority, Records, Reference, Text, Texts, Time,
        TypeName,
    };
    [
        ("title", NonEmptyText),
        ("description", Text),
        ("type", TypeName),
        ("priority", Priority),
        ("tags", Texts),
        ("deadline", Time),
        ("reminders", Records),
        ("events", Records),
        ("assignee", Text),
        ("source_owner", Text),
        ("source_type", Text),
        ("type_options", Options),
        ("estimated_minutes", Minutes),
        ("acceptance_criteria", Text),
        ("design", Text),
        ("external_ref", Text),
        ("definition_of_ready", Text),
        ("order", Number),
        ("goal", Text),
        ("objective", Text),
        ("value", Text),
        ("impact", Text),
        ("outcome", Text),
        ("why_now", Text),
        ("parent", Reference),
        ("reviewer", Text),
        ("risk", Text),
        ("confidence", Level),
        ("sprint", Text),
        ("release", Text),
        ("blocked_by", Text),
        ("blocked_reason", Text),
        ("unblock_note", Text),
        ("reporter", Text),
        ("severity", Level),
        ("environment", Text),
        ("repro_steps", Text),
        ("resolution", Text),
        ("expected_result", Text),
        ("actual_result", Text),
        ("affected_version", Text),
        ("fixed_version", Text),
        ("component", Text),
        ("regression", Flag),
        ("customer_impact", Text),
        ("completed_at", Time),
        ("plan_mode", Text),
        ("plan_scope", Text),
        ("plan_harness", Text),
        ("plan_resume_context", Text),
        ("plan_validation", Records),
        ("plan_decisions", Records),
        ("plan_discoveries", Records),
        ("plan_steps", Records),
    ]
};

/// What a field of the format holds that callers may set.
#[must_use]
pub fn field_shape(key: &str) -> Option<FieldShape> {
    SETTABLE_FIELDS.iter().find(|(name, _)| *name == key).map(|(_, shape)| *shape)
}

/// A time as files carry it.
pub(super) fn time(field: &str, text: &str) -> Result<String, Refusal> {
    Timestamp::parse(text).map(|time| time.to_string()).ok_or_else(|| {
        Refusal::field(field, format!("`{text}` is no time; write 2026-03-02T08:00:00Z or 2026-03-02"))
    })
}

/// Whether a field that may be set may hold a value; gives the value as it is stored. References are looked up by the
/// caller.
pub(super) fn accepted(
    key: &str,
    value: &Value,
    warnings: &mut Vec<String>,
    world: &World,
) -> Result<Value, Refusal> {
    match field_shape(key) {
        Some(shape) => of_shape(key, shape, value, world),
        None => match world.schema().field(key) {
            Some(custom) => of_kind(key, custom.kind, value).map(|()| value.clone()),
            None => unknown(key, value, warnings, world),
        },
    }
}

fn unknown(key: &str, value: &Value, warnings: &mut Vec<String>, world: &World) -> Result<Value, Refusal> {
    let plain = !key.is_empty()
        && key.len() <= 100
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if !plain {
        return Err(Refusal::field(key, "a field's name has letters, digits, `_`, `-` and `.`"));
    }
    if TOP_LEVEL_KEYS.contains(&key) || key == "body" {
        return Err(Refusal::field(
            key,
            "cannot be set like this; it has an argument or an operation of its own",
        ));
    }
    match world.settings().unknown_fields {
        Enforcement::Off => {
            let fields = world.schema().fields().iter().map(|field| field.key.as_str());
            let meant = near(key, TOP_LEVEL_KEYS.into_iter().chain(fields), "", 1);
            warnings.extend(
                meant.first().map(|meant| format!("unknown_field: `{key}` is new; `{meant}` may be meant")),
            );
        }
        Enforcement::Warn => warnings.push(format!("unknown_field: the workspace does not know `{key}`")),
        Enforcement::Strict => {
            return Err(Refusal::CustomField {
                field: key.to_owned(),
                detail: "the workspace's schema does not have it and allows no others".to_owned(),
            });
        }
    }
    Ok(value.clone())
}

fn of_shape(key: &str, shape: FieldShape, value: &Value, world: &World) -> Result<Value, Refusal> {
    let wrong = |expected: &str| Refusal::field(key, format!("must be {expected}"));
    let text = || value.as_str().ok_or_else(|| wrong("text"));
    match shape {
        FieldShape::Text | FieldShape::Reference => text().map(Value::from),
        FieldShape::NonEmptyText => {
            let text = text()?.trim();
            if text.is_empty() { Err(wrong("text that is not empty")) } else { Ok(text.into()) }
        }
        FieldShape::Time => text().and_then(|text| time(key, text)).map(Value::from),
        FieldShape::TypeName => {
            let named = text()?;
            let known = world.schema().item_type(named);
            known.map(|known| known.name.as_str().into()).ok_or_else(|| {
                let names: Vec<&str> = world.schema().types().map(|known| known.name.as_str()).collect();
                Refusal::field(key, format!("`{named}` is no type; known are {}", names.join(", ")))
            })
        }
        FieldShape::Priority => value
            .as_u64()
            .filter(|n| *n <= 4)
            .map(Value::from)
            .ok_or_else(|| wrong("a whole number from 0 to 4")),
        FieldShape::Minutes => {
            value.as_u64().map(Value::from).ok_or_else(|| wrong("a whole number of minutes"))
        }
        FieldShape::Number => value.is_number().then(|| value.clone()).ok_or_else(|| wrong("a number")),
        FieldShape::Flag => value.is_boolean().then(|| value.clone()).ok_or_else(|| wrong("true or false")),
        FieldShape::Level => level(key, value),
        FieldShape::Texts => {
            let texts = value.as_array().filter(|list| list.iter().all(Value::is_string));
            texts.map(|_| value.clone()).ok_or_else(|| wrong("a list of texts"))
        }
        FieldShape::Options => value.is_object().then(|| value.clone()).ok_or_else(|| wrong("an object")),
        FieldShape::Records => {
            let records = value.as_array().filter(|list| list.iter().all(Value::is_object));
            records.map(|_| value.clone()).ok_or_else(|| wrong("a list of objects"))
        }
    }
}

/// What normal form would drop must not be taken.
fn level(key: &str, value: &Value) -> Result<Value, Refusal> {
    let known: &[&str] =
        if key == "severity" { &["low", "medium", "high", "critical"] } else { &["low", "medium", "high"] };
    let word = value.as_str().map(|word| word.trim().to_lowercase());
    match word.as_deref() {
        Some("med") => Ok("medium".into()),
        Some(word) if known.contains(&word) => Ok(word.into()),
        None if value.is_number() => Ok(value.clone()),
        Some(_) | None => Err(Refusal::field(key, format!("must be one of {}", known.join(", ")))),
    }
}

fn of_kind(key: &str, kind: FieldKind, value: &Value) -> Result<(), Refusal> {
    let fits = match kind {
        FieldKind::String => value.is_string(),
        FieldKind::Number => value.is_number(),
        FieldKind::Boolean => value.is_boolean(),
        FieldKind::StringArray => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        FieldKind::Array => value.is_array(),
        FieldKind::Object => value.is_object(),
    };
    if fits {
        return Ok(());
    }
    Err(Refusal::CustomField { field: key.to_owned(), detail: format!("must be of type {}", kind.as_str()) })
}
