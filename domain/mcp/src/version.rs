//! Protocol revisions.

use core::fmt;

/// The canonical revision, the one source for it in the whole project.
pub const PROTOCOL_VERSION: &str = "2026-07-28";

/// The revisions that per-request metadata can select, newest first
/// ([Versioning](https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning)).
pub const SUPPORTED_VERSIONS: &[&str] = &[PROTOCOL_VERSION];

/// A revision that this library speaks. A value that exists is supported.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProtocolVersion(&'static str);

impl ProtocolVersion {
    /// Finds the supported revision with exactly this name.
    ///
    /// ```
    /// use pm_mcp_domain::version::ProtocolVersion;
    /// assert!(ProtocolVersion::parse("2026-07-28").is_some());
    /// assert!(ProtocolVersion::parse("1900-01-01").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        SUPPORTED_VERSIONS.iter().find(|known| **known == text).map(|known| Self(known))
    }

    /// The revision's name as it stands on the wire.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
