//! What a header says for a value of a tool's arguments.

use serde_json::{Number, Value};

/// The largest integer that every reader of JSON keeps exactly, 2^53 - 1.
const LARGEST_SAFE: i64 = (1 << 53) - 1;

/// A value of the arguments, as far as a header can repeat it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mirrored<'a> {
    /// Absent or null: there is no header.
    Nothing,
    Text(&'a str),
    Flag(bool),
    Integer(i64),
    /// An integer that not every reader keeps exactly.
    UnsafeInteger,
    /// An array, an object or a fraction; no header can repeat it.
    Unsendable,
}

impl<'a> Mirrored<'a> {
    pub(super) fn of(value: Option<&'a Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Nothing,
            Some(Value::Bool(flag)) => Self::Flag(*flag),
            Some(Value::String(text)) => Self::Text(text),
            Some(Value::Number(number)) => integer_of_number(number),
            Some(Value::Array(_) | Value::Object(_)) => Self::Unsendable,
        }
    }

    /// Whether a decoded header value says the same. Integers are compared as numbers: `42.0` is
    /// `42` (specification: streamable-http, "Server Validation").
    pub(super) fn is_said_by(self, header: &str) -> bool {
        match self {
            Self::Text(text) => header == text,
            Self::Flag(flag) => header == flag_text(flag),
            Self::Integer(integer) => integer_of_text(header) == Some(integer),
            Self::Nothing | Self::UnsafeInteger | Self::Unsendable => false,
        }
    }
}

pub(super) const fn flag_text(flag: bool) -> &'static str {
    if flag { "true" } else { "false" }
}

fn integer_of_number<'a>(number: &Number) -> Mirrored<'a> {
    if let Some(integer) = number.as_i64() {
        let is_safe = (-LARGEST_SAFE..=LARGEST_SAFE).contains(&integer);
        return if is_safe { Mirrored::Integer(integer) } else { Mirrored::UnsafeInteger };
    }
    if number.is_u64() {
        return Mirrored::UnsafeInteger;
    }
    let Some(float) = number.as_f64() else { return Mirrored::Unsendable };
    #[expect(clippy::cast_possible_truncation, reason = "the way back shows whether anything was lost")]
    let integer = float as i64;
    #[expect(clippy::cast_precision_loss, reason = "an integer beyond 2^53 is refused either way")]
    let back = integer as f64;
    if integer.unsigned_abs() > LARGEST_SAFE.unsigned_abs() {
        Mirrored::UnsafeInteger
    } else if back == float {
        Mirrored::Integer(integer)
    } else {
        Mirrored::Unsendable
    }
}

/// An integer in decimal, with a fraction of zeros or none, without leading zeros or exponent.
fn integer_of_text(text: &str) -> Option<i64> {
    let whole = match text.split_once('.') {
        None => text,
        Some((whole, fraction)) if !fraction.is_empty() && fraction.bytes().all(|b| b == b'0') => whole,
        Some(_) => return None,
    };
    match whole.strip_prefix('-').unwrap_or(whole).as_bytes() {
        [b'0'] | [b'1'..=b'9', ..] => whole.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn integers_are_compared_as_numbers() {
        for (body, header, is_same) in [
            (json!(42), "42", true),
            (json!(42), "42.0", true),
            (json!(42.0), "42", true),
            (json!(-7), "-7.000", true),
            (json!(0), "-0", true),
            (json!(0), "0.0", true),
            (json!(9_007_199_254_740_991_i64), "9007199254740991", true),
            (json!(42), "43", false),
            (json!(42), "042", false),
            (json!(42), "+42", false),
            (json!(42), "42.", false),
            (json!(42), "42.5", false),
            (json!(42), "4.2e1", false),
            (json!(42), "0x2a", false),
            (json!(42), "", false),
            (json!(42), "-", false),
            (json!(42), "99999999999999999999", false),
            (json!(1.5), "1.5", false),
            (json!(9_007_199_254_740_992_i64), "9007199254740992", false),
            (json!(true), "true", true),
            (json!(true), "True", false),
            (json!(false), "false", true),
            (json!("42"), "42", true),
            (json!("42"), "42.0", false),
            (json!([42]), "42", false),
        ] {
            assert_eq!(Mirrored::of(Some(&body)).is_said_by(header), is_same, "{body} {header}");
        }
    }

    #[test]
    fn numbers_are_sorted_by_what_a_header_can_say() {
        for (body, expected) in [
            (json!(-9_007_199_254_740_991_i64), Mirrored::Integer(-9_007_199_254_740_991)),
            (json!(-9_007_199_254_740_992_i64), Mirrored::UnsafeInteger),
            (json!(u64::MAX), Mirrored::UnsafeInteger),
            (json!(1e300), Mirrored::UnsafeInteger),
            (json!(-1e16), Mirrored::UnsafeInteger),
            (json!(0.5), Mirrored::Unsendable),
            (json!({}), Mirrored::Unsendable),
            (json!(null), Mirrored::Nothing),
        ] {
            assert_eq!(Mirrored::of(Some(&body)), expected, "{body}");
        }
    }
}
