//! Whom a service lets in.

use std::sync::Arc;

use pm_mcp_domain::wire::ProtectedResource;

/// Whom a service lets in, so that a transport knows where it may listen and what it tells those who stay out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Admission {
    /// Whoever reaches the transport. Nobody said that strangers may, so it must not be reachable from other machines.
    Local,
    /// Whoever reaches the transport, as the host said on purpose.
    Anyone,
    /// Holders of a token; the metadata says who issues them.
    Tokens(Arc<ProtectedResource>),
}

impl Admission {
    /// The metadata of the resource, where tokens are asked for.
    pub fn metadata(&self) -> Option<&ProtectedResource> {
        match self {
            Self::Local | Self::Anyone => None,
            Self::Tokens(metadata) => Some(metadata),
        }
    }
}
