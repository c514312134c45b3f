//! Names of questions.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use serde::Serialize;
use thiserror::Error;

/// The name under which a question is asked and answered, unique within its request.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct InputKey(String);

/// A text that cannot name a question.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} cannot name a question: 1 to {limit} characters of A-Z a-z 0-9 _ . -", limit = InputKey::LIMIT)]
pub struct KeyFault(String);

impl InputKey {
    /// How many characters a key may have.
    pub const LIMIT: usize = 64;

    /// Reads a key.
    ///
    /// # Errors
    ///
    /// When the text is empty, too long or holds other characters than letters, digits, `_`, `.` and `-`.
    pub fn parse(text: &str) -> Result<Self, KeyFault> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        match (1..=Self::LIMIT).contains(&text.len()) && text.bytes().all(allowed) {
            true => Ok(Self(text.to_owned())),
            false => Err(KeyFault(text.chars().take(Self::LIMIT).collect())),
        }
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InputKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
