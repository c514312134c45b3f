//! What the bearer challenges of a response ask of a client.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::access::Scopes;

use super::challenge::{Challenge, read_challenges};
use super::http_url::HttpUrl;

/// The longest text of a server that is shown to a user, in characters.
const LONGEST_TEXT: usize = 512;

/// What a server asks for when it refuses a request (RFC 6750 section 3, RFC 9728 section 5.1).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BearerChallenge {
    /// Where the metadata of the resource is.
    pub resource_metadata: Option<HttpUrl>,
    /// The scopes that the operation needs.
    pub scopes: Option<Scopes>,
    /// Why the request was refused.
    pub error: Option<BearerError>,
    /// The same for a reader; text of the server, cut to a bound and without control characters.
    pub error_description: Option<String>,
}

/// Why a bearer token is not enough (RFC 6750 section 3.1).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BearerError {
    /// The token is no longer, or never was, good for this resource.
    InvalidToken,
    /// The token does not cover the operation.
    InsufficientScope,
    /// The request itself is malformed.
    InvalidRequest,
    /// Another code.
    Other(String),
}

/// Reads all values of `WWW-Authenticate` of one response.
///
/// The first challenge of the scheme `Bearer` that names where the metadata is, is taken; without one, the first bearer
/// challenge. Values that break the grammar say nothing, nor do parameters that are no URL or no scopes: the client then
/// goes on as if they were absent, which is what the well-known places are for.
pub fn read_bearer_challenge<'a>(values: impl IntoIterator<Item = &'a str>) -> BearerChallenge {
    let mut chosen: Option<BearerChallenge> = None;
    for value in values {
        for challenge in
            read_challenges(value).unwrap_or_default().iter().filter(|found| found.is_of("Bearer"))
        {
            let read = read_one(challenge);
            if read.resource_metadata.is_some() {
                return read;
            }
            chosen.get_or_insert(read);
        }
    }
    chosen.unwrap_or_default()
}

fn read_one(challenge: &Challenge) -> BearerChallenge {
    BearerChallenge {
        resource_metadata: challenge
            .parameter("resource_metadata")
            .and_then(|url| HttpUrl::parse(url).ok())
            .filter(HttpUrl::is_protected),
        scopes: challenge
            .parameter("scope")
            .and_then(|scopes| Scopes::parse(scopes).ok())
            .filter(|scopes| !scopes.is_empty()),
        error: challenge.parameter("error").map(|code| match code {
            "invalid_token" => BearerError::InvalidToken,
            "insufficient_scope" => BearerError::InsufficientScope,
            "invalid_request" => BearerError::InvalidRequest,
            other => BearerError::Other(showable(other)),
        }),
        error_description: challenge.parameter("error_description").map(showable),
    }
}

/// Text of another party for a log or a dialogue: bounded, and without control characters.
pub(super) fn showable(text: &str) -> String {
    let clean = text.chars().filter(|character| !character.is_control()).take(LONGEST_TEXT);
    clean.collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(values: &[&str]) -> Option<String> {
        let challenge = read_bearer_challenge(values.iter().copied());
        challenge.resource_metadata.map(|url| url.as_str().to_owned())
    }

    #[test]
    fn the_place_of_the_metadata_is_found_or_left_to_the_well_known_order() {
        for (values, expected) in [
            (
                &[r#"Basic realm="r", Bearer scope="a b", resource_metadata="https://h/m""#][..],
                Some("https://h/m"),
            ),
            (&[r#"bearer resource_metadata = "https://h/m""#], Some("https://h/m")),
            (&["Basic realm=x", r#"Bearer resource_metadata="https://h/m""#], Some("https://h/m")),
            (&[r#"Bearer scope="s""#, r#"Bearer resource_metadata="https://h/m""#], Some("https://h/m")),
            (
                &[r#"Bearer resource_metadata="https://h/1", Bearer resource_metadata="https://h/2""#],
                Some("https://h/1"),
            ),
            (
                &["Negotiate abc=", r#"Bearer resource_metadata="http://localhost:1/m""#],
                Some("http://localhost:1/m"),
            ),
            (&[r#"Bearer resource_metadata="https://h/m"#], None),
            (&[r#"Bearer resource_metadata="https://a", resource_metadata="https://b""#], None),
            (&[r#"Basic resource_metadata="https://h/m""#], None),
            (&[r#"Bearer realm="resource_metadata=https://evil/m""#], None),
            (&[r#"Bearer realm="x, resource_metadata=\"https://evil/m\"""#], None),
            (&[r#"Bearer resource_metadata="http://h/m""#], None),
            (&[r#"Bearer resource_metadata="file:///etc/passwd""#], None),
            (&[r#"Bearer resource_metadata="/m""#], None),
            (&[], None),
        ] {
            assert_eq!(metadata(values).as_deref(), expected, "{values:?}");
        }
    }

    #[test]
    fn scopes_and_errors_are_read() {
        let challenge = read_bearer_challenge([
            r#"Bearer error="insufficient_scope", scope="files:write  files:read", error_description="a	b""#,
        ]);
        assert_eq!(challenge.error, Some(BearerError::InsufficientScope));
        assert_eq!(challenge.scopes, Scopes::parse("files:read files:write").ok());
        assert_eq!(challenge.error_description.as_deref(), Some("ab"));
        for scopes in ["", " ", "a \\\\ b", "ü"] {
            let value = alloc::format!("Bearer scope=\"{scopes}\"");
            assert_eq!(read_bearer_challenge([value.as_str()]).scopes, None, "{scopes}");
        }
    }
}
