//! Canonical JSON and the hash over it.
//!
//! Keys are sorted by UTF-16 code unit at every level, strings are escaped and numbers printed as JavaScript does.

use core::{cmp::Ordering, fmt::Write as _};

use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};

/// The canonical JSON text of a value.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(&mut out, value);
    out
}

/// Lower-case hex SHA-256 of the canonical JSON of a value.
#[must_use]
pub fn canonical_hash(value: &Value) -> String {
    hex_digest(&[canonical_json(value).as_bytes()])
}

/// Lower-case hex SHA-256 of the joined parts.
pub(crate) fn hex_digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    finish(hasher)
}

pub(crate) fn finish(hasher: Sha256) -> String {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let nibble = |value: u8| HEX.get(usize::from(value)).copied().unwrap_or('0');
    hasher.finalize().iter().flat_map(|byte| [nibble(byte >> 4), nibble(byte & 15)]).collect()
}

/// Compares keys by UTF-16 code unit.
pub(crate) fn compare_keys(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// Appends the canonical JSON of a value.
pub(crate) fn write_canonical(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => write_number(out, number),
        Value::String(text) => write_string(out, text),
        Value::Array(list) => {
            out.push('[');
            for (at, element) in list.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_canonical(out, element);
            }
            out.push(']');
        }
        Value::Object(members) => write_object(out, members),
    }
}

fn write_object(out: &mut String, members: &Map<String, Value>) {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_unstable_by(|(a, _), (b, _)| compare_keys(a, b));
    out.push('{');
    for (at, (key, value)) in sorted.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_string(out, key);
        out.push(':');
        write_canonical(out, value);
    }
    out.push('}');
}

/// Appends a string as `JSON.stringify` writes it.
pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain_from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(text.get(plain_from..at).unwrap_or_default());
        plain_from = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            control => {
                // Writing to a String cannot fail.
                let _infallible = write!(out, "\\u{control:04x}");
            }
        }
    }
    out.push_str(text.get(plain_from..).unwrap_or_default());
    out.push('"');
}

fn write_number(out: &mut String, number: &Number) {
    /// Whole numbers up to here print alike as integers and as doubles.
    const EXACT: u64 = 1 << 53;
    if let Some(whole) = number.as_i64().filter(|whole| whole.unsigned_abs() <= EXACT) {
        let _infallible = write!(out, "{whole}");
        return;
    }
    write_double(out, number.as_f64().unwrap_or_default());
}

/// Appends a double as ECMAScript's `Number::toString` prints it.
fn write_double(out: &mut String, double: f64) {
    if double == 0.0 {
        out.push('0');
        return;
    }
    // The exponent form carries the shortest digits that read back as the same double, as ECMAScript asks.
    let shortest = format!("{:e}", double.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((shortest.as_str(), "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point = exponent.parse::<i32>().unwrap_or_default() + 1;
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    if double < 0.0 {
        out.push('-');
    }
    if count <= point && point <= 21 {
        out.push_str(&digits);
        out.push_str(&zeros(point - count));
    } else if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
        let _infallible = write!(out, "{whole}.{fraction}");
    } else if -6 < point && point <= 0 {
        let _infallible = write!(out, "0.{}{digits}", zeros(-point));
    } else {
        let (first, others) = digits.split_at(1);
        out.push_str(first);
        if !others.is_empty() {
            let _infallible = write!(out, ".{others}");
        }
        let exponent = point - 1;
        let _infallible = write!(out, "e{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_sorted_by_utf16_code_unit_at_every_level() {
        let value = json!({"\u{ff5e}": 1, "\u{1f600}": 2, "b": {"_": 1, "B": 2, "a": 3}, "A": []});
        assert_eq!(
            canonical_json(&value),
            "{\"A\":[],\"b\":{\"B\":2,\"_\":1,\"a\":3},\"\u{1f600}\":2,\"\u{ff5e}\":1}"
        );
    }

    #[test]
    fn strings_are_escaped_as_javascript_does() {
        let text = "\"\\\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{2028}é/";
        let expected = "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\u{2028}é/\"";
        assert_eq!(canonical_json(&json!(text)), expected);
    }

    #[test]
    fn numbers_print_as_in_javascript() {
        for (text, expected) in [
            ("1.0", "1"),
            ("-0.0", "0"),
            ("0", "0"),
            ("1e2", "100"),
            ("0.1", "0.1"),
            ("123.456", "123.456"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("1.5e300", "1.5e+300"),
            ("1e-6", "0.000001"),
            ("1e-7", "1e-7"),
            ("-1.25e-9", "-1.25e-9"),
            ("5e-324", "5e-324"),
            ("9007199254740993", "9007199254740992"),
            ("12345678901234567890", "12345678901234567000"),
            ("-42", "-42"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(canonical_json(&value), expected, "{text}");
        }
    }

    #[test]
    fn nothing_has_the_known_hash() {
        let nothing = json!({"front_matter": {}, "body": ""});
        assert_eq!(
            canonical_hash(&nothing),
            "3cc22dff72be7b14824654a7a64ea62b04799939b2fee54c1b5f52ca60bf6df0"
        );
    }
}
