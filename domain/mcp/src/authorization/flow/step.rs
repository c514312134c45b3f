//! Where a flow stands: each step holds what it needs, and nothing else.

use alloc::vec::Vec;

use crate::access::{Issuer, Scopes};

use super::super::client::ClientRegistration;
use super::super::credential::Credential;
use super::super::http_url::HttpUrl;
use super::super::pending::PendingAuthorization;
use super::super::resource_metadata::ResourceMetadata;
use super::super::server_metadata::ServerMetadataFault;
use super::super::token_response::TokenSet;
use super::fault::FlowFault;
use super::known::KnownServer;

/// What the flow waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The metadata of the resource.
    Resource {
        /// The place that was asked.
        asked: HttpUrl,
        /// The places after it, the next one last.
        left: Vec<HttpUrl>,
        /// What was wrong with the documents so far.
        fault: Option<FlowFault>,
    },
    /// The metadata of an authorization server.
    Server {
        resource: ResourceMetadata,
        issuer: Issuer,
        /// The issuers after it, the next one last.
        issuers: Vec<Issuer>,
        /// The places after the one that was asked, the next one last.
        left: Vec<HttpUrl>,
        /// What was wrong with the documents of this issuer so far.
        fault: Option<ServerMetadataFault>,
    },
    /// What is kept of the issuer.
    Credential { known: KnownServer },
    /// The answer to a refresh.
    Refresh { known: KnownServer, credential: Credential, spent: TokenSet },
    /// That what is void is forgotten, before the client asks anew.
    Forget { known: KnownServer, left: Option<Credential> },
    /// The answer to a registration.
    Register { known: KnownServer },
    /// The id that the user tells.
    Client { known: KnownServer },
    /// That the registration is kept, so that it is not lost when the user hesitates.
    KeepClient { known: KnownServer, client: ClientRegistration },
    /// The user.
    User { known: KnownServer, pending: PendingAuthorization, credential: Credential },
    /// The assertion.
    Assertion { known: KnownServer, credential: Credential, scopes: Option<Scopes> },
    /// The answer to a code, an assertion or the client's own credentials.
    Redeem { known: KnownServer, credential: Credential, scopes: Option<Scopes> },
    /// That the tokens are kept.
    KeepTokens { known: KnownServer, credential: Credential, tokens: TokenSet },
    /// That a registration which is void is forgotten, before the flow ends.
    Fail { fault: FlowFault },
    /// Nothing.
    Done,
}
