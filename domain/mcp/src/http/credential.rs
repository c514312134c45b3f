//! Where a request may carry a token, and where not
//! ([Token Requirements](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#token-requirements)).

use crate::access::{Credential, CredentialFault, TokenFault};
use crate::header::{Found, HeaderSource, KnownHeader};

/// The credential of a request: that of its one `Authorization` header, and of nothing else.
pub fn credential(headers: &dyn HeaderSource) -> Credential<'_> {
    let value = match headers.known(KnownHeader::Authorization) {
        Found::Absent => return Credential::Absent,
        Found::Many(_) => return Credential::Faulty(CredentialFault::Twice),
        Found::One(value) => value,
    };
    let Ok(value) = core::str::from_utf8(value) else {
        return Credential::Faulty(CredentialFault::Token(TokenFault::Grammar));
    };
    // The scheme's case does not count (RFC 9110 section 11.1).
    match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            Credential::Bearer(token.trim_matches(' '))
        }
        None if value.eq_ignore_ascii_case("bearer") => {
            Credential::Faulty(CredentialFault::Token(TokenFault::Grammar))
        }
        Some(_) | None => Credential::Faulty(CredentialFault::OtherScheme),
    }
}

/// Whether the query of a request carries a token, under the name that RFC 6750 gives it. URLs are written down in logs and
/// histories, so such a request is refused.
pub fn has_token_in_query(query: &str) -> bool {
    query.split(['&', ';']).any(|pair| {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        is_access_token(name.as_bytes())
    })
}

/// Compares a name of a query with `access_token`, escapes resolved.
fn is_access_token(mut name: &[u8]) -> bool {
    for wanted in b"access_token" {
        let (byte, rest) = match name {
            [b'%', high, low, rest @ ..] => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => (high << 4 | low, rest),
                _ => return false,
            },
            [byte, rest @ ..] => (*byte, rest),
            [] => return false,
        };
        if !byte.eq_ignore_ascii_case(wanted) {
            return false;
        }
        name = rest;
    }
    name.is_empty()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_from_one_bearer_header_only() {
        let grammar = Credential::Faulty(CredentialFault::Token(TokenFault::Grammar));
        for (values, found) in [
            (&[][..], Credential::Absent),
            (&["Bearer abc"], Credential::Bearer("abc")),
            (&["bearer   abc=="], Credential::Bearer("abc==")),
            (&["BEARER abc "], Credential::Bearer("abc")),
            (&["Bearer"], grammar),
            (&["Bearer "], Credential::Bearer("")),
            (&["Basic YTpi"], Credential::Faulty(CredentialFault::OtherScheme)),
            (&["abc"], Credential::Faulty(CredentialFault::OtherScheme)),
            (&["Bearer abc", "Bearer abc"], Credential::Faulty(CredentialFault::Twice)),
            (&["Bearer abc", "Basic YTpi"], Credential::Faulty(CredentialFault::Twice)),
        ] {
            let headers: alloc::vec::Vec<_> = values.iter().map(|value| ("Authorization", *value)).collect();
            assert!(credential(&headers) == found, "{values:?}");
        }
        for value in ["Bearer ", "Bearer a, Bearer b", "Bearer a b", "Bearer a\tb"] {
            let headers = [("authorization", value)];
            assert!(credential(&headers).token().is_err(), "{value:?}");
        }
    }

    #[test]
    fn tokens_in_queries_are_seen_however_they_are_written() {
        for (query, seen) in [
            ("access_token=abc", true),
            ("a=b&access_token=abc", true),
            ("a=b;access%5Ftoken", true),
            ("%61ccess_token=", true),
            ("ACCESS_TOKEN=x", true),
            ("", false),
            ("xaccess_token=1", false),
            ("access_tokens=1", false),
            ("a=access_token", false),
            ("access%5", false),
        ] {
            assert_eq!(has_token_in_query(query), seen, "{query}");
        }
    }
}
