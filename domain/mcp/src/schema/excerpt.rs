//! Short pieces of foreign text for messages.

use alloc::{borrow::ToOwned, string::String};

/// The most bytes of foreign text that one message repeats.
const LONGEST: usize = 160;

/// `text`, cut at a character boundary if it is long, so that no message grows with its input.
pub(crate) fn excerpt(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut short = String::from(text.get(..end).unwrap_or_default());
    short.push('…');
    short
}
