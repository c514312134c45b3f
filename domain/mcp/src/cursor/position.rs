//! A place in a list.

use alloc::{string::String, vec::Vec};

const OFFSET: u8 = 0;
const AFTER: u8 = 1;

/// Where in a list a page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CursorPosition {
    /// At this number, counted from zero.
    Offset(u64),
    /// After the entry with this key, for lists ordered by key.
    After(String),
}

impl CursorPosition {
    pub(super) fn encode_into(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Offset(offset) => {
                bytes.push(OFFSET);
                bytes.extend_from_slice(&offset.to_be_bytes());
            }
            Self::After(key) => {
                bytes.push(AFTER);
                bytes.extend_from_slice(key.as_bytes());
            }
        }
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (&OFFSET, offset) => Some(Self::Offset(u64::from_be_bytes(offset.try_into().ok()?))),
            (&AFTER, key) => core::str::from_utf8(key).ok().map(|key| Self::After(key.into())),
            _ => None,
        }
    }
}
