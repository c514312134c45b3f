//! What an extension is called.

use core::fmt;

use super::fault::ExtensionFault;
use crate::wire::{SKILLS_EXTENSION, TASKS_EXTENSION};

/// The identifier of an extension, `prefix/name`: known when a server is written, so it is never made at run time.
///
/// The prefix is one or more labels with dots between, each of letters, digits and inner hyphens, a letter first; it
/// should be a reversed domain name of whoever wrote the extension. The name has letters, digits and, inside, hyphens,
/// underscores and dots ([`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic#meta), with a
/// mandatory prefix).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExtensionId(&'static str);

impl ExtensionId {
    /// The tasks extension: calls can go on after their request.
    pub const TASKS: Self = Self::new(TASKS_EXTENSION);
    /// The skills extension: a server publishes guides for its use.
    pub const SKILLS: Self = Self::new(SKILLS_EXTENSION);

    /// An identifier that stands in the source, best as a constant: then one that breaks the rules does not compile.
    ///
    /// ```
    /// use pm_mcp_domain::extension::ExtensionId;
    /// const AUDIT: ExtensionId = ExtensionId::new("com.example/audit");
    /// assert_eq!(AUDIT.as_str(), "com.example/audit");
    /// ```
    ///
    /// # Panics
    ///
    /// When the identifier breaks the rules; [`parse`](Self::parse) says so instead.
    #[must_use]
    pub const fn new(id: &'static str) -> Self {
        assert!(is_id(id), "an extension is identified by prefix/name, as in com.example/audit");
        Self(id)
    }

    /// An identifier, if it follows the rules.
    ///
    /// # Errors
    ///
    /// [`ExtensionFault::Id`] when it does not.
    pub const fn parse(id: &'static str) -> Result<Self, ExtensionFault> {
        match is_id(id) {
            true => Ok(Self(id)),
            false => Err(ExtensionFault::Id(id)),
        }
    }

    /// The identifier's text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ExtensionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

const fn is_id(id: &str) -> bool {
    let mut rest = id.as_bytes();
    let mut in_name = false;
    // As if a label had ended, so that one starts.
    let mut before = b'.';
    while let [byte, after @ ..] = rest {
        let fits = match (*byte, in_name) {
            (b'/' | b'.', false) => before.is_ascii_alphanumeric(),
            (b'-', false) => before != b'.',
            (byte, false) if before == b'.' => byte.is_ascii_alphabetic(),
            (b'-' | b'_' | b'.', true) => before != b'/',
            (byte, _) => byte.is_ascii_alphanumeric(),
        };
        if !fits {
            return false;
        }
        in_name = in_name || *byte == b'/';
        before = *byte;
        rest = after;
    }
    in_name && before.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_a_prefix_of_labels_and_a_name() {
        for id in [
            "com.example/audit",
            "io.modelcontextprotocol/ui",
            "a/b",
            "a.b2.c-d/X",
            "com.example/v1.2_beta-3",
            "com.example/2fa",
            "com.example/a--b",
        ] {
            assert_eq!(ExtensionId::parse(id).map(ExtensionId::as_str), Ok(id));
        }
        for id in [
            "",
            "audit",
            "/audit",
            "com.example/",
            "com..example/a",
            ".com/a",
            "com./a",
            "1com/a",
            "com.1x/a",
            "-a/b",
            "a-/b",
            "a.-b/c",
            "a/-b",
            "a/b-",
            "a/.b",
            "a/b.",
            "a/b/c",
            "a b/c",
            "a/b c",
            "ü/a",
            "a/ü",
            "a_b/c",
        ] {
            assert_eq!(ExtensionId::parse(id), Err(ExtensionFault::Id(id)), "{id}");
        }
    }
}
