//! The key of list cursors.

use std::fmt;

/// The configured key of list cursors. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct CursorKey(Vec<u8>);

impl CursorKey {
    pub(super) fn new(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    /// The bytes, for the signer.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CursorKey(<redacted>)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_not_show() {
        assert_eq!(format!("{:?}", CursorKey::new(b"0123")), "CursorKey(<redacted>)");
    }
}
