//! An authorization request that was made, and the response to it
//! ([Authorization response validation](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-response-validation)).

use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

use crate::access::{Issuer, Resource, Scopes};

use super::bearer::showable;
use super::client::ClientRegistration;
use super::form;
use super::http_url::HttpUrl;
use super::pkce::{CodeVerifier, RequestState};
use super::redirect_uri::RedirectUri;
use super::scopes::OFFLINE_ACCESS;
use super::secret::Secret;
use super::server_metadata::ServerMetadata;

/// The longest response that is read, in bytes.
const LONGEST_RESPONSE: usize = 16 << 10;

/// What is remembered of an authorization request until its response: everything that the response is checked against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingAuthorization {
    /// Who was asked.
    pub issuer: Issuer,
    /// Whether its responses always say who they are from.
    pub response_names_issuer: bool,
    /// Where the code is redeemed.
    pub token_endpoint: HttpUrl,
    /// As whom.
    pub client: ClientRegistration,
    /// Where the user is sent back to.
    pub redirect_uri: RedirectUri,
    /// For which resource, letter for letter as it was published.
    pub resource: Resource,
    /// The scopes that were asked for; `None` leaves them to the server.
    pub scopes: Option<Scopes>,
    /// What the code is bound to.
    pub verifier: CodeVerifier,
    /// What the response is bound to.
    pub state: RequestState,
}

impl PendingAuthorization {
    /// Where to send the user: the authorization endpoint, with its own query kept (RFC 6749 section 3.1).
    pub fn url(&self, server: &ServerMetadata) -> String {
        let endpoint = server.authorization_endpoint.as_str();
        let mut url = String::from(endpoint);
        url.push(if endpoint.contains('?') { '&' } else { '?' });
        form::append(&mut url, "response_type", "code");
        form::append(&mut url, "client_id", &self.client.client_id);
        form::append(&mut url, "redirect_uri", self.redirect_uri.as_str());
        form::append(&mut url, "code_challenge", &self.verifier.challenge());
        form::append(&mut url, "code_challenge_method", "S256");
        form::append(&mut url, "state", self.state.expose());
        form::append(&mut url, "resource", self.resource.as_str());
        if let Some(scopes) = &self.scopes {
            form::append(&mut url, "scope", &alloc::format!("{scopes}"));
            if scopes.iter().any(|scope| scope.as_str() == OFFLINE_ACCESS) {
                // OpenID Connect Core section 11: without asking for consent the server ignores the scope.
                form::append(&mut url, "prompt", "consent");
            }
        }
        url
    }

    /// Reads where the user was sent back to and gives the code.
    ///
    /// Whether the response belongs to this request is looked at first, and before anything else of it is believed or
    /// shown: its state, then its issuer, letter for letter.
    ///
    /// # Errors
    ///
    /// [`AuthorizationResponseFault`] when there is no code that may be redeemed.
    pub fn read_response(&self, returned_to: &str) -> Result<Secret, AuthorizationResponseFault> {
        if returned_to.len() > LONGEST_RESPONSE {
            return Err(AuthorizationResponseFault::Malformed);
        }
        let whole = returned_to.split_once('#').map_or(returned_to, |(whole, _)| whole);
        let (_, query) = whole.split_once('?').ok_or(AuthorizationResponseFault::Malformed)?;
        let pairs = form::decode(query).ok_or(AuthorizationResponseFault::Malformed)?;
        let state = single(&pairs, "state")?.ok_or(AuthorizationResponseFault::OtherState)?;
        if !self.state.is(state) {
            return Err(AuthorizationResponseFault::OtherState);
        }
        match single(&pairs, "iss")? {
            Some(issuer) if issuer != self.issuer.as_str() => {
                return Err(AuthorizationResponseFault::OtherIssuer);
            }
            None if self.response_names_issuer => return Err(AuthorizationResponseFault::NoIssuer),
            _ => {}
        }
        if let Some(code) = single(&pairs, "error")? {
            let description = single(&pairs, "error_description")?.unwrap_or_default();
            return Err(AuthorizationResponseFault::Refused {
                code: showable(code),
                description: showable(description),
            });
        }
        match single(&pairs, "code")? {
            Some(code) if !code.is_empty() => Ok(Secret::new(code)),
            _ => Err(AuthorizationResponseFault::Malformed),
        }
    }
}

/// The value of a parameter that may occur once.
fn single<'a>(
    pairs: &'a [(String, String)],
    name: &str,
) -> Result<Option<&'a str>, AuthorizationResponseFault> {
    let found: Vec<&str> =
        pairs.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str()).collect();
    match found.as_slice() {
        [] => Ok(None),
        [value] => Ok(Some(value)),
        _ => Err(AuthorizationResponseFault::Malformed),
    }
}

/// Why an authorization response gives no code. Nothing of a response that may be another's is repeated.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AuthorizationResponseFault {
    /// It is no response of the code flow, or says something twice.
    #[error("the authorization response is none of the code flow")]
    Malformed,
    /// It belongs to no request of this client, or to another one.
    #[error("the state of the authorization response is not that of the request")]
    OtherState,
    /// It is from another authorization server than the one that was asked.
    #[error("the authorization response is from another issuer than the one that was asked")]
    OtherIssuer,
    /// It does not say whom it is from, though the server always does.
    #[error(
        "the authorization response does not say which issuer it is from, though the server announces that it does"
    )]
    NoIssuer,
    /// The user or the server said no.
    #[error("the authorization server refuses: {code} {description}")]
    Refused {
        /// The error code of RFC 6749 section 4.1.2.1, such as `access_denied`.
        code: String,
        /// What the server says to it, cut to a bound.
        description: String,
    },
}

#[cfg(test)]
mod tests;
