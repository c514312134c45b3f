//! JSON that is kept as the very text it came as.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::value::RawValue;
use thiserror::Error as ThisError;

/// A JSON value as text. Cloning is cheap; equal means letter for letter.
///
/// `Debug` shows the length only, because what tools are given and what they answer does not belong in a log.
#[derive(Clone)]
pub struct RawJson(Arc<RawValue>);

impl RawJson {
    /// Takes a text that is one JSON value.
    ///
    /// # Errors
    ///
    /// [`NotJson`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotJson> {
        serde_json::from_str::<&RawValue>(text).map(Self::from).map_err(|_| NotJson)
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    ///
    /// [`NotJson`] when the value cannot be written as JSON.
    pub fn of(value: &impl Serialize) -> Result<Self, NotJson> {
        let text = serde_json::to_string(value).map_err(|_| NotJson)?;
        RawValue::from_string(text).map(|raw| Self(Arc::from(raw))).map_err(|_| NotJson)
    }

    /// The JSON text, without white space around it.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl From<&RawValue> for RawJson {
    fn from(raw: &RawValue) -> Self {
        Self(Arc::from(raw.to_owned()))
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({} bytes)", self.as_str().len())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|raw| Self(Arc::from(raw)))
    }
}

/// A JSON object as text: a result, a question or an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonObject(RawJson);

impl JsonObject {
    /// Takes a value if it is an object.
    ///
    /// # Errors
    ///
    /// [`NotJson`] for any other value.
    pub fn new(json: RawJson) -> Result<Self, NotJson> {
        if json.as_str().starts_with('{') { Ok(Self(json)) } else { Err(NotJson) }
    }

    /// Takes a text that is one JSON object.
    ///
    /// # Errors
    ///
    /// [`NotJson`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotJson> {
        RawJson::parse(text).and_then(Self::new)
    }

    /// The JSON text, without white space around it.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RawJson::deserialize(deserializer).and_then(|json| Self::new(json).map_err(D::Error::custom))
    }
}

/// A text is not the JSON that is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ThisError)]
#[error("this is not the JSON that is needed: a single value, and an object where an object is due")]
pub struct NotJson;

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn the_text_is_kept_letter_for_letter() {
        let json = RawJson::parse(" { \"a\" : 1.0e2 , \"a\":\"\\u00e9\" }\n").unwrap();
        assert_eq!(json.as_str(), "{ \"a\" : 1.0e2 , \"a\":\"\\u00e9\" }");
        assert_eq!(serde_json::to_string(&json).unwrap(), json.as_str());
    }

    #[test]
    fn only_objects_are_objects() {
        for text in ["", "[]", "1", "null", "\"{}\"", "{} {}", "{"] {
            assert_eq!(JsonObject::parse(text), Err(NotJson), "{text}");
        }
        assert_eq!(JsonObject::parse("\n{}").unwrap().as_str(), "{}");
    }

    #[test]
    fn debug_shows_no_content() {
        let json = JsonObject::parse(r#"{"secret":"hunter2"}"#).unwrap();
        assert_eq!(format!("{json:?}"), "JsonObject(RawJson(20 bytes))");
    }
}
