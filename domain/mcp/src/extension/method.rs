//! A method that an extension adds.

use super::id::ExtensionId;

/// A method that an extension adds; [`Extensions`](super::Extensions) knows those of a server.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExtensionMethod {
    name: &'static str,
    extension: ExtensionId,
}

impl ExtensionMethod {
    pub(super) const fn new(name: &'static str, extension: ExtensionId) -> Self {
        Self { name, extension }
    }

    /// The method's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.name
    }

    /// The extension that it belongs to.
    #[must_use]
    pub const fn extension(self) -> ExtensionId {
        self.extension
    }
}
