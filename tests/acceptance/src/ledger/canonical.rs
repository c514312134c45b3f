//! Canonical JSON and the hash over it.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

/// The canonical JSON of a value: keys by UTF-16 code unit, no blanks, numbers as JavaScript prints them.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort_by_key(|key| key.encode_utf16().collect::<Vec<u16>>());
            let inner: Vec<String> =
                keys.into_iter().map(|key| format!("{}:{}", text(key), canonical(&members[key]))).collect();
            format!("{{{}}}", inner.join(","))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::String(string) => text(string),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15 => {
                format!("{float:.0}")
            }
            Some(_) | None => number.to_string(),
        },
        Value::Bool(_) | Value::Null => value.to_string(),
    }
}

fn text(string: &str) -> String {
    let mut out = String::from("\"");
    for c in string.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The hash of a document that is in normal form.
pub fn hash_of(metadata: &Map<String, Value>, body: &str) -> String {
    let text = canonical(&json!({"body": body, "front_matter": metadata}));
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
