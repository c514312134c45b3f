//! One look at what an issuer publishes.

use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{HttpUrl, UrlFault};
use pm_mcp_ports::driven::{FetchError, FetchRequest, FetchResponse, HttpFetch, KeySet};
use thiserror::Error;

use super::location::KeyLocation;
use crate::json;
use crate::jwk::{JwksError, LONGEST_SET, parse_jwks};

/// The largest metadata document, in bytes.
const LONGEST_METADATA: usize = 64 << 10;
/// How many arrays and objects of metadata may lie within one another.
const METADATA_DEPTH: usize = 16;

/// An issuer did not say which keys it has.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LookError {
    /// None of the places where metadata may be has any.
    #[error("no metadata of the issuer is found: {0}")]
    NoMetadata(String),
    /// The metadata is that of another issuer.
    #[error(
        "the metadata at {url} is of the issuer {found:?}, not of the one that is configured, letter for letter"
    )]
    OtherIssuer {
        /// Where the metadata is.
        url: String,
        /// The issuer that it names.
        found: String,
    },
    /// The metadata names no place of keys.
    #[error("the metadata at {0} has no jwks_uri; name the place of the keys in the settings")]
    NoKeys(String),
    /// The place of keys is no URL.
    #[error("the jwks_uri of the issuer cannot be used")]
    Url(#[from] UrlFault),
    /// The keys cannot be fetched.
    #[error("the keys at {url} cannot be fetched")]
    Fetch {
        /// Where they are.
        url: String,
        /// Why not.
        source: FetchError,
    },
    /// The keys are answered with another status than 200.
    #[error("the keys at {url} are answered with status {status}")]
    Status {
        /// Where they are.
        url: String,
        /// The status.
        status: u16,
    },
    /// What is there gives no key.
    #[error("the keys at {url} cannot be used")]
    Keys {
        /// Where they are.
        url: String,
        /// Why not.
        source: JwksError,
    },
    /// It took too long.
    #[error("the issuer does not answer in time")]
    Late,
}

/// Fetches the keys of `issuer` from where they are.
pub(super) async fn look(
    fetch: &dyn HttpFetch,
    issuer: &Issuer,
    location: &KeyLocation,
) -> Result<KeySet, LookError> {
    let url = match location {
        KeyLocation::At(url) => url.clone(),
        KeyLocation::Metadata => find(fetch, issuer).await?,
    };
    let response = fetch.fetch(keys_request(&url)).await;
    let place = || url.as_str().to_owned();
    let response = response.map_err(|source| LookError::Fetch { url: place(), source })?;
    if response.status != 200 {
        return Err(LookError::Status { url: place(), status: response.status });
    }
    let read = parse_jwks(&response.body).map_err(|source| LookError::Keys { url: place(), source })?;
    for (key, fault) in &read.unused {
        tracing::warn!(issuer = issuer.as_str(), key, reason = %fault, "a key of the issuer is not used");
    }
    Ok(read.keys)
}

/// Some servers say only `application/jwk-set+json`.
fn keys_request(url: &HttpUrl) -> FetchRequest {
    let mut request = FetchRequest::json(url.clone(), LONGEST_SET);
    request.headers = vec![("Accept".to_owned(), "application/jwk-set+json, application/json".to_owned())];
    request
}

/// Asks each place in the order of the specification. A document of another issuer ends the search: it is no accident.
async fn find(fetch: &dyn HttpFetch, issuer: &Issuer) -> Result<HttpUrl, LookError> {
    let mut faults = Vec::new();
    for place in places(issuer.as_str()) {
        let url = HttpUrl::parse(&place)?;
        match fetch.fetch(FetchRequest::json(url, LONGEST_METADATA)).await {
            Err(error) => faults.push(format!("{place}: {}", said(&error))),
            Ok(response) => match document(&response) {
                Err(why) => faults.push(format!("{place}: {why}")),
                Ok(members) => return named_keys(&members, &place, issuer),
            },
        }
    }
    Err(LookError::NoMetadata(faults.join("; ")))
}

fn named_keys(
    members: &serde_json::Map<String, serde_json::Value>,
    place: &str,
    issuer: &Issuer,
) -> Result<HttpUrl, LookError> {
    let member = |name: &str| members.get(name).and_then(serde_json::Value::as_str);
    let found = member("issuer").unwrap_or_default();
    if found != issuer.as_str() {
        let found = found.chars().take(200).collect();
        return Err(LookError::OtherIssuer { url: place.to_owned(), found });
    }
    let keys = member("jwks_uri").ok_or_else(|| LookError::NoKeys(place.to_owned()))?;
    Ok(HttpUrl::parse(keys)?)
}

/// What a response says if it is metadata at all: other servers answer pages, or an empty object.
fn document(response: &FetchResponse) -> Result<serde_json::Map<String, serde_json::Value>, String> {
    if response.status != 200 {
        return Err(format!("status {}", response.status));
    }
    json::object(&response.body, METADATA_DEPTH)
        .filter(|members| members.contains_key("issuer"))
        .ok_or_else(|| "no metadata".to_owned())
}

/// An error with its causes.
fn said(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(current) = cause {
        text.push_str(": ");
        text.push_str(&current.to_string());
        cause = current.source();
    }
    text
}

/// Where the metadata of `issuer` may be, in the order of the specification.
fn places(issuer: &str) -> Vec<String> {
    const OAUTH: &str = "/.well-known/oauth-authorization-server";
    const OPENID: &str = "/.well-known/openid-configuration";
    let authority = issuer.find("://").map_or(0, |at| at + 3);
    let path_start = issuer.get(authority..).and_then(|rest| rest.find('/')).map(|at| authority + at);
    let (origin, path) = issuer.split_at(path_start.unwrap_or(issuer.len()));
    match path.trim_end_matches('/') {
        "" => vec![format!("{origin}{OAUTH}"), format!("{origin}{OPENID}")],
        path => vec![
            format!("{origin}{OAUTH}{path}"),
            format!("{origin}{OPENID}{path}"),
            format!("{origin}{path}{OPENID}"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_looked_for_in_the_order_of_the_specification() {
        for root in ["https://as", "https://as/"] {
            let expected = [
                "https://as/.well-known/oauth-authorization-server",
                "https://as/.well-known/openid-configuration",
            ];
            assert_eq!(places(root), expected);
        }
        for tenant in ["https://as:8443/t1", "https://as:8443/t1/"] {
            let expected = [
                "https://as:8443/.well-known/oauth-authorization-server/t1",
                "https://as:8443/.well-known/openid-configuration/t1",
                "https://as:8443/t1/.well-known/openid-configuration",
            ];
            assert_eq!(places(tenant), expected);
        }
    }
}
