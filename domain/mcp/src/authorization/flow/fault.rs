//! Why a flow ends without tokens.

use thiserror::Error;

use crate::access::Issuer;

use super::super::http_url::UrlFault;
use super::super::pending::AuthorizationResponseFault;
use super::super::registration::RegistrationFault;
use super::super::resource_metadata::ResourceMetadataFault;
use super::super::server_metadata::ServerMetadataFault;
use super::super::token_response::TokenResponseFault;

/// There are no tokens, and why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FlowFault {
    /// The server is asked over plain HTTP, where everybody on the way could read a token.
    #[error("the server is asked over plain HTTP; tokens are sent over https, or to this machine, only")]
    NotProtected,
    /// An address is too long to have anything appended, or cannot be fetched from.
    #[error("an address of the server cannot be used")]
    Url(#[source] UrlFault),
    /// The server refuses and says nowhere who issues tokens for it.
    #[error("the server publishes no metadata of a protected resource where clients look for it")]
    NoResourceMetadata,
    /// What the server says of itself must not be believed.
    #[error("the metadata of the server is not used")]
    ResourceMetadata(#[source] ResourceMetadataFault),
    /// No authorization server of the resource publishes metadata.
    #[error("the authorization server {issuer} publishes no metadata where clients look for it")]
    NoServerMetadata {
        /// The last one that was asked.
        issuer: Issuer,
    },
    /// What an authorization server says of itself must not be believed.
    #[error("the metadata of the authorization server {issuer} is not used")]
    ServerMetadata {
        /// The last one that was asked.
        issuer: Issuer,
        /// Why.
        #[source]
        fault: ServerMetadataFault,
    },
    /// The client did not become known.
    #[error("the client is not known to the authorization server")]
    Registration(#[source] RegistrationFault),
    /// There is no way left to become known.
    #[error(
        "this client has no id at {issuer}; give it one in the settings, or a metadata document, or let the user tell one"
    )]
    NoClient {
        /// Where.
        issuer: Issuer,
    },
    /// Only the user could help, and was not to be asked.
    #[error("a new token needs the consent of the user")]
    ConsentNeeded,
    /// Nobody vouches for the client.
    #[error("nobody gives an assertion for {issuer}; name a source of assertions")]
    NoAssertion {
        /// Who would have to believe it.
        issuer: Issuer,
    },
    /// The user did not consent.
    #[error("the user did not consent")]
    Declined,
    /// What came back from the user's visit is no consent to this request.
    #[error("the authorization response is not taken")]
    Response(#[source] AuthorizationResponseFault),
    /// The authorization server gives no token.
    #[error(transparent)]
    Token(TokenResponseFault),
    /// The authorization server gives no answer; nothing was lost.
    #[error("the authorization server {issuer} gives no answer")]
    Unreachable {
        /// Which one.
        issuer: Issuer,
    },
    /// The driver told something that was not asked.
    #[error("the flow was told something that it did not ask for")]
    Unexpected,
}
