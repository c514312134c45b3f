//! How a client becomes known to an authorization server
//! ([Client registration](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

use crate::access::Issuer;

use super::bearer::showable;
use super::client::{ClientAuthentication, ClientRegistration, LONGEST_CLIENT_ID, RegistrationOrigin};
use super::client_document::ClientDocumentUrl;
use super::http_url::HttpUrl;
use super::redirect_uri::RedirectUri;
use super::resource_metadata::LONGEST_METADATA;
use super::secret::Secret;
use super::server_metadata::ServerMetadata;

/// How often a client registers itself at one authorization server before it gives up.
pub const MOST_REGISTRATIONS: u8 = 2;

/// What a client says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientProfile {
    /// The name that users are shown.
    pub client_name: String,
    /// Where users are sent back to.
    pub redirect_uri: RedirectUri,
    /// Ids that it was given beforehand, each by one issuer.
    pub known: Vec<KnownClient>,
    /// Its metadata document, if it has one.
    pub document: Option<ClientDocumentUrl>,
    /// Whether it registers itself where nothing else helps. Dynamic registration is deprecated.
    pub registers_itself: bool,
}

/// A client that somebody registered at one issuer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownClient {
    /// Where.
    pub issuer: Issuer,
    /// Its id there.
    pub client_id: String,
    /// Its secret, if it has one.
    pub secret: Option<Secret>,
}

impl KnownClient {
    /// The client as the issuer's metadata says that it may authenticate.
    ///
    /// # Errors
    ///
    /// [`RegistrationFault::Elsewhere`] for another issuer's metadata, [`RegistrationFault::Authentication`] when the
    /// server takes no secret in a way that is known here.
    pub fn at(
        &self,
        server: &ServerMetadata,
        origin: RegistrationOrigin,
    ) -> Result<ClientRegistration, RegistrationFault> {
        if self.issuer != server.issuer {
            return Err(RegistrationFault::Elsewhere);
        }
        let authentication =
            ClientAuthentication::choose(self.secret.as_ref(), &server.token_endpoint_auth_methods)
                .ok_or(RegistrationFault::Authentication)?;
        Ok(ClientRegistration { client_id: self.client_id.clone(), authentication, origin })
    }
}

/// What a client does to be known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegistrationChoice {
    /// It is known, or need not be.
    Use(ClientRegistration),
    /// It registers itself at this endpoint.
    Register(HttpUrl),
    /// It asks the user for an id.
    AskUser,
}

/// Chooses: an id that was given beforehand; what an earlier registration at this issuer gave; the metadata document,
/// where the server takes one; registration by the client itself, a bounded number of times; an id that the user knows.
///
/// # Errors
///
/// [`RegistrationFault::Authentication`] when the server takes a known client's secret in no way that is known here.
pub fn choose_registration(
    profile: &ClientProfile,
    server: &ServerMetadata,
    earlier: Option<&ClientRegistration>,
    registrations: u8,
) -> Result<RegistrationChoice, RegistrationFault> {
    if let Some(known) = profile.known.iter().find(|known| known.issuer == server.issuer) {
        return known.at(server, RegistrationOrigin::PreRegistered).map(RegistrationChoice::Use);
    }
    // What once was given beforehand or by document follows the profile of today.
    let lasting = |client: &&ClientRegistration| match client.origin {
        RegistrationOrigin::Dynamic | RegistrationOrigin::UserSupplied => true,
        RegistrationOrigin::PreRegistered | RegistrationOrigin::MetadataDocument => false,
    };
    if let Some(client) = earlier.filter(lasting) {
        return Ok(RegistrationChoice::Use(client.clone()));
    }
    if let Some(document) = profile.document.as_ref().filter(|_| server.takes_client_documents) {
        return Ok(RegistrationChoice::Use(ClientRegistration {
            client_id: document.as_str().into(),
            authentication: ClientAuthentication::None,
            origin: RegistrationOrigin::MetadataDocument,
        }));
    }
    match &server.registration_endpoint {
        Some(endpoint) if profile.registers_itself && registrations < MOST_REGISTRATIONS => {
            Ok(RegistrationChoice::Register(endpoint.clone()))
        }
        _ => Ok(RegistrationChoice::AskUser),
    }
}

/// The document by which a client registers itself
/// ([RFC 7591 section 3.1](https://www.rfc-editor.org/rfc/rfc7591#section-3.1)). A client of the user's machine says
/// `native`, every other `web`, because a server may refuse redirect URIs that do not fit.
pub fn registration_request(profile: &ClientProfile, server: &ServerMetadata) -> String {
    let takes = |method: &&str| server.token_endpoint_auth_methods.iter().any(|found| found == method);
    let method = ["none", "client_secret_basic", "client_secret_post"].into_iter().find(takes);
    let document = json!({
        "client_name": profile.client_name,
        "redirect_uris": [profile.redirect_uri.as_str()],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method.unwrap_or("none"),
        "application_type": if profile.redirect_uri.is_native() { "native" } else { "web" },
    });
    alloc::format!("{document}")
}

#[derive(Deserialize)]
struct Registered {
    client_id: String,
    client_secret: Option<String>,
    token_endpoint_auth_method: Option<String>,
    redirect_uris: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Refused {
    error: String,
    error_description: Option<String>,
}

/// Reads the answer to [`registration_request`].
///
/// # Errors
///
/// [`RegistrationFault`] when the client is not registered as it asked to be.
pub fn read_registration_response(
    status: u16,
    body: &[u8],
    profile: &ClientProfile,
    server: &ServerMetadata,
) -> Result<ClientRegistration, RegistrationFault> {
    if body.len() > LONGEST_METADATA {
        return Err(RegistrationFault::Malformed);
    }
    if !(200..300).contains(&status) {
        let Ok(refused) = serde_json::from_slice::<Refused>(body) else {
            return Err(RegistrationFault::Unavailable { status });
        };
        return Err(RegistrationFault::Refused {
            code: showable(&refused.error),
            description: showable(&refused.error_description.unwrap_or_default()),
        });
    }
    let read: Registered = serde_json::from_slice(body).map_err(|_| RegistrationFault::Malformed)?;
    let secret = read.client_secret.filter(|secret| !secret.is_empty());
    let too_long = |text: &str| text.len() > LONGEST_CLIENT_ID;
    if read.client_id.is_empty() || too_long(&read.client_id) || secret.as_deref().is_some_and(too_long) {
        return Err(RegistrationFault::Malformed);
    }
    let registered = |uris: Vec<String>| uris.iter().any(|uri| uri == profile.redirect_uri.as_str());
    if !read.redirect_uris.is_none_or(registered) {
        return Err(RegistrationFault::RedirectUri);
    }
    let secret = secret.as_deref().map(Secret::new);
    let methods = match &read.token_endpoint_auth_method {
        Some(method) if method == "none" => return Ok(dynamic(read.client_id, ClientAuthentication::None)),
        Some(method) => core::slice::from_ref(method),
        None => &server.token_endpoint_auth_methods,
    };
    // A method that needs a secret and none came: nothing would be accepted.
    if read.token_endpoint_auth_method.is_some() && secret.is_none() {
        return Err(RegistrationFault::Authentication);
    }
    let chosen = ClientAuthentication::choose(secret.as_ref(), methods);
    // Some servers hand out a secret to whoever registers, and want none all the same.
    let public = || methods.iter().any(|method| method == "none").then_some(ClientAuthentication::None);
    let authentication = chosen.or_else(public).ok_or(RegistrationFault::Authentication)?;
    Ok(dynamic(read.client_id, authentication))
}

const fn dynamic(client_id: String, authentication: ClientAuthentication) -> ClientRegistration {
    ClientRegistration { client_id, authentication, origin: RegistrationOrigin::Dynamic }
}

/// Why a client is not known to an authorization server.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RegistrationFault {
    /// The server refused the registration.
    #[error("the authorization server refuses to register this client: {code} {description}")]
    Refused {
        /// The error code of RFC 7591 section 3.2.2, such as `invalid_redirect_uri`.
        code: String,
        /// What the server says to it, cut to a bound.
        description: String,
    },
    /// The server gave no answer that says anything.
    #[error("the authorization server answered the registration with status {status}")]
    Unavailable {
        /// The status.
        status: u16,
    },
    /// The answer is no registration.
    #[error("the answer to the registration is none of RFC 7591")]
    Malformed,
    /// The server registered other redirect URIs than it was asked for.
    #[error("the authorization server did not register the redirect URI of this client")]
    RedirectUri,
    /// The server wants the client to authenticate in a way that is not known here.
    #[error("the authorization server takes none of client_secret_basic, client_secret_post and none")]
    Authentication,
    /// The client belongs to another issuer.
    #[error("the client was registered at another issuer; ids and secrets mean nothing to any other")]
    Elsewhere,
}

#[cfg(test)]
mod tests;
