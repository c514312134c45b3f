//! What is known once metadata was found, and what a flow gains.

use crate::access::{Resource, Scopes};

use super::super::credential::Credential;
use super::super::server_metadata::ServerMetadata;
use super::super::token_response::TokenSet;

/// A resource and the authorization server that was chosen for it, both by checked metadata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownServer {
    /// The resource, letter for letter as it was published.
    pub resource: Resource,
    /// Its scopes of basic use.
    pub scopes_supported: Option<Scopes>,
    /// Who issues tokens for it.
    pub server: ServerMetadata,
}

/// What a flow gained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Granted {
    /// Whom the tokens are from, and for what they are good.
    pub known: KnownServer,
    /// What is kept of the issuer now.
    pub credential: Credential,
    /// The tokens for the resource.
    pub tokens: TokenSet,
}
