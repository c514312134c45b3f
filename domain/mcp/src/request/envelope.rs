//! A JSON-RPC message, read once and borrowed
//! ([Messages](https://modelcontextprotocol.io/specification/2026-07-28/basic#messages)).

use serde::Deserialize;
use serde::de::{DeserializeSeed as _, IgnoredAny, MapAccess};
use serde_json::value::RawValue;

use super::loose::{Draft, Fill, JsonKind, LooseText};
use super::params::ParamsDraft;
use crate::fault::Rejection;

/// How many arrays and objects may stand within one another in a message, at the most and unless told.
pub const JSON_DEPTH_LIMIT: usize = 128;

/// The members of a message as they came, each of whatever JSON type.
#[derive(Default, Debug)]
pub struct Envelope<'a> {
    pub(super) jsonrpc: LooseText<'a>,
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: LooseText<'a>,
    /// The JSON type of `params`, if they are there.
    pub(super) params: Option<JsonKind>,
    /// What is in them, if they are an object.
    pub(super) draft: ParamsDraft<'a>,
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
        let mut envelope = Self::default();
        envelope.read(text, depth)?;
        Ok(envelope)
    }

    /// Reads one message into an empty envelope, as [`decode`](Self::decode) does.
    pub(super) fn read(&mut self, text: &'a str, depth: usize) -> Result<(), Rejection> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let limit = depth.min(JSON_DEPTH_LIMIT);
        if is_deeper_than(text.as_bytes(), limit) {
            return Err(Rejection::TooDeep { limit });
        }
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = Fill(self).deserialize(&mut deserializer);
        match read.and_then(|kind| deserializer.end().map(|()| kind)) {
            Ok(JsonKind::Object) => Ok(()),
            Ok(JsonKind::Array) => Err(Rejection::Batch),
            Ok(kind) => Err(Rejection::NotAnObject(kind)),
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

impl<'de> Draft<'de> for Envelope<'de> {
    fn fill<A: MapAccess<'de>>(&mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_key::<Member>()? {
            let again = match member {
                Member::Jsonrpc => {
                    let again = self.jsonrpc != LooseText::Absent;
                    self.jsonrpc = map.next_value()?;
                    again.then_some("jsonrpc")
                }
                Member::Id => self.id.replace(map.next_value()?).is_some().then_some("id"),
                Member::Method => {
                    let again = self.method != LooseText::Absent;
                    self.method = map.next_value()?;
                    again.then_some("method")
                }
                Member::Params => {
                    let again = self.params.is_some();
                    if again {
                        self.draft = ParamsDraft::default();
                    }
                    self.params = Some(map.next_value_seed(Fill(&mut self.draft))?);
                    again.then_some("params")
                }
                Member::Result | Member::Error => {
                    self.answers = true;
                    map.next_value::<IgnoredAny>()?;
                    None
                }
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                    None
                }
            };
            self.twice = self.twice.or(again);
        }
        Ok(())
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
