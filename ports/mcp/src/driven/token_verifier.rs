//! Whether a token is authentic.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::{Grant, PresentedToken};
use pm_mcp_domain::time::Timestamp;
use thiserror::Error;

/// Authenticates tokens: says what is in one, and only of one that is beyond doubt.
///
/// It decides nothing else. Issuer, audience, time and scopes are looked at by
/// [`authorize`](pm_mcp_domain::access::authorize) for every verifier alike, so that none can forget a check; a verifier
/// may refuse earlier what it sees to be wrong.
///
/// # Laws
///
/// - TV-01: an authentic token gives a grant with issuer, subject, audiences, scopes, client and times as the issuer set
///   them, letter for letter; nothing is added and nothing left out.
/// - TV-02: any other text is [`VerifyError::Invalid`]: a token that was cut, lengthened or changed in one character, one
///   that somebody else made, and one that was taken back.
/// - TV-03: a token whose time is over, seen from `now`, is refused as [`VerifyError::Expired`], or gives a grant whose
///   `expires` says so; it is never `Invalid`, because the client should get a new one.
/// - TV-04: while the verifier cannot tell, it says [`VerifyError::Unavailable`]: neither a grant nor `Invalid`. What it
///   learned before may serve for a while that the verifier states.
/// - TV-05: the answer depends on the token, `now` and what the issuer says; not on who asks, or in what order. Equal
///   tokens at one time give equal grants.
/// - TV-06: nothing of the token, and no key, shows in what the verifier gives out: grants, errors with their sources,
///   `Debug` and logs.
///
/// If the future is dropped, the token was looked at or not; nothing that can be seen follows from it. Any number of
/// callers may verify at once. How fast an answer comes is not promised.
///
/// ```
/// use async_trait::async_trait;
/// use pm_mcp_domain::access::{Grant, PresentedToken, Scopes};
/// use pm_mcp_domain::time::Timestamp;
/// use pm_mcp_ports::driven::{TokenVerifier, VerifyError};
///
/// /// Asks a directory of this company who holds a token.
/// #[derive(Debug)]
/// struct Directory;
///
/// #[async_trait]
/// impl TokenVerifier for Directory {
///     async fn verify(&self, token: &PresentedToken, _now: Timestamp) -> Result<Grant, VerifyError> {
///         let Some(holder) = look_up(token.expose()).await.map_err(VerifyError::unavailable)? else {
///             return Err(VerifyError::invalid("the directory does not know it"));
///         };
///         Ok(Grant {
///             issuer: "https://login.example".into(),
///             subject: holder,
///             audiences: vec!["https://tools.example/mcp".into()],
///             scopes: Scopes::parse("files:read").map_err(VerifyError::invalid)?,
///             client: None,
///             expires: None,
///             not_before: None,
///         })
///     }
/// }
/// # async fn look_up(_: &str) -> Result<Option<String>, std::io::Error> { Ok(None) }
/// ```
#[async_trait]
pub trait TokenVerifier: Debug + Send + Sync + 'static {
    /// What is in the token, if it is authentic.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Invalid`] when it is not, [`VerifyError::Expired`] when its time is over, and
    /// [`VerifyError::Unavailable`] when that cannot be told now.
    async fn verify(&self, token: &PresentedToken, now: Timestamp) -> Result<Grant, VerifyError>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<V: TokenVerifier + ?Sized> TokenVerifier for $pointer<V> {
            async fn verify(&self, token: &PresentedToken, now: Timestamp) -> Result<Grant, VerifyError> {
                (**self).verify(token, now).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// A token gives no grant. What is inside is for the log only: peers read one sentence for each variant. It must hold
/// nothing of the token.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The token is not authentic, or was taken back: status 401.
    #[error("the token is not valid")]
    Invalid(#[source] Box<dyn Error + Send + Sync>),
    /// The token was authentic, and its time is over: status 401.
    #[error("the token has expired")]
    Expired,
    /// The verifier cannot tell: status 503, so that an outage does not look like a bad token.
    #[error("the token cannot be verified at the moment")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

impl VerifyError {
    /// The token is not authentic, and why, for the log.
    pub fn invalid(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Invalid(reason.into())
    }

    /// The verifier cannot tell, and why, for the log.
    pub fn unavailable(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(reason.into())
    }
}
