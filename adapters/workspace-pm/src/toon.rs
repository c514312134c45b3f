//! The one place where item files are decoded and encoded.
//!
//! Everything else sees JSON values, so the codec can be exchanged here.

use serde_json::Value;
use thiserror::Error;

/// Why a text could not be decoded or a value could not be encoded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{detail}")]
pub struct ToonError {
    detail: String,
}

/// Decodes the text of an item file, whose line ends may be LF or CRLF.
///
/// # Errors
/// [`ToonError`] with the codec's own words if the text is not strict TOON; what a stopped writer leaves is not.
pub fn decode(text: &str) -> Result<Value, ToonError> {
    toon_format::decode_strict(text).map_err(|error| ToonError { detail: error.to_string() })
}

/// Encodes a value as the text of an item file, with its one trailing newline.
///
/// # Errors
/// [`ToonError`] if the value is nested deeper than the codec allows.
pub fn encode(value: &Value) -> Result<String, ToonError> {
    let mut text =
        toon_format::encode_default(value).map_err(|error| ToonError { detail: error.to_string() })?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn line_ends_of_other_systems_are_read() {
        let text = "id: a\r\ntags[2]: x,y\r\nrows[1]{a,b}:\r\n  1,z\r\nbody: \"l\\nm\"\r\n";
        let expected = json!({"id": "a", "tags": ["x", "y"], "rows": [{"a": 1, "b": "z"}], "body": "l\nm"});
        assert_eq!(decode(text), Ok(expected));
    }

    #[test]
    fn numbers_and_lookalikes_keep_their_kind() {
        let value = json!({"whole": 120, "part": 0.25, "big": 9_007_199_254_740_991_i64, "text": ["120", "0.25", "true",
            "null", "-", "1e3", "", " x ", "05"], "minus": -3, "none": null, "yes": true});
        assert_eq!(decode(&encode(&value).unwrap()), Ok(value));
    }

    #[test]
    fn cut_off_tables_and_texts_are_refused() {
        for text in ["rows[2]{a,b}:\n  1,2\n", "tags[3]: a,b\n", "body: \"open\n", "rows[1]{a,b}:\n  1\n"] {
            assert!(decode(text).is_err(), "{text}");
        }
    }
}
