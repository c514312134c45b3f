//! What a flow asks of its driver, and what it is told.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::{Issuer, Resource, Scopes};

use super::super::credential::Credential;
use super::super::http_url::HttpUrl;
use super::super::secret::Secret;
use super::known::Granted;

/// What is to be done next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Fetch, and tell [`Event::Answered`] or [`Event::Unreachable`].
    Fetch(Fetch),
    /// Hold the issuer, read its credential, and tell [`Event::Loaded`].
    Load(Issuer),
    /// Write the credential in the place of what was read or written before, and tell [`Event::Stored`].
    Save {
        /// Whose.
        issuer: Issuer,
        /// What.
        credential: Credential,
    },
    /// Remove what was read or written before, and tell [`Event::Stored`].
    Remove(Issuer),
    /// Ask the user for the id of this client at an issuer, and tell [`Event::Client`].
    AskClient(Issuer),
    /// Get an assertion for an issuer from whoever vouches for this client, and tell [`Event::Asserted`].
    Assert {
        /// Who has to believe it.
        issuer: Issuer,
        /// What for.
        resource: Resource,
    },
    /// Send the user to a page, and tell [`Event::Returned`] or [`Event::Declined`].
    SendUser {
        /// The page: an `https` URL, or one of this machine.
        url: String,
        /// Who asks for consent there.
        issuer: Issuer,
        /// What for.
        resource: Resource,
        /// Which scopes; `None` leaves them to the issuer.
        scopes: Option<Scopes>,
    },
    /// Nothing: the flow has ended well.
    Finish(Box<Granted>),
}

/// A request to another server. Its answer is read up to [`LONGEST_METADATA`](crate::authorization::LONGEST_METADATA) bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetch {
    /// Where to.
    pub url: HttpUrl,
    /// What is handed in.
    pub body: FetchBody,
    /// The value of `Authorization`.
    pub authorization: Option<Secret>,
}

impl Fetch {
    /// Whether the client registers itself by this.
    pub const fn is_registration(&self) -> bool {
        matches!(self.body, FetchBody::Json(_))
    }
}

/// What a request hands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FetchBody {
    /// Nothing: a document is asked for.
    None,
    /// A form, encoded.
    Form(Secret),
    /// JSON: the client's registration.
    Json(String),
}

/// What came of an action.
#[derive(Clone, PartialEq, Eq)]
pub enum Event {
    /// A response. Redirects are responses like any other.
    Answered {
        /// Its status.
        status: u16,
        /// Its body.
        body: Vec<u8>,
    },
    /// There is no response, or a longer one than is read.
    Unreachable,
    /// What is kept of the issuer, which is held from now on.
    Loaded(Option<Credential>),
    /// It was written or removed.
    Stored,
    /// The id that the user told, and the secret, if there is one; `None` for no id.
    Client(Option<(String, Option<Secret>)>),
    /// The assertion; `None` when nobody vouches.
    Asserted(Option<Secret>),
    /// Where the user was sent back to.
    Returned(String),
    /// The user did not consent.
    Declined,
}

impl core::fmt::Debug for Event {
    /// Without bodies and places, which hold codes and tokens.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Answered { status, body } => write!(f, "Answered({status}, {} bytes)", body.len()),
            Self::Unreachable => f.write_str("Unreachable"),
            Self::Loaded(credential) => f.debug_tuple("Loaded").field(credential).finish(),
            Self::Stored => f.write_str("Stored"),
            Self::Client(client) => write!(f, "Client({})", if client.is_some() { ".." } else { "none" }),
            Self::Asserted(assertion) => f.debug_tuple("Asserted").field(assertion).finish(),
            Self::Returned(_) => f.write_str("Returned(..)"),
            Self::Declined => f.write_str("Declined"),
        }
    }
}
