//! What a verifier found in a token.

use alloc::string::String;
use alloc::vec::Vec;

use super::scope::Scopes;
use crate::time::Timestamp;

/// What a token says, once its authenticity is beyond doubt. It holds nothing of the token itself.
///
/// A verifier fills in what it found and decides nothing about it: issuer, audience, time and scopes are looked at by
/// [`authorize`](super::authorize), for every verifier alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// Who issued the token, letter for letter.
    pub issuer: String,
    /// Whom it acts for, as the issuer names them. Empty where the token names nobody, which is refused.
    pub subject: String,
    /// For which resources it was issued, letter for letter. A token for none is refused.
    pub audiences: Vec<String>,
    /// What it allows.
    pub scopes: Scopes,
    /// The client that it was issued to, if it says so.
    pub client: Option<String>,
    /// When it ends. `None` only where the issuer sets no end, as for a token that is part of a deployment.
    pub expires: Option<Timestamp>,
    /// When it begins, if it says so.
    pub not_before: Option<Timestamp>,
}
