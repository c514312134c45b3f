//! What a message brings along to show whom it acts for.

use core::fmt;

use super::token::{PresentedToken, TokenFault};

/// What a message brings along to show whom it acts for, as its transport received it. Nobody has looked into it yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Credential<'a> {
    /// The transport itself vouches for whom the message acts for: a process of the same user over stdio, whose
    /// credentials come from its environment. Nothing is asked of such a message.
    Local,
    /// The message brings nothing.
    Absent,
    /// The message brings this bearer token.
    Bearer(&'a str),
    /// The message brings something that cannot be looked into.
    Faulty(CredentialFault),
}

impl Credential<'_> {
    /// The token, if there is one that can be looked into.
    ///
    /// # Errors
    ///
    /// [`CredentialFault`] when there is something that cannot be.
    pub fn token(self) -> Result<Option<PresentedToken>, CredentialFault> {
        match self {
            Self::Local | Self::Absent => Ok(None),
            Self::Bearer(token) => PresentedToken::parse(token).map(Some).map_err(CredentialFault::Token),
            Self::Faulty(fault) => Err(fault),
        }
    }
}

impl fmt::Debug for Credential<'_> {
    /// The token is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Local => "Local",
            Self::Absent => "Absent",
            Self::Bearer(_) => "Bearer(..)",
            Self::Faulty(_) => "Faulty",
        })
    }
}

/// Why a credential cannot be looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CredentialFault {
    /// There are several `Authorization` headers.
    Twice,
    /// The `Authorization` header has another scheme than `Bearer`.
    OtherScheme,
    /// The bearer token is no token.
    Token(TokenFault),
}

impl fmt::Display for CredentialFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice => f.write_str("send one Authorization header, not several"),
            Self::OtherScheme => f.write_str("the Authorization header must be Bearer and a token"),
            Self::Token(fault) => fault.fmt(f),
        }
    }
}
