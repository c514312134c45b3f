//! Keys.

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

/// The configured keys of sealed state. They are never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct StateKeys {
    active: Vec<u8>,
    older: Vec<Vec<u8>>,
}

impl StateKeys {
    pub(super) fn new(active: &str, older: Option<Vec<String>>) -> Self {
        let older = older.unwrap_or_default().into_iter().map(String::into_bytes).collect();
        Self { active: active.as_bytes().to_vec(), older }
    }

    /// The key that seals and opens.
    #[must_use]
    pub fn active(&self) -> &[u8] {
        &self.active
    }

    /// The keys that open and do not seal.
    pub fn older(&self) -> impl Iterator<Item = &[u8]> {
        self.older.iter().map(Vec::as_slice)
    }
}

impl fmt::Debug for StateKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateKeys(<redacted>)")
    }
}

/// The token of the deployment. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct DeploymentToken(String);

impl DeploymentToken {
    pub(super) fn new(token: &str) -> Self {
        Self(token.to_owned())
    }

    /// The token, for the verifier.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DeploymentToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeploymentToken(<redacted>)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_not_show() {
        assert_eq!(format!("{:?}", CursorKey::new(b"0123")), "CursorKey(<redacted>)");
        assert_eq!(format!("{:?}", DeploymentToken::new("0123")), "DeploymentToken(<redacted>)");
        let keys = StateKeys::new("0123", Some(vec!["4567".to_owned()]));
        assert_eq!(format!("{keys:?}"), "StateKeys(<redacted>)");
    }
}
