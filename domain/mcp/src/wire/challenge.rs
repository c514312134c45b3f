//! The challenge of a refused caller, for the header `WWW-Authenticate`
//! ([RFC 6750 section 3](https://www.rfc-editor.org/rfc/rfc6750#section-3),
//! [RFC 9728 section 5.1](https://www.rfc-editor.org/rfc/rfc9728#section-5.1)).

use core::fmt;

use crate::access::Scopes;

/// What a challenge says is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChallengeError {
    /// The request is malformed.
    InvalidRequest,
    /// The token is of no use here.
    InvalidToken,
    /// The token allows too little.
    InsufficientScope,
}

impl ChallengeError {
    const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidToken => "invalid_token",
            Self::InsufficientScope => "insufficient_scope",
        }
    }
}

/// One `Bearer` challenge; each parameter stands in it once.
#[derive(Clone, Copy, Debug)]
pub struct Challenge<'a> {
    /// Where the metadata of the resource is.
    pub metadata_url: &'a str,
    /// All scopes that the operation needs; an empty set is left out.
    pub scopes: &'a Scopes,
    /// What is wrong, if the caller presented something.
    pub error: Option<ChallengeError>,
    /// What is wrong, for a developer.
    pub description: Option<&'a str>,
}

impl fmt::Display for Challenge<'_> {
    /// The value of the header.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bearer resource_metadata=\"{}\"", Quoted(self.metadata_url))?;
        if !self.scopes.is_empty() {
            // A scope has no character that would need an escape.
            write!(f, ", scope=\"{}\"", self.scopes)?;
        }
        if let Some(error) = self.error {
            write!(f, ", error=\"{}\"", error.as_str())?;
        }
        if let Some(description) = self.description {
            write!(f, ", error_description=\"{}\"", Quoted(description))?;
        }
        Ok(())
    }
}

/// Text that can stand between quotes: what RFC 6750 does not allow there is left out.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        let allowed = |next: &char| matches!(next, ' '..='~') && !matches!(next, '"' | '\\');
        self.0.chars().filter(allowed).try_for_each(|next| f.write_char(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_challenge_cannot_be_broken_out_of() {
        let challenge = Challenge {
            metadata_url: "https://h/x",
            scopes: Scopes::NONE,
            error: Some(ChallengeError::InvalidToken),
            description: Some("a\", scope=\"all\"\r\nX: y\\"),
        };
        assert_eq!(
            challenge.to_string(),
            "Bearer resource_metadata=\"https://h/x\", error=\"invalid_token\", \
             error_description=\"a, scope=allX: y\""
        );
    }
}
