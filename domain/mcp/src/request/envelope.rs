//! A JSON-RPC message, read once and borrowed
//! ([Messages](https://modelcontextprotocol.io/specification/2026-07-28/basic#messages)).

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess};
use serde_json::value::RawValue;

use super::loose::{Expect, JsonKind, Loose, LooseText};
use super::params::LooseParams;
use crate::fault::Rejection;

/// How many arrays and objects may stand within one another in a message, at the most and unless told.
pub const JSON_DEPTH_LIMIT: usize = 128;

/// The members of a message as they came, each of whatever JSON type.
#[derive(Default, Debug)]
pub struct Envelope<'a> {
    pub(super) jsonrpc: LooseText<'a>,
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: LooseText<'a>,
    pub(super) params: Option<LooseParams<'a>>,
    pub(super) answers: bool,
    pub(super) twice: Option<&'static str>,
}

impl<'a> Envelope<'a> {
    /// Reads one message. A byte order mark before it is passed over.
    ///
    /// # Errors
    ///
    /// A parse rejection when the text is no JSON, an invalid-request one when it is nested deeper than `depth`, which
    /// counts as [`JSON_DEPTH_LIMIT`] when it is more, or is JSON but no object; a batch is an array and so is refused.
    pub fn decode(text: &'a str, depth: usize) -> Result<Self, Rejection> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let limit = depth.min(JSON_DEPTH_LIMIT);
        if is_deeper_than(text.as_bytes(), limit) {
            return Err(Rejection::TooDeep { limit });
        }
        match serde_json::from_str(text) {
            Ok(LooseEnvelope::Object(envelope)) => Ok(envelope),
            Ok(LooseEnvelope::Wrong(JsonKind::Array)) => Err(Rejection::Batch),
            Ok(LooseEnvelope::Wrong(kind)) => Err(Rejection::NotAnObject(kind)),
            Err(fault) => Err(Rejection::Parse { line: fault.line(), column: fault.column() }),
        }
    }
}

/// Whether arrays and objects stand more than `limit` deep in `text`, brackets inside strings not counted.
///
/// Most messages hold fewer opening brackets than the limit and are settled by counting them.
fn is_deeper_than(text: &[u8], limit: usize) -> bool {
    if opening_brackets(text) <= limit {
        return false;
    }
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// How many arrays and objects `text` seems to open. Counted in bytes over short runs, which compilers turn into a few
/// wide instructions; this is asked of every message.
fn opening_brackets(text: &[u8]) -> usize {
    text.chunks(usize::from(u8::MAX))
        .map(|run| {
            usize::from(run.iter().fold(0u8, |count, byte| count + u8::from(matches!(byte, b'{' | b'['))))
        })
        .sum()
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives for one call and is taken apart at once; a box would cost an allocation a message"
)]
enum LooseEnvelope<'a> {
    Wrong(JsonKind),
    Object(Envelope<'a>),
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for LooseEnvelope<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Loose(EnvelopeOnly))
    }
}

struct EnvelopeOnly;

impl<'de> Expect<'de> for EnvelopeOnly {
    type Value = LooseEnvelope<'de>;

    fn other(self, kind: JsonKind) -> Self::Value {
        LooseEnvelope::Wrong(kind)
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(member) = map.next_key::<Member>()? {
            let again = match member {
                Member::Jsonrpc => {
                    let again = envelope.jsonrpc != LooseText::Absent;
                    envelope.jsonrpc = map.next_value()?;
                    again.then_some("jsonrpc")
                }
                Member::Id => envelope.id.replace(map.next_value()?).is_some().then_some("id"),
                Member::Method => {
                    let again = envelope.method != LooseText::Absent;
                    envelope.method = map.next_value()?;
                    again.then_some("method")
                }
                Member::Params => envelope.params.replace(map.next_value()?).is_some().then_some("params"),
                Member::Result | Member::Error => {
                    envelope.answers = true;
                    map.next_value::<IgnoredAny>()?;
                    None
                }
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                    None
                }
            };
            envelope.twice = envelope.twice.or(again);
        }
        Ok(LooseEnvelope::Object(envelope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn depth_is_counted_outside_strings_only() {
        assert!(!is_deeper_than(format!("{}{}", "[".repeat(128), "]".repeat(128)).as_bytes(), 128));
        assert!(is_deeper_than(format!("{}{}", "[".repeat(129), "]".repeat(129)).as_bytes(), 128));
        assert!(!is_deeper_than(format!("\"{}\\\"{}\"", "[".repeat(500), "{".repeat(500)).as_bytes(), 128));
        assert!(!is_deeper_than("[],".repeat(500).as_bytes(), 128));
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        assert!(Envelope::decode("\u{feff}{}", JSON_DEPTH_LIMIT).is_ok());
    }

    #[test]
    fn what_is_no_object_is_refused_by_kind() {
        assert_eq!(Envelope::decode("[]", JSON_DEPTH_LIMIT).unwrap_err(), Rejection::Batch);
        assert_eq!(
            Envelope::decode("42", JSON_DEPTH_LIMIT).unwrap_err(),
            Rejection::NotAnObject(JsonKind::Number)
        );
        assert!(matches!(
            Envelope::decode("{\"a\":", JSON_DEPTH_LIMIT).unwrap_err(),
            Rejection::Parse { .. }
        ));
        assert!(matches!(Envelope::decode("{} {}", JSON_DEPTH_LIMIT).unwrap_err(), Rejection::Parse { .. }));
    }
}
