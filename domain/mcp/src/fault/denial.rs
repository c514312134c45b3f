//! Refusals of callers, and the table that gives each its code, its HTTP status, its words and its challenge
//! ([Error Handling](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#error-handling),
//! [RFC 6750 section 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1)).

use alloc::string::String;
use core::fmt;

use super::code::ErrorCode;
use crate::access::{AccessRefusal, CredentialFault, Scopes};
use crate::wire::{Challenge, ChallengeError};

/// Why a caller is not let in. It repeats nothing of what the caller presented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denial {
    /// The message brings no token.
    NoToken,
    /// What it brings is no token.
    Credential(CredentialFault),
    /// The token is not authentic.
    Invalid,
    /// The verifier saw that the token's time is over.
    Expired,
    /// The token is authentic and not enough.
    Refused(AccessRefusal),
    /// Nobody can tell at the moment whether the token is authentic.
    Unavailable,
}

impl Denial {
    /// The error code on the wire.
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::NoToken | Self::Credential(_) | Self::Invalid | Self::Expired | Self::Refused(_) => {
                ErrorCode::INVALID_REQUEST
            }
            Self::Unavailable => ErrorCode::INTERNAL,
        }
    }

    /// The HTTP status on the Streamable HTTP binding.
    pub const fn http_status(&self) -> u16 {
        match self {
            Self::Credential(CredentialFault::Twice) => 400,
            Self::NoToken
            | Self::Credential(CredentialFault::OtherScheme | CredentialFault::Token(_))
            | Self::Invalid
            | Self::Expired
            | Self::Refused(
                AccessRefusal::OtherIssuer
                | AccessRefusal::OtherAudience
                | AccessRefusal::NoSubject
                | AccessRefusal::Expired
                | AccessRefusal::NotYetValid,
            ) => 401,
            Self::Refused(AccessRefusal::InsufficientScope { .. }) => 403,
            Self::Unavailable => 503,
        }
    }

    /// The error of the challenge. A caller that showed nothing is told of none.
    const fn challenge_error(&self) -> Option<ChallengeError> {
        match self {
            Self::NoToken | Self::Credential(CredentialFault::OtherScheme) | Self::Unavailable => None,
            Self::Credential(CredentialFault::Twice) => Some(ChallengeError::InvalidRequest),
            Self::Credential(CredentialFault::Token(_))
            | Self::Invalid
            | Self::Expired
            | Self::Refused(
                AccessRefusal::OtherIssuer
                | AccessRefusal::OtherAudience
                | AccessRefusal::NoSubject
                | AccessRefusal::Expired
                | AccessRefusal::NotYetValid,
            ) => Some(ChallengeError::InvalidToken),
            Self::Refused(AccessRefusal::InsufficientScope { .. }) => Some(ChallengeError::InsufficientScope),
        }
    }

    /// The challenge that goes with the refusal: where to learn of the issuer, and the scopes that the operation needs, all
    /// at once. An outage has none: another token would not help.
    pub fn challenge(&self, metadata_url: &str, needs: &Scopes) -> Option<String> {
        use alloc::string::ToString;
        if *self == Self::Unavailable {
            return None;
        }
        let error = self.challenge_error();
        let description = error.map(|_| self.to_string());
        Some(
            Challenge { metadata_url, scopes: needs, error, description: description.as_deref() }.to_string(),
        )
    }
}

impl From<AccessRefusal> for Denial {
    fn from(refusal: AccessRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<CredentialFault> for Denial {
    fn from(fault: CredentialFault) -> Self {
        Self::Credential(fault)
    }
}

impl fmt::Display for Denial {
    /// What is wrong and what to change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToken => {
                f.write_str("this server needs a bearer token; its metadata says who issues them")
            }
            Self::Credential(fault) => fault.fmt(f),
            Self::Invalid => f.write_str("the token is not valid"),
            Self::Expired => f.write_str("the token has expired"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Unavailable => f.write_str("the token cannot be verified at the moment; try again later"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::TokenFault;

    #[test]
    fn every_denial_has_its_status_and_its_one_challenge() {
        const URL: &str = "https://h/.well-known/oauth-protected-resource";
        let needs = Scopes::parse("pm:read pm:write").unwrap();
        let scope = Denial::Refused(AccessRefusal::InsufficientScope { needs: needs.clone() });
        for (denial, status, error) in [
            (Denial::NoToken, 401, None),
            (Denial::Credential(CredentialFault::OtherScheme), 401, None),
            (Denial::Credential(CredentialFault::Twice), 400, Some("invalid_request")),
            (Denial::Credential(CredentialFault::Token(TokenFault::Grammar)), 401, Some("invalid_token")),
            (Denial::Invalid, 401, Some("invalid_token")),
            (Denial::Expired, 401, Some("invalid_token")),
            (Denial::Refused(AccessRefusal::OtherAudience), 401, Some("invalid_token")),
            (Denial::Refused(AccessRefusal::NotYetValid), 401, Some("invalid_token")),
            (scope, 403, Some("insufficient_scope")),
        ] {
            assert_eq!(denial.http_status(), status, "{denial:?}");
            let challenge = denial.challenge(URL, &needs).unwrap();
            assert!(challenge.starts_with("Bearer "), "{challenge}");
            assert!(
                challenge.contains(r#"resource_metadata="https://h/.well-known/oauth-protected-resource""#)
            );
            assert!(challenge.contains(r#"scope="pm:read pm:write""#), "{challenge}");
            assert_eq!(challenge.contains("error="), error.is_some(), "{challenge}");
            for name in ["resource_metadata=", " scope=", "error=", "error_description="] {
                assert!(challenge.matches(name).count() <= 1, "{challenge}");
            }
            if let Some(error) = error {
                assert!(challenge.contains(&alloc::format!("error=\"{error}\"")), "{challenge}");
            }
        }
        assert_eq!(
            (Denial::Unavailable.http_status(), Denial::Unavailable.challenge(URL, &needs)),
            (503, None)
        );
    }
}
