//! What a client is to an authorization server.

use alloc::string::String;

use super::secret::Secret;

/// The longest client id and the longest client secret that are read, in bytes.
pub const LONGEST_CLIENT_ID: usize = 2048;

/// A client as one authorization server knows it. It means nothing to any other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientRegistration {
    /// Its id there.
    pub client_id: String,
    /// How it shows at the token endpoint that it is this client.
    pub authentication: ClientAuthentication,
    /// How it came to be known.
    pub origin: RegistrationOrigin,
}

/// How a client authenticates at the token endpoint (RFC 6749 section 2.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientAuthentication {
    /// Not at all: a public client.
    None,
    /// By its secret in the `Authorization` header.
    SecretBasic(Secret),
    /// By its secret in the form.
    SecretPost(Secret),
}

/// How a client came to be known to an authorization server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegistrationOrigin {
    /// Somebody registered it beforehand.
    PreRegistered,
    /// Its id is the URL of its metadata document.
    MetadataDocument,
    /// It registered itself.
    Dynamic,
    /// The user told its id.
    UserSupplied,
}

impl ClientAuthentication {
    /// How a client with this secret, or without one, authenticates at a server that takes these methods: by header if
    /// it may, by form if not.
    ///
    /// A secret is never left out and never sent in a way that the server does not list: `None` then.
    pub fn choose(secret: Option<&Secret>, methods: &[String]) -> Option<Self> {
        let takes = |method: &str| methods.iter().any(|found| found == method);
        match secret {
            None => Some(Self::None),
            Some(secret) if takes("client_secret_basic") => Some(Self::SecretBasic(secret.clone())),
            Some(secret) if takes("client_secret_post") => Some(Self::SecretPost(secret.clone())),
            Some(_) => None,
        }
    }
}
