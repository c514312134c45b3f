//! Reading without losing the id: a member of the wrong JSON type is noted, not an error of the whole message.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The JSON type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are JSON's own")]
pub enum JsonKind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

/// A member that should be a string, whatever it is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum LooseText<'a> {
    /// The member is not there.
    #[default]
    Absent,
    /// It is there, of another JSON type.
    Wrong(JsonKind),
    /// The string; borrowed unless it held escapes.
    Text(Cow<'a, str>),
}

impl LooseText<'_> {
    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Wrong(_) => None,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LooseText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Loose(TextOnly))
    }
}

/// What to make of the two JSON types that carry a meaning somewhere; every other is noted by its kind.
pub(crate) trait Expect<'de> {
    type Value;

    fn other(self, kind: JsonKind) -> Self::Value;

    fn text(self, text: Cow<'de, str>) -> Self::Value
    where
        Self: Sized,
    {
        let _ = text;
        self.other(JsonKind::String)
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error>
    where
        Self: Sized,
    {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self.other(JsonKind::Object))
    }
}

/// A visitor that never refuses a JSON type.
pub(crate) struct Loose<E>(pub(crate) E);

impl<'de, E: Expect<'de>> Visitor<'de> for Loose<E> {
    type Value = E::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<X>(self) -> Result<Self::Value, X> {
        Ok(self.0.other(JsonKind::Null))
    }

    fn visit_bool<X>(self, _: bool) -> Result<Self::Value, X> {
        Ok(self.0.other(JsonKind::Boolean))
    }

    fn visit_i64<X>(self, _: i64) -> Result<Self::Value, X> {
        Ok(self.0.other(JsonKind::Number))
    }

    fn visit_u64<X>(self, _: u64) -> Result<Self::Value, X> {
        Ok(self.0.other(JsonKind::Number))
    }

    fn visit_f64<X>(self, _: f64) -> Result<Self::Value, X> {
        Ok(self.0.other(JsonKind::Number))
    }

    fn visit_borrowed_str<X>(self, text: &'de str) -> Result<Self::Value, X> {
        Ok(self.0.text(Cow::Borrowed(text)))
    }

    fn visit_str<X>(self, text: &str) -> Result<Self::Value, X> {
        Ok(self.0.text(Cow::Owned(String::from(text))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.0.other(JsonKind::Array))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        self.0.object(map)
    }
}

/// Something that the members of an object are read into, where it stands: what is as large as a whole message is not
/// handed from level to level.
pub(super) trait Draft<'de> {
    /// Reads the members.
    fn fill<A: MapAccess<'de>>(&mut self, map: A) -> Result<(), A::Error>;
}

/// Fills a draft from an object; a value of another JSON type leaves it as it is. Gives the type.
pub(super) struct Fill<'d, D>(pub(super) &'d mut D);

impl<'de, D: Draft<'de>> DeserializeSeed<'de> for Fill<'_, D> {
    type Value = JsonKind;

    fn deserialize<X: Deserializer<'de>>(self, deserializer: X) -> Result<JsonKind, X::Error> {
        deserializer.deserialize_any(Loose(self))
    }
}

impl<'de, D: Draft<'de>> Expect<'de> for Fill<'_, D> {
    type Value = JsonKind;

    fn other(self, kind: JsonKind) -> JsonKind {
        kind
    }

    fn object<A: MapAccess<'de>>(self, map: A) -> Result<JsonKind, A::Error> {
        self.0.fill(map)?;
        Ok(JsonKind::Object)
    }
}

struct TextOnly;

impl<'de> Expect<'de> for TextOnly {
    type Value = LooseText<'de>;

    fn other(self, kind: JsonKind) -> Self::Value {
        LooseText::Wrong(kind)
    }

    fn text(self, text: Cow<'de, str>) -> Self::Value {
        LooseText::Text(text)
    }
}
