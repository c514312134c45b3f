//! Size and depth of a JSON value, counted without recursion and only up to a bound.

use alloc::{string::String, vec::Vec};
use core::{
    fmt::{self, Write},
    slice,
};

use serde_json::{Value, map};

use super::{
    fault::SchemaFault,
    limits::{SchemaBound, SchemaLimits},
};

/// Counts the bytes of `value` as compact JSON and the depth of its nesting.
///
/// The work stops at the first bound passed, and the memory used is bounded by the depth.
pub(crate) fn measure(value: &Value, limits: &SchemaLimits) -> Result<(), SchemaFault> {
    let mut bytes = Bytes(0);
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        match next.take() {
            Some(value) => {
                if let Some(inside) = bytes.enter(value) {
                    if open.len() >= limits.nesting {
                        let at = pointer(&open);
                        return Err(SchemaFault::too_large(SchemaBound::Nesting, limits, &at));
                    }
                    open.push(inside);
                }
            }
            None => match open.last_mut().map(|inside| inside.advance(&mut bytes)) {
                Some(Some(value)) => next = Some(value),
                Some(None) => {
                    open.pop();
                }
                None => return Ok(()),
            },
        }
        if bytes.0 > limits.bytes {
            return Err(SchemaFault::too_large(SchemaBound::Bytes, limits, ""));
        }
    }
}

/// An array or object whose members are being counted, and where the count stands.
enum Open<'a> {
    Array { rest: slice::Iter<'a, Value>, at: usize },
    Object { rest: map::Iter<'a>, at: &'a str },
}

impl<'a> Open<'a> {
    fn advance(&mut self, bytes: &mut Bytes) -> Option<&'a Value> {
        match self {
            Self::Array { rest, at } => {
                let value = rest.next()?;
                bytes.add(1);
                *at += 1;
                Some(value)
            }
            Self::Object { rest, at } => {
                let (key, value) = rest.next()?;
                bytes.add(2);
                bytes.add_text(key);
                *at = key;
                Some(value)
            }
        }
    }
}

fn pointer(open: &[Open<'_>]) -> String {
    let mut pointer = String::new();
    for inside in open {
        match inside {
            Open::Array { at, .. } => push_index(&mut pointer, at.saturating_sub(1)),
            Open::Object { at, .. } => push_name(&mut pointer, at),
        }
    }
    pointer
}

/// Appends a member name to a JSON Pointer (RFC 6901 section 3).
pub(super) fn push_name(pointer: &mut String, name: &str) {
    pointer.push('/');
    for c in name.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// Appends an array index to a JSON Pointer.
pub(super) fn push_index(pointer: &mut String, index: usize) {
    // Writing to a `String` cannot fail.
    write!(pointer, "/{index}").ok();
}

struct Bytes(usize);

impl Bytes {
    fn add(&mut self, count: usize) {
        self.0 = self.0.saturating_add(count);
    }

    fn add_text(&mut self, text: &str) {
        let escapes = text.bytes().map(|byte| match byte {
            b'"' | b'\\' | 0x08 | 0x09 | 0x0A | 0x0C | 0x0D => 1,
            0x00..=0x1F => 5,
            _ => 0,
        });
        self.add(2 + text.len() + escapes.sum::<usize>());
    }

    /// Counts what belongs to `value` itself. The separators of its members are counted with
    /// each member, hence one byte less for the brackets of what is not empty.
    fn enter<'a>(&mut self, value: &'a Value) -> Option<Open<'a>> {
        match value {
            Value::Null | Value::Bool(true) => self.add(4),
            Value::Bool(false) => self.add(5),
            Value::Number(number) => {
                // Counting bytes cannot fail.
                write!(self, "{number}").ok();
            }
            Value::String(text) => self.add_text(text),
            Value::Array(items) => {
                self.add(2 - usize::from(!items.is_empty()));
                return Some(Open::Array { rest: items.iter(), at: 0 });
            }
            Value::Object(members) => {
                self.add(2 - usize::from(!members.is_empty()));
                return Some(Open::Object { rest: members.iter(), at: "" });
            }
        }
        None
    }
}

impl Write for Bytes {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use serde_json::json;

    use super::*;

    #[test]
    fn the_count_is_the_length_of_compact_json() {
        for value in [
            json!(null),
            json!([]),
            json!({}),
            json!([1, -2.5, true, false, null]),
            json!({"a": {"b": [[], {}, "tab\t quote\" bell\u{7} é🙂"]}, "c\n": 1e300}),
        ] {
            let length = value.to_string().len();
            let bytes = |bytes| SchemaLimits { bytes, ..SchemaLimits::default() };
            assert_eq!(measure(&value, &bytes(length)), Ok(()), "{value}");
            assert!(measure(&value, &bytes(length - 1)).is_err(), "{value}");
        }
    }

    #[test]
    fn the_place_of_too_deep_nesting_is_named() {
        let limits = SchemaLimits { nesting: 3, ..SchemaLimits::default() };
        let value = json!({"x": 1, "a/b": [0, {"c": [1]}]});
        let Err(SchemaFault::TooLarge { bound, value, pointer }) = measure(&value, &limits) else {
            panic!("too deep a value was accepted");
        };
        assert_eq!((bound, value), (SchemaBound::Nesting, 3));
        assert_eq!(pointer, "/a~1b/1/c");
    }
}
