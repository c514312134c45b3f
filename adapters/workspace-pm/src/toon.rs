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
