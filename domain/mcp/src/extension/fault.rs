//! What is wrong with an extension, found when a server is built.

use thiserror::Error;

use super::id::ExtensionId;

/// Why a server cannot have an extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ExtensionFault {
    /// The identifier breaks the rules.
    #[error("extension id {0:?} is not usable: prefix/name, as in com.example/audit")]
    Id(&'static str),
    /// The server has the extension already.
    #[error("extension {0} is registered twice")]
    Twice(ExtensionId),
    /// A method's name breaks the rules.
    #[error(
        "method {method:?} of extension {extension} is not usable: 1 to 128 characters of A-Z a-z 0-9 _ . - /"
    )]
    MethodName {
        /// The extension.
        extension: ExtensionId,
        /// The method's name.
        method: &'static str,
    },
    /// A method has the name of one of the protocol's own.
    #[error("method {method:?} of extension {extension} is one of the protocol's own; give it another name")]
    ShadowsCore {
        /// The extension.
        extension: ExtensionId,
        /// The method's name.
        method: &'static str,
    },
    /// Two methods have one name, in one extension or in two.
    #[error("method {method:?} of extension {extension} is there already, by extension {owner}")]
    MethodTaken {
        /// The extension that comes second.
        extension: ExtensionId,
        /// The method's name.
        method: &'static str,
        /// The extension that has it.
        owner: ExtensionId,
    },
    /// Something is marked as needing an extension that the server does not have.
    #[error("{0} is needed, and the server does not have that extension; register it")]
    NotOffered(ExtensionId),
}
