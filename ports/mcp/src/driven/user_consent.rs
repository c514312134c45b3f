//! The user of a client, where an authorization server needs one.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::{Issuer, Resource, Scopes};
use pm_mcp_domain::authorization::Secret;
use thiserror::Error as ThisError;

/// Asks the user. How a page is shown, how long the user may take, and what listens at the redirect URI are the host's
/// affair; nothing is asked without a call of these.
///
/// A dropped future gives the question up.
#[async_trait]
pub trait UserConsent: fmt::Debug + Send + Sync + 'static {
    /// Opens the page in the user's browser, waits until the user is sent back to the redirect URI, and gives the whole
    /// address that the user was sent back to, with its query.
    ///
    /// The page belongs to the issuer. Whoever shows it should say which server the consent is for, and open it outside
    /// the application, where the user sees whose page it is.
    ///
    /// # Errors
    ///
    /// [`ConsentError`] when the user was not sent back.
    async fn consent(&self, request: &ConsentRequest) -> Result<String, ConsentError>;

    /// The id of this client at an issuer, if the user knows one; asked where the client can become known in no other way.
    ///
    /// # Errors
    ///
    /// [`ConsentError`] when the user cannot be asked.
    async fn client_at(&self, issuer: &Issuer) -> Result<Option<SuppliedClient>, ConsentError>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<U: UserConsent + ?Sized> UserConsent for $pointer<U> {
            async fn consent(&self, request: &ConsentRequest) -> Result<String, ConsentError> {
                (**self).consent(request).await
            }

            async fn client_at(&self, issuer: &Issuer) -> Result<Option<SuppliedClient>, ConsentError> {
                (**self).client_at(issuer).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// What the user is asked to consent to.
#[derive(Clone, PartialEq, Eq)]
pub struct ConsentRequest {
    /// The issuer's page: an `https` URL, or one of this machine. It is good for one visit.
    pub url: String,
    /// Whose page it is.
    pub issuer: Issuer,
    /// The server that the consent is for.
    pub resource: Resource,
    /// What is asked for; `None` leaves it to the issuer.
    pub scopes: Option<Scopes>,
}

impl fmt::Debug for ConsentRequest {
    /// Without the address, which holds the state of the request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentRequest")
            .field("issuer", &self.issuer)
            .field("resource", &self.resource)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// A client as the user knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuppliedClient {
    /// Its id.
    pub client_id: String,
    /// Its secret, if it has one.
    pub secret: Option<Secret>,
}

/// The user was not sent back, or could not be asked.
#[derive(Debug, ThisError)]
pub enum ConsentError {
    /// The user said no, or went away.
    #[error("the user did not consent")]
    Declined,
    /// The user cannot be asked: no browser, nothing that could listen, no user at all.
    #[error("the user cannot be asked")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}
