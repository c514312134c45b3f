//! What binds a state to one caller, one request and a short time.

use thiserror::Error;

use super::nonce::Nonce;
use crate::cursor::ParamsDigest;
use crate::ident::Principal;
use crate::request::Method;
use crate::time::Timestamp;

/// What a state claims of the request that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claims<'a> {
    pub(super) method: &'a str,
    pub(super) digest: [u8; 32],
    pub(super) principal: &'a str,
    pub(super) expires: Timestamp,
    pub(super) nonce: Nonce,
}

/// Why a state is refused: for the log. The peer reads [`ContinuationRefusal::MESSAGE`] in every case, so that it
/// learns nothing of a state that is not its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ContinuationRefusal {
    /// The text was not sealed by this server, or with a key that is gone, or was changed.
    #[error("the state cannot be opened")]
    Unopened,
    /// What was sealed cannot be read.
    #[error("the state has an unknown form")]
    Unreadable,
    /// Its time has passed.
    #[error("the state has expired")]
    Expired,
    /// It belongs to another method.
    #[error("the state belongs to another method")]
    OtherMethod,
    /// It belongs to other parameters.
    #[error("the state belongs to other parameters")]
    OtherParameters,
    /// It was made for another principal.
    #[error("the state was made for another principal")]
    OtherPrincipal,
    /// It was used before.
    #[error("the state was used before")]
    Replayed,
    /// Whether it was used before cannot be told.
    #[error("whether the state was used before cannot be told")]
    GuardUnavailable,
}

impl ContinuationRefusal {
    /// What the peer reads.
    pub const MESSAGE: &'static str =
        "params.requestState is not valid for this request: start the operation again without it";
}

impl<'a> Claims<'a> {
    /// Claims of a request, good until `expires`.
    pub fn new(
        method: Method,
        digest: &ParamsDigest,
        principal: &'a Principal,
        expires: Timestamp,
        nonce: Nonce,
    ) -> Self {
        Self {
            method: method.as_str(),
            digest: *digest.as_bytes(),
            principal: principal.as_str(),
            expires,
            nonce,
        }
    }

    /// Whether the state belongs to this request, at this time. Expiry, method, parameters and principal are looked
    /// at in this order, after the seal and before the replay guard.
    ///
    /// # Errors
    ///
    /// The first claim that does not hold.
    pub fn check(
        &self,
        method: Method,
        digest: &ParamsDigest,
        principal: &Principal,
        now: Timestamp,
    ) -> Result<(), ContinuationRefusal> {
        if now >= self.expires {
            Err(ContinuationRefusal::Expired)
        } else if self.method != method.as_str() {
            Err(ContinuationRefusal::OtherMethod)
        } else if self.digest != *digest.as_bytes() {
            Err(ContinuationRefusal::OtherParameters)
        } else if self.principal != principal.as_str() {
            Err(ContinuationRefusal::OtherPrincipal)
        } else {
            Ok(())
        }
    }

    /// Names the state for the replay guard.
    pub const fn nonce(&self) -> &Nonce {
        &self.nonce
    }

    /// Until when the guard must remember it.
    pub const fn expires(&self) -> Timestamp {
        self.expires
    }
}
