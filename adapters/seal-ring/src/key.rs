//! Which keys are strong enough.

/// The fewest bytes of a configured key: as many as SHA-256 gives, below which HMAC is weaker
/// than its hash (RFC 2104 section 3).
pub const SHORTEST_KEY: usize = 32;

/// A configured key is too short to protect anything. It says the length, never the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the key has {length} bytes and needs at least {SHORTEST_KEY}; make one with `openssl rand -base64 48`"
)]
pub struct KeyTooShort {
    /// The length of the refused key, in bytes.
    pub length: usize,
}

/// `key`, if it is long enough.
pub(crate) fn strong(key: &[u8]) -> Result<&[u8], KeyTooShort> {
    if key.len() < SHORTEST_KEY { Err(KeyTooShort { length: key.len() }) } else { Ok(key) }
}
