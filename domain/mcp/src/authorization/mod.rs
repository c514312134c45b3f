//! Authorization as a client needs it: how it finds, asks and believes an authorization server
//! ([Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization)).
//!
//! Everything here is a pure function of what was received, what is known and, where secrets are made, of random bytes
//! given by the caller. Whoever drives it does the fetching. Texts of other parties are read strictly and within bounds,
//! and identifiers are compared letter for letter.

mod bearer;
mod challenge;
mod client;
mod client_document;
mod credential;
mod flow;
mod form;
mod http_url;
mod pending;
mod pkce;
mod redirect_uri;
mod registration;
mod resource_metadata;
mod scopes;
mod secret;
mod server_metadata;
mod token_request;
mod token_response;
mod well_known;

pub use bearer::{BearerChallenge, BearerError, read_bearer_challenge};
pub use challenge::{
    Challenge, ChallengeFault, LONGEST_CHALLENGE, MOST_CHALLENGES, MOST_PARAMETERS, read_challenges,
};
pub use client::{ClientAuthentication, ClientRegistration, LONGEST_CLIENT_ID, RegistrationOrigin};
pub use client_document::{ClientDocument, ClientDocumentFault, ClientDocumentUrl, check_client_document};
pub use credential::{Credential, CredentialFormFault};
pub use flow::{
    Action, Event, Fetch, FetchBody, Flow, FlowFault, FlowRandom, FlowSettings, GrantKind, Granted,
    KnownServer, Wanted,
};
pub use http_url::{HttpUrl, LONGEST_URL, UrlFault};
pub use pending::{AuthorizationResponseFault, PendingAuthorization};
pub use pkce::{CodeVerifier, RequestState, STATE_BYTES, VERIFIER_BYTES};
pub use redirect_uri::{RedirectUri, RedirectUriFault};
pub use registration::{
    ClientProfile, KnownClient, MOST_REGISTRATIONS, RegistrationChoice, RegistrationFault,
    choose_registration, read_registration_response, registration_request,
};
pub use resource_metadata::{
    LONGEST_METADATA, ResourceMetadata, ResourceMetadataFault, read_resource_metadata,
};
pub use scopes::{Attempts, AttemptsSpent, MOST_ATTEMPTS, select_scopes};
pub use secret::Secret;
pub use server_metadata::{ServerMetadata, ServerMetadataFault, read_server_metadata};
pub use token_request::TokenRequest;
pub use token_response::{Loss, TokenErrorCode, TokenResponseFault, TokenSet, read_token_response};
pub use well_known::{authorization_server_metadata_urls, protected_resource_metadata_urls};
