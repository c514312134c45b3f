//! JSON that means one thing only.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads one JSON object. A member that stands twice, at any depth, and more than `depth` arrays and objects within one
/// another refuse it: readers would not agree on what such a text says.
pub(crate) fn object(bytes: &[u8], depth: usize) -> Option<Map<String, Value>> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { depth }.deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    match value {
        Value::Object(members) => Some(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn inner<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom("nested too deeply"))?;
        Ok(Self { depth })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not a finite number"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(inner)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut values = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(inner)?;
            if values.insert(name, value).is_some() {
                return Err(A::Error::custom("a member stands twice"));
            }
        }
        Ok(Value::Object(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_once_and_whole() {
        let read = object(br#" {"a":[1,{"b":null}],"c":1.5,"d":"\u0061"} "#, 3).unwrap();
        assert_eq!(Value::Object(read), serde_json::json!({"a": [1, {"b": null}], "c": 1.5, "d": "a"}));
    }

    #[test]
    fn texts_that_readers_may_understand_differently_are_refused() {
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#"{"x":{"a":1,"a":2}}"#,
            r#"{"a":1}{"#,
            r#"{"a":1},"#,
            "[]",
            "1",
            "null",
            "",
            "\u{feff}{}",
            r#"{"a":1e400}"#,
            r#"{"a":NaN}"#,
            r#"{"a":01}"#,
            r#"{'a':1}"#,
            r#"{"a":1,}"#,
            r#"{"a":"\ud800"}"#,
            "{\"a\":\"\n\"}",
        ] {
            assert!(object(text.as_bytes(), 8).is_none(), "{text}");
        }
        assert!(object(b"{\"a\":\"\xff\"}", 8).is_none());
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(object(nested(3).as_bytes(), 4).is_some());
        assert!(object(nested(4).as_bytes(), 4).is_none());
        assert!(object(nested(5000).as_bytes(), 4).is_none());
    }
}
